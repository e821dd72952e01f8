package gitimpl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// staged is what the index holds that HEAD does not: a path and what
// identifies its state.
type staged map[string]string

// stagedNow reads it, for some paths or, without any, for all.
func (r *repo) stagedNow(ctx context.Context, paths []relPath) (staged, error) {
	const mostPaths = 500 // more are not worth passing on: all are read
	if len(paths) > mostPaths {
		paths = nil
	}
	list := staged{}
	err := r.git("diff", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--ignore-submodules=dirty").
		paths(paths).stream(ctx, func(out *bufio.Reader) error {
		for {
			state, err := field(out)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			id := string(state)
			name, err := field(out)
			if err != nil {
				return errField
			}
			list[string(name)] += id // an unmerged file has two records
		}
	})
	return list, r.explain(err)
}

// changedSince lists the paths whose entry differs from before, in order.
func (s staged) changedSince(before staged) []string {
	all := maps.Clone(before)
	maps.Copy(all, s)
	var list []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if before[name] != s[name] {
			list = append(list, shown([]byte(name)))
		}
	}
	return list
}

// known reports for each path whether the index, or the given commit, has it
// or something below it.
func (r *repo) known(ctx context.Context, paths []relPath, commit oid) ([]bool, error) {
	found := make([]bool, len(paths))
	outs := make([][]byte, 0, 2)
	out, err := r.git("ls-files", "-z", "--cached").paths(paths).output(ctx)
	if err != nil {
		return nil, r.explain(err)
	}
	outs = append(outs, out)
	if commit != "" {
		if out, err = r.git("ls-tree", "-r", "-z", "--name-only", "--full-tree").oids(commit).paths(paths).output(ctx); err != nil {
			return nil, r.explain(err)
		}
		outs = append(outs, out)
	}
	for i, p := range paths {
		found[i] = p == "." || slices.ContainsFunc(outs, func(out []byte) bool { return lists(out, string(p)) })
	}
	return found, nil
}

// lists reports whether a NUL-terminated list has name or something below it.
func lists(out []byte, name string) bool {
	out = append([]byte{0}, out...)
	return bytes.Contains(out, []byte("\x00"+name+"\x00")) || bytes.Contains(out, []byte("\x00"+name+"/"))
}

// missing picks the paths that neither the work tree nor the index, nor the
// commit, has.
func (r *repo) missing(ctx context.Context, paths []relPath, inTree bool, commit oid) ([]relPath, error) {
	var absent []relPath
	for _, p := range paths {
		if !inTree || !r.exists(p) {
			absent = append(absent, p)
		}
	}
	if len(absent) == 0 {
		return nil, nil
	}
	found, err := r.known(ctx, absent, commit)
	if err != nil {
		return nil, err
	}
	var list []relPath
	for i, p := range absent {
		if !found[i] {
			list = append(list, p)
		}
	}
	return list, nil
}

// exists reports whether the work tree has p. Links in it are not followed out
// of the tree.
func (r *repo) exists(p relPath) bool {
	root, err := os.OpenRoot(r.top)
	if err != nil {
		return false
	}
	defer func() { _ = root.Close() }()
	_, err = root.Lstat(filepath.FromSlash(string(p)))
	return err == nil
}

// pathError reports paths that do not exist, with the nearest names that do.
func (r *repo) pathError(ctx context.Context, field string, absent []relPath) *facade.Error {
	list := encodeAll(absent)
	e := fail(facade.CodeNotFound, ErrPathNotFound, "no such file in the repository: %s", strings.Join(list, ", ")).WithPath(list[0])
	e.Field = field
	if out, err := r.git("ls-files", "-z", "--cached", "--others", "--exclude-standard").output(ctx); err == nil {
		all := names(out)
		e.Hint = nearestFile(list[0], all)
		if slices.Contains(all, list[0]) {
			e.Message = "git does not track " + list[0]
			e.Hint = "it is in the work tree only: stage it first"
		}
	}
	if hint := patternHint(list[0]); hint != "" {
		e.Hint = hint
	}
	return e
}

// nearestPath prefers a file of the same base name in another directory.
func nearestPath(path string, all []string) string {
	base := path[strings.LastIndexByte(path, '/')+1:]
	for _, p := range all {
		if p == base || strings.HasSuffix(p, "/"+base) {
			return p
		}
	}
	const tooMany = 5000
	if len(all) > tooMany {
		return ""
	}
	return facade.Nearest(path, all)
}

// snapshot copies the index and returns what puts the copy back. It goes by
// git's own protocol: whoever creates index.lock may replace the index.
func (r *repo) snapshot() (restore func() error, err error) {
	index := filepath.Join(r.gitDir, "index")
	content, err := os.ReadFile(index)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fail(facade.CodeOf(err), err, "the index cannot be read")
	}
	had := err == nil
	return func() error {
		const (
			tries = 50
			pause = 20 * time.Millisecond
			mode  = 0o666
		)
		lock := index + ".lock"
		for range tries {
			f, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
			if errors.Is(err, fs.ErrExist) {
				time.Sleep(pause)
				continue
			}
			if err != nil {
				return fmt.Errorf("restore the index: %w", err)
			}
			_, err = f.Write(content)
			err = errors.Join(err, f.Close())
			if err == nil && had {
				return os.Rename(lock, index)
			}
			if err == nil {
				err = os.Remove(index)
			}
			return errors.Join(err, os.Remove(lock))
		}
		return fmt.Errorf("restore the index: %w", ErrLocked)
	}, nil
}
