package fsimpl

import (
	"context"
	"path"
	"slices"
	"time"

	"github.com/spf13/afero"
)

// lock excludes every other change of the named paths: by goroutines of this
// process through path locks, by other processes through advisory locks on the
// directories that hold them.
func (f *Files) lock(ctx context.Context, names ...string) (unlock func(), err error) {
	release, err := f.locks.Lock(ctx, names...)
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, name := range names {
		dirs = append(dirs, f.existing(path.Dir(name)))
	}
	slices.Sort(dirs) // one order for every process, hence no circle of waiting
	var held []afero.File
	unlock = func() {
		for _, d := range held {
			_ = d.Close() // which gives the lock back
		}
		release()
	}
	for _, dir := range slices.Compact(dirs) {
		d, err := f.lockDir(ctx, dir)
		if err != nil {
			unlock()
			return nil, f.failure("lock", dir, err)
		}
		held = append(held, d)
	}
	return unlock, nil
}

// existing returns the nearest directory of name that exists.
func (f *Files) existing(name string) string {
	for name != "." && !f.tree.isDir(name) {
		name = path.Dir(name)
	}
	return name
}

// lockDir waits for the lock of a directory. Without such locks it returns
// at once.
func (f *Files) lockDir(ctx context.Context, dir string) (afero.File, error) {
	const longest = 2 * time.Millisecond
	d, err := f.tree.fs.Open(f.tree.at(dir))
	if err != nil {
		return nil, err
	}
	for pause := 50 * time.Microsecond; ; pause = min(2*pause, longest) {
		if got, known := tryLock(d); got || !known {
			return d, nil
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			_ = d.Close()
			return nil, ctx.Err()
		}
	}
}
