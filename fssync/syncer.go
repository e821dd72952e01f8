package fssync

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

// Syncer keeps two trees alike. It is safe for concurrent use; runs go one after
// the other. One Syncer works on a pair at a time.
type Syncer struct {
	opts           Options
	source, target *side
	memory         memory
	watcher        *watcher

	running sync.Mutex // held during a run; guards the sides and the memory

	mu       sync.Mutex
	config   facade.SyncConfig
	last     time.Time
	failure  error
	progress *facade.SyncProgress // nil between runs
	current  string
	cancel   context.CancelFunc // of an automatic run
}

var _ facade.SyncTools = (*Syncer)(nil)

// New returns a synchronizer of two file systems; nil options mean the defaults.
// Both must be confined by themselves. [Syncer.Close] ends it.
func New(source, target afero.Fs, opts *Options) (*Syncer, error) {
	s := &Syncer{opts: opts.withDefaults(), source: newSide("source", source), target: newSide("target", target)}
	s.config = s.opts.Config
	s.config.ExcludePatterns = slices.Clone(s.config.ExcludePatterns)
	if err := checkPatterns(s.config.ExcludePatterns); err != nil {
		return nil, err
	}
	s.memory.fs, s.memory.file = s.opts.State, s.opts.StateFile
	if err := s.memory.load(); err != nil {
		return nil, err
	}
	s.watcher = newWatcher(s)
	s.watcher.set(s.config.AutoSync)
	return s, nil
}

// Close ends automatic synchronization and waits for a run in progress, which
// stops after the file it is at.
func (s *Syncer) Close() error {
	s.pause()
	s.watcher.close()
	s.running.Lock()
	defer s.running.Unlock()
	return nil
}

// skip returns what tells the paths that are left out.
func (s *Syncer) skip() func(string) bool {
	s.mu.Lock()
	patterns := s.config.ExcludePatterns
	s.mu.Unlock()
	return func(p string) bool { return s.opts.Protected(p) || excluded(patterns, p) }
}

// look compares the sides. The caller holds running.
func (s *Syncer) look(ctx context.Context, direction facade.SyncDirection) (*plan, error) {
	skip := s.skip()
	x := sides{source: s.source, target: s.target, base: map[string]string{}}
	var err error
	if x.s, err = s.source.scan(ctx, skip); err != nil {
		return nil, err
	}
	if x.t, err = s.target.scan(ctx, skip); err != nil {
		return nil, err
	}
	for name, sum := range s.memory.base {
		if !skip(name) {
			x.base[name] = sum
		}
	}
	p := &plan{alike: map[string]string{}, settled: map[string]string{}}
	for name, b := range s.memory.begun {
		base := ""
		if !skip(name) {
			base = b.settled(s.memory.base[name], x.s.files[name], x.t.files[name])
		}
		x.base[name], p.settled[name] = base, base
	}
	x.plan(p, direction)
	x.suspect(p)
	p.temps = [2][]string{x.s.temps, x.t.temps}
	return p, nil
}

// Trigger implements [facade.SyncTools].
func (s *Syncer) Trigger(ctx context.Context, in facade.SyncTriggerInput) (facade.SyncTriggerOutput, error) {
	s.running.Lock()
	defer s.running.Unlock()
	if in.Direction == "" {
		in.Direction = facade.SyncToTarget
	}
	out, err := s.run(ctx, in)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress, s.current = nil, ""
	if !in.DryRun {
		s.failure = err
	}
	if err == nil && !in.DryRun {
		s.last = time.Now()
	}
	return out, err
}

