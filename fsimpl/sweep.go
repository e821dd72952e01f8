package fsimpl

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/spf13/afero"
)

const (
	// staleAfter is the age at which a temporary file counts as left over where
	// locks cannot tell.
	staleAfter = 10 * time.Minute
	// sweepWait is how long opening a tree waits for its sweep. That of a larger
	// tree goes on behind the scenes.
	sweepWait = 250 * time.Millisecond
)

// startSweep removes what writes that were interrupted by a crash left in the
// tree. Such files are told from those of a running process by a lock which
// the latter hold. It returns a function that ends the sweep.
func startSweep(t *tree) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		sweepDir(ctx, t, ".")
	}()
	select {
	case <-done:
	case <-time.After(sweepWait):
	}
	return func() {
		cancel()
		<-done
	}
}

func sweepDir(ctx context.Context, t *tree, dir string) {
	d, err := t.fs.Open(t.at(dir))
	if err != nil {
		return
	}
	defer d.Close()
	var temps []string
	for ctx.Err() == nil {
		entries, err := nextEntries(d)
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			switch {
			case isTemp(e.Name()):
				temps = append(temps, name)
			case e.IsDir():
				sweepDir(ctx, t, name)
			}
		}
		if err != nil || len(entries) == 0 {
			break
		}
	}
	// Not while the directory is read: afero's file system in memory panics, and
	// holds its lock, when names go meanwhile.
	for _, name := range temps {
		if ctx.Err() == nil {
			sweepTemp(t, name)
		}
	}
}

// nextEntries reads on in a directory, without a stat per entry where it can.
func nextEntries(d afero.File) ([]fs.DirEntry, error) {
	const batch = 256
	if r, ok := d.(fs.ReadDirFile); ok {
		return r.ReadDir(batch)
	}
	infos, err := d.Readdir(batch)
	entries := make([]fs.DirEntry, len(infos))
	for i, info := range infos {
		entries[i] = fs.FileInfoToDirEntry(info)
	}
	return entries, err
}

// sweepTemp removes one leftover, if it is one.
func sweepTemp(t *tree, name string) {
	file, err := t.fs.Open(t.at(name))
	if err != nil {
		return
	}
	defer file.Close()
	free, known := tryLock(file)
	if !known {
		info, err := file.Stat()
		free = err == nil && time.Since(info.ModTime()) > staleAfter
	}
	if !free {
		return
	}
	if strings.HasSuffix(name, asideSuffix) && !moveBack(t, name) {
		return
	}
	_ = t.fs.RemoveAll(t.at(name))
}

// moveBack returns what an interrupted move or copy put aside to its place,
// unless the new tree has come there. It reports whether the directory may go.
func moveBack(t *tree, aside string) bool {
	d, err := t.fs.Open(t.at(aside))
	if err != nil {
		return false
	}
	names, err := d.Readdirnames(-1)
	if err = errors.Join(err, d.Close()); err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	for _, name := range names {
		err := t.renameNoReplace(path.Join(aside, name), path.Join(path.Dir(aside), name))
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return false
		}
	}
	return true
}
