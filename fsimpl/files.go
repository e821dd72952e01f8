// Package fsimpl implements the filesystem tool on any afero.Fs.
//
// [Open] confines it to a directory of the host with package rootfs. [New]
// takes a file system of the caller's, in memory for instance; its confinement
// is the caller's too.
package fsimpl

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/journal"
	"github.com/toolfacade/toolfacade/fsimpl/internal/pathlock"
	"github.com/toolfacade/toolfacade/fsimpl/rootfs"
	"github.com/toolfacade/toolfacade/internal/hostfs"
)

// The contract, and everything optional.
var (
	_ facade.FileTools     = (*Files)(nil)
	_ facade.FileInformer  = (*Files)(nil)
	_ facade.FileNavigator = (*Files)(nil)
	_ facade.FileMover     = (*Files)(nil)
	_ io.Closer            = (*Files)(nil)
)

// DefaultMaxFileBytes is the largest file that is held in memory whole: to be
// written, compared or edited.
const DefaultMaxFileBytes = 64 << 20

// DefaultMaxCopyBytes is how many bytes one copy may take.
const DefaultMaxCopyBytes = 1 << 30

// DefaultValidatorTimeout is how long a write waits for a validator.
const DefaultValidatorTimeout = time.Minute

// Options tune a [Files]. The zero value is the safe default.
type Options struct {
	// ReadOnly refuses every change. A host that also wants the actions to
	// vanish from the tool's enum uses facade.ReadOnly.
	ReadOnly bool
	// Writable names protected paths that may be changed all the same, as
	// ".vscode" or ".github"; ".git" is among those that need naming. See
	// [Protected].
	Writable []string
	// Validators judge content before it is written.
	Validators []facade.WriteValidator
	// ValidatorTimeout is how long each of them may take before the write goes
	// on without it; 0 means [DefaultValidatorTimeout].
	ValidatorTimeout time.Duration
	// MaxFileBytes bounds the files that are held in memory whole; 0 means
	// [DefaultMaxFileBytes]. Reading windows of larger files works.
	MaxFileBytes int64
	// MaxImageEdge bounds the sides of images that read attaches, in pixels;
	// larger ones are scaled down. 0 means [DefaultMaxImageEdge].
	MaxImageEdge int
	// MaxImageBytes bounds the size of images that read attaches; larger ones
	// are scaled down. 0 means [DefaultMaxImageBytes].
	MaxImageBytes int
	// MaxImagePixels bounds the images that are decoded to be scaled; larger
	// ones are refused. 0 means [DefaultMaxImagePixels].
	MaxImagePixels int64
	// Journal says where and for how long changes can be undone.
	Journal JournalOptions
	// MaxCopyBytes bounds the bytes of one copy, of all files together; 0 means
	// [DefaultMaxCopyBytes]. A sparse file counts with the size it claims.
	MaxCopyBytes int64
	// NoSync leaves out fsync: faster, but a power failure may lose
	// acknowledged writes. Atomicity stays.
	NoSync bool
}

// JournalOptions say where and for how long the old content of changed files is
// kept, for undo. It is readable by whoever can read the journal's directory,
// which is made with permissions for its owner only.
type JournalOptions struct {
	// Dir is a directory of its own for the journal of this tree, outside of
	// it. "" means one below the user's cache directory, or memory for file
	// systems that are not a directory of the host.
	Dir string
	// InMemory keeps the journal in memory; it ends with the process.
	InMemory bool
	// MaxAge is how long a change can be undone; 0 means 30 days.
	MaxAge time.Duration
	// MaxBytes bounds the content kept; 0 means 1 GiB. The oldest goes first.
	MaxBytes int64
}

// Files is the filesystem tool on one tree. It is safe for concurrent use.
// Several processes may work on one directory at once: writes to the same
// directory exclude each other on Unix through flock on the directory; on
// Windows, and on file systems without flock, only the goroutines of one
// process do.
type Files struct {
	tree  *tree
	opts  Options
	locks pathlock.Locks

	journal   *journal.Journal
	stopSweep func()
	decoding  chan struct{} // holds one token while an image is decoded
	closing   sync.WaitGroup

	mu  sync.Mutex
	cwd map[string]string // by session; absent means the root
}

// Open returns the filesystem tool confined to a directory. nil options are
// the safe defaults. Close releases the directory.
func Open(dir string, opts *Options) (*Files, error) {
	root, err := rootfs.Open(dir, nil)
	if err != nil {
		return nil, fmt.Errorf("fsimpl: %w", err)
	}
	f, err := newFiles(&tree{fs: root, host: hostPaths(dir)}, opts)
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return f, nil
}

// New returns the filesystem tool on any afero file system, whose "/" becomes
// the root. Names given to the file system are absolute, as "/src/main.go".
// Confinement is the caller's: New refuses a file system that reaches the
// host's disk without any, afero.OsFs and everything on top of it such as
// afero.BasePathFs, which follows symbolic links out of its directory. Use
// [Open] instead. At most one Files may work on a file system at a time,
// because New removes what an interrupted write left there.
func New(fsys afero.Fs, opts *Options) (*Files, error) {
	if fsys == nil {
		return nil, errors.New("fsimpl: the file system is nil")
	}
	if root, ok := fsys.(*rootfs.FS); ok {
		return newFiles(&tree{fs: root}, opts)
	}
	if name := hostfs.Unconfined(fsys); name != "" {
		return nil, fmt.Errorf("fsimpl: %s reaches the host's disk without confinement "+
			"(it follows symbolic links anywhere); use fsimpl.Open(dir) or a rootfs.FS", name)
	}
	return newFiles(&tree{fs: fsys, prefix: "/"}, opts)
}

func newFiles(t *tree, opts *Options) (*Files, error) {
	f := &Files{tree: t, cwd: map[string]string{}, decoding: make(chan struct{}, 1)}
	if opts != nil {
		f.opts = *opts
	}
	if f.opts.MaxFileBytes <= 0 {
		f.opts.MaxFileBytes = DefaultMaxFileBytes
	}
	if f.opts.MaxCopyBytes <= 0 {
		f.opts.MaxCopyBytes = DefaultMaxCopyBytes
	}
	if f.opts.ValidatorTimeout <= 0 {
		f.opts.ValidatorTimeout = DefaultValidatorTimeout
	}
	if f.opts.MaxImageEdge <= 0 {
		f.opts.MaxImageEdge = DefaultMaxImageEdge
	}
	if f.opts.MaxImageBytes <= 0 {
		f.opts.MaxImageBytes = DefaultMaxImageBytes
	}
	if f.opts.MaxImagePixels <= 0 {
		f.opts.MaxImagePixels = DefaultMaxImagePixels
	}
	t.sync = !f.opts.NoSync
	var err error
	if f.journal, err = openJournal(t, f.opts); err != nil {
		return nil, fmt.Errorf("fsimpl: the journal: %w", err)
	}
	f.stopSweep = startSweep(t)
	return f, nil
}

// EndSession forgets what is remembered for a session.
func (f *Files) EndSession(session string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.cwd, session)
}

// Close releases the directory. Calls afterwards fail.
func (f *Files) Close() error {
	f.stopSweep()
	f.closing.Wait()
	err := f.journal.Close()
	if c, ok := f.tree.fs.(io.Closer); ok {
		err = errors.Join(err, c.Close())
	}
	return err
}