// run makes the changes of a plan. The caller holds running.
func (s *Syncer) run(ctx context.Context, in facade.SyncTriggerInput) (facade.SyncTriggerOutput, error) {
	s.advance(ctx, "", 0, 0)
	out := facade.SyncTriggerOutput{DryRun: in.DryRun, Copied: []string{}, Deleted: []string{}, Conflicts: []facade.SyncConflict{}}
	p, err := s.look(ctx, in.Direction)
	if err != nil {
		return out, err
	}
	if p.emptied != "" {
		return out, facade.Errorf(facade.CodeConflict, "the %s is empty, and %d files would be deleted on the other side", p.emptied, len(p.steps)).
			WithHint("if it is not mounted, mount it; to restore it, synchronize towards it; to delete everything, leave one new file on it")
	}
	out.Conflicts = append(out.Conflicts, p.conflicts...)
	if in.DryRun {
		for _, st := range p.steps {
			did(&out, st)
		}
		return out, nil
	}
	return out, s.perform(ctx, p, &out)
}

func did(out *facade.SyncTriggerOutput, st step) {
	if st.sum == "" {
		out.Deleted = append(out.Deleted, st.path)
	} else {
		out.Copied = append(out.Copied, st.path)
	}
}

// perform makes the changes of p. Before the first, the memory notes them all:
// after a crash they may have been made or not.
func (s *Syncer) perform(ctx context.Context, p *plan, out *facade.SyncTriggerOutput) error {
	for i, side := range []*side{s.source, s.target} {
		for _, temp := range p.temps[i] {
			_ = side.fs.Remove(side.at(temp)) // it is swept again next time
		}
	}
	if news := s.learn(p); news || len(p.steps) > 0 {
		if err := s.memory.save(); err != nil {
			return err
		}
	}
	var errs []error
	for i, st := range p.steps {
		if err := ctx.Err(); err != nil {
			errs = append(errs, err)
			break
		}
		s.advance(ctx, st.path, i, len(p.steps))
		if err := s.step(ctx, st, out); err != nil {
			errs = append(errs, err)
		}
	}
	if len(p.steps) > 0 {
		s.advance(ctx, "", len(p.steps), len(p.steps))
		s.memory.begun = nil // what failed still has what it had
		errs = append(errs, s.memory.save())
	}
	return errors.Join(errs...)
}

// step makes one change and remembers what both sides have then.
func (s *Syncer) step(ctx context.Context, st step, out *facade.SyncTriggerOutput) error {
	err := st.apply(ctx)
	switch {
	case errors.Is(err, errMoved):
		out.Conflicts = append(out.Conflicts, facade.SyncConflict{Path: st.path, Reason: errMoved.Error()})
	case err != nil:
		return facade.Errorf(facade.CodeOf(err), "%s: %w", st.path, err).WithPath(st.path)
	default:
		s.remember(st.path, st.sum)
		did(out, st)
	}
	return nil
}

// remember notes what both sides have; "" for nothing.
func (s *Syncer) remember(name, sum string) {
	if sum == "" {
		delete(s.memory.base, name)
	} else {
		s.memory.base[name] = sum
	}
}

func (s *Syncer) forget(name string) bool {
	_, had := s.memory.base[name]
	delete(s.memory.base, name)
	return had
}

// learn notes what both sides have alike without a run, forgets what neither
// has, and takes up the changes to come. It reports whether that is news.
func (s *Syncer) learn(p *plan) bool {
	news := len(s.memory.begun) > 0
	for name, sum := range p.settled {
		s.remember(name, sum)
	}
	s.memory.begun = map[string]begun{}
	for _, st := range p.steps {
		s.memory.begun[st.path] = begun{st.sum, st.to == s.target}
	}
	for name, sum := range p.alike {
		if s.memory.base[name] != sum {
			s.memory.base[name], news = sum, true
		}
	}
	for _, name := range p.gone {
		news = s.forget(name) || news
	}
	return news
}

// advance tells how far the run is.
func (s *Syncer) advance(ctx context.Context, name string, current, total int) {
	s.mu.Lock()
	s.current, s.progress = name, &facade.SyncProgress{Current: current, Total: total}
	s.mu.Unlock()
	if total > 0 {
		facade.Emit(ctx, facade.Event{Type: facade.EventProgress, Path: name, Message: name, Current: int64(current), Total: int64(total)})
	}
}
