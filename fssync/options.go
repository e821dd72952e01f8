package fssync

import (
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

const (
	// DefaultDebounce is how long nothing must have changed before an automatic
	// run.
	DefaultDebounce = 500 * time.Millisecond
	// DefaultPoll is how often a side without a host directory is looked at.
	DefaultPoll = 2 * time.Second
)

// Options tune a [Syncer]; the zero value has the defaults.
type Options struct {
	// Config is the configuration to begin with. A DebounceMS of 0 means
	// [DefaultDebounce].
	Config facade.SyncConfig
	// AutoDirection is the direction of automatic runs; "" means to_target.
	AutoDirection facade.SyncDirection
	// Protected reports the paths that are never read nor written, whatever the
	// configuration says; nil protects the directories of version control.
	Protected func(path string) bool
	// State and StateFile are where the memory of the pair is kept, so that
	// deletions and conflicts are told apart after a restart. nil keeps it in
	// this process: a new one copies what one side alone has, and takes what
	// differs for a conflict. It belongs to one pair.
	State     afero.Fs
	StateFile string
	// SourceDir and TargetDir are the host directories behind the file systems,
	// where there are any: the operating system then tells of changes. Other
	// sides are looked at every Poll; 0 means [DefaultPoll].
	SourceDir, TargetDir string
	Poll                 time.Duration
	// OnError is told of failures of automatic runs; nil leaves them to status.
	OnError func(error)
}

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.Config.DebounceMS == 0 {
		c.Config.DebounceMS = int(DefaultDebounce / time.Millisecond)
	}
	if c.AutoDirection == "" {
		c.AutoDirection = facade.SyncToTarget
	}
	if c.Protected == nil {
		c.Protected = versionControl
	}
	if c.Poll == 0 {
		c.Poll = DefaultPoll
	}
	return c
}
