package rootfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/spf13/afero"
)

// DefaultMaxPath is the length of the longest name in bytes, one less than
// what Linux takes.
const DefaultMaxPath = 4095

// Options adjusts [Open]. A nil *Options means the defaults.
type Options struct {
	// StrictHardLinks refuses to open a file that has more than one hard link,
	// for reading too. Off, such files can be read but not changed in place.
	StrictHardLinks bool
	// MaxPath is the length of the longest name in bytes;
	// 0 means [DefaultMaxPath].
	MaxPath int
}

// FS is a file system confined to one directory. Its methods may be used from
// several goroutines.
//
// On Linux 5.6 and later resolution is a single openat2(2) call. Where that
// call is missing or forbidden, FS takes [os.Root] for resolution and compares
// mount ids afterwards; it is as tight and slower.
//
// On other systems FS uses [os.Root] alone, with three weaknesses. Other
// mounts below the root are told by their device number after resolution (on
// Windows not at all), so a mount made during a call is not noticed. The
// checks on kind and hard links come before RemoveAll, Chtimes and Chown
// instead of on the same handle; a swap in between cannot lead outside the
// root, but to another file within it. And RenameNoReplace is atomic for
// files only, not for directories.
//
// FS holds on to the directory, not to its name: it stays with the directory
// when that is renamed.
type FS struct {
	opts  Options
	paths []string // spellings of the root's host path, for absolute links
	self  fs.FileInfo

	mu     sync.RWMutex // held for reading by each call, so Close waits
	b      backend
	closed bool
}

var (
	_ afero.Fs        = (*FS)(nil)
	_ afero.Lstater   = (*FS)(nil)
	_ afero.Symlinker = (*FS)(nil)
)

// Open returns a file system confined to dir, an existing directory. Links in
// dir itself are followed. The errors of Open do name dir: they are for the
// host, not for a model.
func Open(dir string, opts *Options) (*FS, error) {
	return open(dir, opts, newBackend)
}

func open(dir string, opts *Options, newBackend func(*os.Root) (backend, error)) (*FS, error) {
	f := &FS{}
	if opts != nil {
		f.opts = *opts
	}
	if f.opts.MaxPath < 0 {
		return nil, fmt.Errorf("rootfs: MaxPath is negative: %w", fs.ErrInvalid)
	}
	if f.opts.MaxPath == 0 {
		f.opts.MaxPath = DefaultMaxPath
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("rootfs: %w", err)
	}
	if f.self, err = root.Stat("."); err == nil {
		f.b, err = newBackend(root)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("rootfs: %w", err), root.Close())
	}
	f.paths = spellings(dir)
	return f, nil
}

// spellings returns the absolute host paths that lead to dir.
func spellings(dir string) []string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	paths := []string{filepath.ToSlash(abs)}
	if real, err := filepath.EvalSymlinks(abs); err == nil && real != abs {
		paths = append(paths, filepath.ToSlash(real))
	}
	return paths
}

// Close releases the directory. It waits for calls that are running; later
// ones fail with [fs.ErrClosed]. Files that are open stay open.
func (f *FS) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	f.closed = true
	return f.b.close()
}

// Name returns "RootFs".
func (f *FS) Name() string { return "RootFs" }
