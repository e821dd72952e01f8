package toolfacade

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
	"github.com/toolfacade/toolfacade/fsimpl/rootfs"
	"github.com/toolfacade/toolfacade/fssync"
)

// hostPaths lists the spellings of all directories that no text for a model may
// have.
func (b *builder) hostPaths() []string {
	paths := hostPaths(b.dir)
	if b.opts.Sync != nil {
		paths = append(paths, hostPaths(b.opts.Sync.Target)...)
		slices.SortStableFunc(paths, func(a, b string) int { return len(b) - len(a) })
	}
	return paths
}

func (b *builder) sync() error {
	if b.opts.Sync == nil || b.opts.ReadOnly {
		return nil
	}
	source, target, err := pair(b.dir, b.opts.Sync.Target)
	if err != nil {
		return err
	}
	var o fssync.Options
	if b.opts.Sync.Tuning != nil {
		o = *b.opts.Sync.Tuning
	}
	o.SourceDir, o.TargetDir = source, target
	if o.Protected == nil {
		var writable []string
		if b.opts.Files != nil {
			writable = b.opts.Files.Writable
		}
		o.Protected = func(path string) bool { return fsimpl.IsProtected(path, writable...) }
	}
	if o.State == nil {
		if o.State, o.StateFile, err = memoryOf(source, target); err != nil {
			return err
		}
	}
	left, err := rootfs.Open(source, nil)
	if err != nil {
		return err
	}
	right, err := rootfs.Open(target, nil)
	if err != nil {
		return errors.Join(err, left.Close())
	}
	s, err := fssync.New(left, right, &o)
	if err != nil {
		return errors.Join(err, left.Close(), right.Close())
	}
	b.add(facade.Sync(s), left, right, s)
	return nil
}

// pair returns the real paths of two directories, neither of which may hold the
// other: a tree would be copied into itself.
func pair(source, target string) (string, string, error) {
	var dirs [2]string
	for i, dir := range []string{source, target} {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return "", "", err
		}
		if dirs[i], err = filepath.EvalSymlinks(abs); err != nil {
			return "", "", err
		}
	}
	for i := range dirs {
		if rel, err := filepath.Rel(dirs[i], dirs[1-i]); err == nil && filepath.IsLocal(rel) {
			return "", "", fmt.Errorf("toolfacade: %s cannot be synchronized with %s: one holds the other", source, target)
		}
	}
	return dirs[0], dirs[1], nil
}

// memoryOf is where the memory of a pair is kept.
func memoryOf(source, target string) (afero.Fs, string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, "", fmt.Errorf("toolfacade: no place for the memory of the sync tool: %w", err)
	}
	sum := sha256.Sum256([]byte(source + "\x00" + target))
	return afero.NewOsFs(), filepath.Join(cache, "toolfacade", "sync", hex.EncodeToString(sum[:16])+".json"), nil
}
