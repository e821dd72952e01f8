package fssync

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/spf13/afero"
)

// side is one of the two trees. Paths are relative and '/'-separated.
type side struct {
	fs     afero.Fs
	name   string // "source" or "target", for messages
	prefix string // "/" for file systems that want absolute names
	known  map[string]seen
}

// seen is a file whose hash is known.
type seen struct {
	size    int64
	changed time.Time
	at      time.Time // when it was read
	sum     string
}

// settled is how old a change must have been when a file was read, for its size
// and time to tell whether it has changed since: clocks of file systems are
// coarse.
const settled = 2 * time.Second

// relativeFs has names relative to its root, as file systems that are confined.
type relativeFs interface {
	OpenRegular(name string, flag int, perm fs.FileMode) (*os.File, fs.FileInfo, error)
}

func newSide(name string, fsys afero.Fs) *side {
	s := &side{fs: fsys, name: name, prefix: "/", known: map[string]seen{}}
	if _, ok := fsys.(relativeFs); ok {
		s.prefix = ""
	}
	return s
}

func (s *side) at(p string) string {
	if p == "." && s.prefix != "" {
		return s.prefix
	}
	return s.prefix + p
}

// tree is what a side holds.
type tree struct {
	files map[string]string // hash by path
	odd   map[string]string // what stands at a path instead of a file: "a directory", "a link"
	temps []string          // left by a crash
}

// scan reads the whole side. skip tells what is left out.
func (s *side) scan(ctx context.Context, skip func(string) bool) (*tree, error) {
	t := &tree{files: map[string]string{}, odd: map[string]string{}}
	return t, s.walk(ctx, ".", func(p string, info fs.FileInfo) (bool, error) {
		switch {
		case strings.HasPrefix(info.Name(), tempPrefix):
			t.temps = append(t.temps, p)
			return false, nil
		case skip(p):
			return false, nil
		case info.IsDir():
			t.odd[p] = "a directory"
			return true, nil
		case !info.Mode().IsRegular():
			t.odd[p] = "no regular file"
			return false, nil
		}
		sum, err := s.sum(ctx, p, info)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil // deleted meanwhile
		}
		t.files[p] = sum
		return false, err
	})
}

// walk visits everything below dir; visit says whether to enter a directory.
func (s *side) walk(ctx context.Context, dir string, visit func(string, fs.FileInfo) (bool, error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f, err := s.fs.Open(s.at(dir))
	if err != nil {
		if dir != "." && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return fmt.Errorf("%s: %w", s.name, err)
	}
	entries, err := f.Readdir(-1)
	err = errors.Join(err, f.Close())
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	for _, info := range entries {
		p := path.Join(dir, info.Name())
		enter, err := visit(p, info)
		if err == nil && enter {
			err = s.walk(ctx, p, visit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sum returns the hash of a file, from memory where that is safe.
func (s *side) sum(ctx context.Context, p string, info fs.FileInfo) (string, error) {
	k, ok := s.known[p]
	if ok && k.size == info.Size() && k.changed.Equal(info.ModTime()) && k.at.Sub(k.changed) > settled {
		return k.sum, nil
	}
	now := time.Now()
	sum, err := s.read(ctx, p, io.Discard)
	if err != nil {
		return "", err
	}
	s.known[p] = seen{info.Size(), info.ModTime(), now, sum}
	return sum, nil
}

// read copies a file to w and returns its hash. An absent file has "".
func (s *side) read(ctx context.Context, p string, w io.Writer) (string, error) {
	f, err := s.fs.Open(s.at(p))
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.name, err)
	}
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(h, w), reader{ctx, f})
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("%s: %s: %w", s.name, p, err)
	}
	return digest(h), nil
}

func digest(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// current is the hash of what stands at a path now, whatever is remembered: ""
// for nothing.
func (s *side) current(ctx context.Context, p string) (string, error) {
	info, err := lstat(s.fs, s.at(p))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("%s: %w", s.name, err)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s: %s is no regular file any more", s.name, p)
	}
	return s.read(ctx, p, io.Discard)
}

func lstat(fsys afero.Fs, name string) (fs.FileInfo, error) {
	if l, ok := fsys.(afero.Lstater); ok {
		info, _, err := l.LstatIfPossible(name)
		return info, err
	}
	return fsys.Stat(name)
}

// syncDir makes renames in a directory durable, where the file system can.
func (s *side) syncDir(dir string) {
	if d, err := s.fs.Open(s.at(dir)); err == nil {
		_ = d.Sync() // some systems cannot; the rename is atomic all the same
		_ = d.Close()
	}
}

// reader stops reading when the context ends.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}
