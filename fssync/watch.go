package fssync

import (
	"context"
	"hash/fnv"
	"io/fs"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// watcher starts automatic runs once nothing has changed for a while.
type watcher struct {
	s *Syncer

	mu   sync.Mutex
	stop context.CancelFunc // nil while off
	wg   sync.WaitGroup
	done bool
}

func newWatcher(s *Syncer) *watcher { return &watcher{s: s} }

// set switches watching on or off. Off waits until it has ended.
func (w *watcher) set(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case on && w.stop == nil && !w.done:
		ctx, stop := context.WithCancel(context.Background())
		w.stop = stop
		w.start(ctx)
	case !on && w.stop != nil:
		w.stop()
		w.stop = nil
		w.wg.Wait()
	}
}

func (w *watcher) close() {
	w.set(false)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done = true
}

// start watches both sides. What changed while nobody watched counts as the
// first change.
func (w *watcher) start(ctx context.Context) {
	changed := make(chan struct{}, 1)
	changed <- struct{}{}
	tell := func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	for side, dir := range map[*side]string{w.s.source: w.s.opts.SourceDir, w.s.target: w.s.opts.TargetDir} {
		if notifier := notify(dir); notifier != nil {
			w.wg.Go(func() { follow(ctx, notifier, tell) })
		} else {
			w.wg.Go(func() { w.poll(ctx, side, tell) })
		}
	}
	w.wg.Go(func() { w.debounce(ctx, changed) })
}

// debounce runs once no change has come for the configured time.
func (w *watcher) debounce(ctx context.Context, changed <-chan struct{}) {
	quiet := time.NewTimer(0)
	<-quiet.C
	for {
		select {
		case <-changed:
			w.s.mu.Lock()
			wait := time.Duration(w.s.config.DebounceMS) * time.Millisecond
			w.s.mu.Unlock()
			quiet.Reset(wait)
		case <-quiet.C:
			w.s.automatic(ctx)
		case <-ctx.Done():
			quiet.Stop()
			return
		}
	}
}

// notify asks the operating system to tell of changes below a directory. It
// returns nil where that cannot be had, for the whole tree.
func notify(dir string) *fsnotify.Watcher {
	if dir == "" {
		return nil
	}
	n, err := fsnotify.NewWatcher()
	if err != nil {
		return nil
	}
	if err := addTree(n, dir); err != nil {
		_ = n.Close()
		return nil
	}
	return n
}

func addTree(n *fsnotify.Watcher, dir string) error {
	return filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return n.Add(p)
	})
}

func follow(ctx context.Context, n *fsnotify.Watcher, tell func()) {
	defer func() { _ = n.Close() }()
	for {
		select {
		case e := <-n.Events:
			if e.Has(fsnotify.Create) {
				_ = addTree(n, e.Name) // no directory, or gone already
			}
			tell()
		case err := <-n.Errors:
			if err != nil { // events were lost: look at everything
				tell()
			}
		case <-ctx.Done():
			return
		}
	}
}

// poll looks at a side again and again.
func (w *watcher) poll(ctx context.Context, s *side, tell func()) {
	tick := time.NewTicker(w.s.opts.Poll)
	defer tick.Stop()
	before, _ := w.fingerprint(ctx, s)
	for {
		select {
		case <-tick.C:
			now, err := w.fingerprint(ctx, s)
			if err == nil && now != before {
				before = now
				tell()
			}
		case <-ctx.Done():
			return
		}
	}
}

// fingerprint changes when the names, sizes or times of a side do.
func (w *watcher) fingerprint(ctx context.Context, s *side) (uint64, error) {
	skip := w.s.skip()
	h := fnv.New64a()
	err := s.walk(ctx, ".", func(p string, info fs.FileInfo) (bool, error) {
		if skip(p) {
			return false, nil
		}
		_, err := h.Write([]byte(p + "\x00" + info.Mode().String() + strconv.FormatInt(info.Size(), 10) +
			"\x00" + strconv.FormatInt(info.ModTime().UnixNano(), 10) + "\x00"))
		return info.IsDir(), err
	})
	return h.Sum64(), err
}
