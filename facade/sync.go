package facade

import "context"

// SyncAction is an action of the sync tool.
type SyncAction string

// The actions of the sync tool.
const (
	SyncStatus       SyncAction = "status"
	SyncTrigger      SyncAction = "trigger"
	SyncSetAuto      SyncAction = "set_auto"
	SyncGetConfig    SyncAction = "get_config"
	SyncUpdateConfig SyncAction = "update_config"
)

// SyncTools is the contract of the sync tool: two directory trees, source and
// target, kept alike.
type SyncTools interface {
	// Status tells what the synchronizer does and what is waiting.
	Status(ctx context.Context, in SyncStatusInput) (SyncStatusOutput, error)
	// Trigger synchronizes now and waits for the end. A file that changed on
	// both sides is left alone on both and reported as a conflict.
	Trigger(ctx context.Context, in SyncTriggerInput) (SyncTriggerOutput, error)
	// SetAuto switches synchronizing after each change on or off.
	SetAuto(ctx context.Context, in SyncSetAutoInput) (SyncSetAutoOutput, error)
	// GetConfig returns the configuration.
	GetConfig(ctx context.Context, in SyncGetConfigInput) (SyncConfigOutput, error)
	// UpdateConfig changes what its input names and returns the configuration.
	UpdateConfig(ctx context.Context, in SyncUpdateConfigInput) (SyncConfigOutput, error)
}

// Sync builds the sync tool.
func Sync(impl SyncTools) *Tool {
	return New("sync", "Keep two directory trees alike: see what is waiting, copy now, configure.",
		Bind(SyncStatus, EffectRead|Idempotent, "Tell the state: what is copied now, what is waiting, the last error.", impl.Status),
		Bind(SyncTrigger, EffectWrite|EffectDestructive, "Synchronize now: copy what changed, delete what was deleted. Conflicts are left alone.", impl.Trigger),
		Bind(SyncSetAuto, EffectWrite|Idempotent, "Switch automatic synchronization on or off.", impl.SetAuto),
		Bind(SyncGetConfig, EffectRead|Idempotent, "Show the configuration.", impl.GetConfig),
		Bind(SyncUpdateConfig, EffectWrite|Idempotent, "Change the given settings, keep the others.", impl.UpdateConfig))
}
