package fsimpl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/journal"
)

// maxJournaled is the size of a file beyond which its old content is not kept,
// and not even read: it can be changed, but not brought back by undo.
const maxJournaled = 256 << 20

// openJournal returns the journal of a tree: in the directory that the options
// name, by default one of the user's cache, or in memory where there is no such
// place outside the tree.
func openJournal(t *tree, opts Options) (*journal.Journal, error) {
	o := &journal.Options{MaxAge: opts.Journal.MaxAge, MaxBytes: opts.Journal.MaxBytes, MaxFile: maxJournaled, NoSync: opts.NoSync}
	dir := opts.Journal.Dir
	if dir == "" && len(t.host) > 0 && !opts.Journal.InMemory {
		if cache, err := os.UserCacheDir(); err == nil {
			sum := sha256.Sum256([]byte(t.host[len(t.host)-1]))
			dir = filepath.Join(cache, "toolfacade", "journal", hex.EncodeToString(sum[:12]))
		}
	}
	if dir == "" || t.holds(dir) {
		return journal.NewMemory(o), nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		if opts.Journal.Dir == "" {
			return journal.NewMemory(o), nil // no cache to write to, as in some containers
		}
		return nil, err
	}
	return journal.Open(dir, o)
}

// holds reports whether a host directory is inside the tree, where a model
// could reach it.
func (t *tree) holds(dir string) bool {
	for _, p := range hostPaths(filepath.Dir(dir)) {
		for _, root := range t.host {
			if p == root || strings.HasPrefix(p, strings.TrimSuffix(root, "/")+"/") {
				return true
			}
		}
	}
	return false
}

// journaled is the tree as the journal sees it. What it changes is not
// journaled again.
type journaled struct{ f *Files }

var _ journal.Tree = journaled{}

// State implements [journal.Tree].
func (j journaled) State(ctx context.Context, name string) (journal.State, error) {
	info, err := j.f.tree.lstat(name)
	if facade.CodeOf(err) == facade.CodeNotFound || facade.CodeOf(err) == facade.CodeNotDirectory {
		return journal.State{Kind: journal.Absent}, nil
	}
	if err != nil {
		return journal.State{}, err
	}
	return j.f.stateOf(ctx, name, info)
}

// stateOf describes what stands at a name. A file too large for the journal has
// no hash.
func (f *Files) stateOf(ctx context.Context, name string, info fs.FileInfo) (journal.State, error) {
	switch {
	case info.IsDir():
		return journal.State{Kind: journal.Directory, Mode: info.Mode().Perm()}, nil
	case info.Mode()&fs.ModeSymlink != 0:
		link, err := f.tree.readlink(name)
		if facade.CodeOf(err) == facade.CodeOutsideRoot {
			link, err = "", nil // a link out of the root has no target here, but it is no obstacle
		}
		return journal.State{Kind: journal.Symlink, Target: link}, err
	}
	file, info, err := f.tree.open(name)
	if err != nil {
		return journal.State{}, err
	}
	defer file.Close()
	if info.Size() > f.journal.MaxFile() { // its content is not kept, and hashing it may take for ever
		return journal.State{Kind: journal.Regular, Mode: info.Mode().Perm(), Size: info.Size()}, nil
	}
	hash := sha256.New()
	n, err := io.Copy(hash, contextReader{ctx, file})
	return journal.State{Kind: journal.Regular, Mode: info.Mode().Perm(), Size: n, Hash: hex.EncodeToString(hash.Sum(nil))}, err
}

// contextReader reads until its context ends.
type contextReader struct {
	ctx context.Context //nolint:containedctx // a reader takes none
	r   io.Reader
}

// Read implements io.Reader.
func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// Open implements [journal.Tree].
func (j journaled) Open(_ context.Context, name string) (io.ReadCloser, error) {
	file, _, err := j.f.tree.open(name)
	return file, err
}

// Restore implements [journal.Tree].
func (j journaled) Restore(ctx context.Context, name string, s journal.State, content io.Reader) error {
	x := j.f.begin("")
	there, err := j.f.tree.lstat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	exists := err == nil
	switch s.Kind {
	case journal.Directory:
		if !exists {
			x.add(&mkdirStep{name: name}, facade.Event{Type: facade.EventDirectoryCreated, Path: shown(name)}, parent(name))
		}
	case journal.Regular:
		put := &putStep{name: name, perm: s.Mode, mode: s.Mode, content: func(w io.Writer) error {
			_, err := io.Copy(w, content)
			return err
		}}
		if exists {
			put.old = there
		}
		x.addPut(put)
	case journal.Symlink:
		return j.f.tree.symlink(s.Target, name)
	case journal.Absent:
		if !exists {
			return nil
		}
		if err := j.f.deletable(x, name, false, false); err != nil {
			return err
		}
	}
	if err := x.commit(ctx); err != nil {
		return err
	}
	if s.Kind == journal.Directory {
		err := j.f.tree.fs.Chmod(j.f.tree.at(name), s.Mode)
		if err != nil && !exists {
			err = errors.Join(err, j.f.tree.fs.Remove(j.f.tree.at(name)))
		}
		return err
	}
	return nil
}

// Move implements [journal.Tree].
func (j journaled) Move(ctx context.Context, from, to string) error {
	x := j.f.begin("")
	x.add(&moveStep{from: from, to: to},
		facade.Event{Type: facade.EventFileCreated, Path: shown(to), OldPath: shown(from)}, parent(from), parent(to))
	x.events = append(x.events, facade.Event{Type: facade.EventFileDeleted, Path: shown(from)})
	return x.commit(ctx)
}
