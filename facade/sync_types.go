package facade

import "time"

// SyncState is what a synchronizer does.
type SyncState string

// The states of a synchronizer. SyncPaused means that automatic synchronization
// is off; SyncFailed, that the last run ended with an error.
const (
	SyncIdle    SyncState = "idle"
	SyncSyncing SyncState = "syncing"
	SyncFailed  SyncState = "error"
	SyncPaused  SyncState = "paused"
)

// SyncDirection says which side changes.
type SyncDirection string

// The directions.
const (
	SyncToTarget SyncDirection = "to_target"
	SyncToSource SyncDirection = "to_source"
	SyncBoth     SyncDirection = "both"
)

// SyncStatusInput has no parameters.
type SyncStatusInput struct{}

// SyncStatusOutput tells what the synchronizer does.
type SyncStatusOutput struct {
	// State is idle, syncing, error or paused.
	State SyncState `json:"state"`
	// LastSyncTime is when the last run ended without error; absent before.
	LastSyncTime *time.Time `json:"last_sync_time,omitempty"`
	// PendingChanges counts the changes that wait for a run.
	PendingChanges int `json:"pending_changes"`
	// CurrentFile is the one copied now.
	CurrentFile string `json:"current_file,omitempty"`
	// Progress is how far the run is; absent unless one is going on.
	Progress *SyncProgress `json:"progress,omitempty"`
	// Error says why the last run failed.
	Error string `json:"error,omitempty"`
}

// SyncProgress counts the files of a run.
type SyncProgress struct {
	// Current counts the files done.
	Current int `json:"current"`
	// Total counts the files of the run.
	Total int `json:"total"`
}

// SyncTriggerInput says what to synchronize.
type SyncTriggerInput struct {
	// Which side changes.
	Direction SyncDirection `json:"direction,omitempty" default:"to_target" enum:"to_target,to_source,both"`
	// Only report.
	DryRun bool `json:"dry_run,omitempty" default:"false"`
}

// SyncTriggerOutput tells what a run did.
type SyncTriggerOutput struct {
	// Copied lists the files copied, new and changed.
	Copied []string `json:"copied"`
	// Deleted lists the files deleted because they are gone on the other side.
	Deleted []string `json:"deleted"`
	// Conflicts lists the files left alone because both sides changed.
	Conflicts []SyncConflict `json:"conflicts"`
	// DryRun says that nothing was changed.
	DryRun bool `json:"dry_run,omitempty"`
}

// SyncConflict is a file that a run left alone.
type SyncConflict struct {
	// Path is relative to both sides.
	Path string `json:"path"`
	// Reason says what happened on each side.
	Reason string `json:"reason"`
}

// SyncSetAutoInput switches automatic synchronization.
type SyncSetAutoInput struct {
	// Whether to synchronize after each change.
	Enabled bool `json:"enabled"`
}

// SyncSetAutoOutput tells the state afterwards.
type SyncSetAutoOutput struct {
	// State is idle, syncing, error or paused.
	State SyncState `json:"state"`
	// AutoSync says that every change is synchronized.
	AutoSync bool `json:"auto_sync"`
}

// SyncGetConfigInput has no parameters.
type SyncGetConfigInput struct{}

// SyncUpdateConfigInput holds the settings to change; absent ones stay.
type SyncUpdateConfigInput struct {
	// Whether to synchronize after each change.
	AutoSync *bool `json:"auto_sync,omitempty"`
	// Milliseconds without a change to wait for before a run.
	DebounceMS *int `json:"debounce_ms,omitempty" min:"0" max:"3600000"`
	// Globs of paths to leave out, instead of those before; an empty list leaves nothing out.
	ExcludePatterns *[]string `json:"exclude_patterns,omitempty" example:"**/node_modules/**"`
}

// Validate refuses an update that changes nothing.
func (in SyncUpdateConfigInput) Validate() error {
	if in.AutoSync == nil && in.DebounceMS == nil && in.ExcludePatterns == nil {
		return InvalidArgument("", "give at least one of 'auto_sync', 'debounce_ms' and 'exclude_patterns'")
	}
	return nil
}

// SyncConfig is the configuration of a synchronizer.
type SyncConfig struct {
	// AutoSync says that every change is synchronized.
	AutoSync bool `json:"auto_sync"`
	// DebounceMS is how many milliseconds without a change a run waits for.
	DebounceMS int `json:"debounce_ms"`
	// ExcludePatterns are globs of paths to leave out.
	ExcludePatterns []string `json:"exclude_patterns"`
}

// Updated returns c with the settings that in names.
func (c SyncConfig) Updated(in SyncUpdateConfigInput) SyncConfig {
	if in.AutoSync != nil {
		c.AutoSync = *in.AutoSync
	}
	if in.DebounceMS != nil {
		c.DebounceMS = *in.DebounceMS
	}
	if in.ExcludePatterns != nil {
		c.ExcludePatterns = *in.ExcludePatterns
	}
	return c
}

// SyncConfigOutput is the configuration after get_config and update_config.
type SyncConfigOutput struct {
	// Config holds all settings.
	Config SyncConfig `json:"config"`
}
