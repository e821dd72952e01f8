package fssync

import (
	"context"
	"slices"

	"github.com/toolfacade/toolfacade/facade"
)

// Status implements [facade.SyncTools]. Between runs it compares the sides.
func (s *Syncer) Status(ctx context.Context, _ facade.SyncStatusInput) (facade.SyncStatusOutput, error) {
	pending := 0
	if s.running.TryLock() {
		p, err := s.look(ctx, facade.SyncBoth)
		s.running.Unlock()
		if err != nil {
			return facade.SyncStatusOutput{}, err
		}
		pending = len(p.steps) + len(p.conflicts)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := facade.SyncStatusOutput{State: s.state(), PendingChanges: pending, CurrentFile: s.current}
	if !s.last.IsZero() {
		last := s.last
		out.LastSyncTime = &last
	}
	if s.progress != nil {
		progress := *s.progress
		out.Progress = &progress
		out.PendingChanges = progress.Total - progress.Current
	}
	if s.failure != nil {
		out.Error = s.failure.Error()
	}
	return out, nil
}

// state is what the synchronizer does. The caller holds mu.
func (s *Syncer) state() facade.SyncState {
	switch {
	case s.progress != nil:
		return facade.SyncSyncing
	case s.failure != nil:
		return facade.SyncFailed
	case !s.config.AutoSync:
		return facade.SyncPaused
	}
	return facade.SyncIdle
}

// SetAuto implements [facade.SyncTools]. Switching off stops an automatic run
// after the file it is at.
func (s *Syncer) SetAuto(_ context.Context, in facade.SyncSetAutoInput) (facade.SyncSetAutoOutput, error) {
	s.mu.Lock()
	s.config.AutoSync = in.Enabled
	s.mu.Unlock()
	if !in.Enabled {
		s.pause()
	}
	s.watcher.set(in.Enabled)
	s.mu.Lock()
	defer s.mu.Unlock()
	return facade.SyncSetAutoOutput{State: s.state(), AutoSync: in.Enabled}, nil
}

// pause stops an automatic run.
func (s *Syncer) pause() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
	}
}

// GetConfig implements [facade.SyncTools].
func (s *Syncer) GetConfig(context.Context, facade.SyncGetConfigInput) (facade.SyncConfigOutput, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return facade.SyncConfigOutput{Config: s.shown()}, nil
}

// shown is a copy of the configuration. The caller holds mu.
func (s *Syncer) shown() facade.SyncConfig {
	c := s.config
	c.ExcludePatterns = append([]string{}, c.ExcludePatterns...)
	return c
}

// UpdateConfig implements [facade.SyncTools].
func (s *Syncer) UpdateConfig(ctx context.Context, in facade.SyncUpdateConfigInput) (facade.SyncConfigOutput, error) {
	if in.ExcludePatterns != nil {
		if err := checkPatterns(*in.ExcludePatterns); err != nil {
			return facade.SyncConfigOutput{}, err
		}
		patterns := slices.Clone(*in.ExcludePatterns)
		in.ExcludePatterns = &patterns
	}
	s.mu.Lock()
	s.config = s.config.Updated(in)
	out := facade.SyncConfigOutput{Config: s.shown()}
	s.mu.Unlock()
	if in.AutoSync != nil {
		if _, err := s.SetAuto(ctx, facade.SyncSetAutoInput{Enabled: *in.AutoSync}); err != nil {
			return facade.SyncConfigOutput{}, err
		}
	}
	return out, nil
}

// automatic is one run without a caller.
func (s *Syncer) automatic(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	on := s.config.AutoSync
	s.cancel = cancel
	s.mu.Unlock()
	if !on {
		return
	}
	_, err := s.Trigger(ctx, facade.SyncTriggerInput{Direction: s.opts.AutoDirection})
	s.mu.Lock()
	s.cancel = nil
	if ctx.Err() != nil {
		s.failure, err = nil, nil // it was told to stop
	}
	s.mu.Unlock()
	if err != nil && s.opts.OnError != nil {
		s.opts.OnError(err)
	}
}
