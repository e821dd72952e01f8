package fsimpl

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/journal"
)

// putStep gives a file its new content, whole, by renaming a temporary file
// over it.
type putStep struct {
	name string
	// old describes the file to replace; nil makes a new one, and somebody
	// else's file in its place is an error.
	old fs.FileInfo
	// before is the content of old, if it is in memory.
	before []byte
	known  bool
	// perm are the permissions of a new file, before the umask.
	perm fs.FileMode
	// mode are permissions that the file gets whatever it had; 0 for none.
	mode fs.FileMode
	// data is the new content; nil when content writes it.
	data    *hashed
	content func(w io.Writer) error
	// oldHash returns the hash of the content of old, once content has been
	// called; nil when it is not known.
	oldHash func() []byte
	// reverse returns the way back to the content of old, once content has been
	// called; nil when it is not known.
	reverse func() *journal.Reverse
	// large has the content hashed while more of it is made.
	large bool

	sum    []byte // the hash of the new content, once staged
	size   int64
	file   afero.File // the temporary file, open while it is in flight
	temp   string
	backup string // a copy of the old content, when the step may have to be reverted
}

// writebackSize is how much of a large file the disk is told to write at a time.
const writebackSize = 8 << 20

// etagSize is how many bytes of a hash make an etag.
const etagSize = 16

func encodeETag(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:etagSize]) }

// etagOf is the hash of a whole file's bytes that if_match compares: half of a
// SHA-256, enough that no two contents are ever taken for one.
func etagOf(data []byte) string { return hashOf(data).etag() }

// hashed is the whole content of a file with its hash, which is taken once.
type hashed struct {
	data []byte
	sum  [sha256.Size]byte
}

func hashOf(data []byte) *hashed { return &hashed{data, sha256.Sum256(data)} }

func (h *hashed) etag() string { return hex.EncodeToString(h.sum[:etagSize]) }

func (s *putStep) stage(t *tree, several bool) error {
	if several && s.old != nil {
		backup, err := t.copyAside(s.name, s.old)
		s.backup = backup
		if err != nil {
			return err
		}
	}
	var err error
	if s.file, s.temp, err = t.newTemp(path.Dir(s.name), s.old, s.perm); err != nil {
		return err
	}
	if err := s.write(t); err != nil {
		return err
	}
	if err := t.finish(s.file, s.name, s.temp, s.old); err != nil || s.mode == 0 {
		return err
	}
	return t.fs.Chmod(t.at(s.temp), s.mode.Perm())
}

// write fills the temporary file.
func (s *putStep) write(t *tree) error {
	if s.data == nil {
		h := sha256.New()
		err := s.stream(t, h)
		s.sum = h.Sum(nil)
		return err
	}
	s.size, s.sum = int64(len(s.data.data)), s.data.sum[:]
	if s.size == 0 {
		return nil
	}
	_, err := (&countingWriter{w: s.file}).Write(s.data.data)
	return err
}

// stream fills the temporary file with what content writes, and hashes it.
func (s *putStep) stream(t *tree, h hash.Hash) error {
	if s.large {
		return s.streamLarge(t, h)
	}
	counted := &countingWriter{w: io.MultiWriter(s.file, h)}
	buffered := bufio.NewWriterSize(counted, blockSize)
	if err := s.content(buffered); err != nil {
		return err
	}
	err := buffered.Flush()
	s.size = counted.n
	return err
}

// streamLarge is stream for content that takes a while: it is made, hashed and
// brought to the disk at the same time.
func (s *putStep) streamLarge(t *tree, h hash.Hash) error {
	var file io.Writer = s.file
	if f := handle(s.file); f != nil && t.sync {
		file = &earlyWriter{w: s.file, f: f}
	}
	counted := &countingWriter{w: file}
	hashed := newAhead(h)
	defer hashed.close()
	w := &hashedWriter{w: counted, hash: hashed}
	err := s.content(w)
	if err == nil {
		err = w.flush()
	}
	s.size = counted.n
	return err
}

// earlyWriter has the disk work while more of a file is made: less is left for
// the sync to wait for.
type earlyWriter struct {
	w           io.Writer
	f           *os.File
	at, started int64 // written in all, and how much of it the disk was told of
}

// Write implements [io.Writer].
func (e *earlyWriter) Write(p []byte) (int, error) {
	n, err := e.w.Write(p)
	e.at += int64(n)
	if e.at-e.started >= writebackSize {
		startWriteback(e.f, e.started, e.at-e.started)
		e.started = e.at
	}
	return n, err
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return n, err
}

// newTemp makes the temporary file. Where it will replace a file it is private
// until it has that one's permissions.
func (t *tree) newTemp(dir string, old fs.FileInfo, perm fs.FileMode) (afero.File, string, error) {
	if old != nil {
		perm = 0o600
	}
	for {
		name := tempName(dir)
		file, err := t.fs.OpenFile(t.at(name), os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if err != nil {
			return nil, name, err
		}
		if t.claim(file, name) {
			return file, name, nil
		}
		_ = file.Close() // a sweep has removed it, or is about to
	}
}

// claim locks a new temporary file or directory, which tells the sweeps of
// other processes that it is in flight. It reports false where a sweep came
// between its making and the lock. Where there are no locks, sweeps go by age.
func (t *tree) claim(file afero.File, name string) bool {
	got, known := tryLock(file)
	if !known || handle(file) == nil {
		return true
	}
	if !got {
		return false
	}
	_, err := t.lstat(name)
	return err == nil
}

// finish gives the temporary file the attributes of the old one and makes its
// content durable.
func (t *tree) finish(file afero.File, name, temp string, old fs.FileInfo) error {
	if old != nil {
		if err := t.copyAttributes(name, temp, file, old); err != nil {
			return err
		}
	}
	if t.sync {
		return file.Sync()
	}
	return nil
}

func (t *tree) copyAttributes(name, temp string, file afero.File, old fs.FileInfo) error {
	c, ok := t.fs.(attributeCopier)
	to := handle(file)
	if !ok || to == nil {
		return t.fs.Chmod(t.at(temp), old.Mode().Perm())
	}
	from, _, err := t.open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	_, err = c.CopyAttributes(handle(from), to)
	return err
}

// copyAside copies a file with its attributes to a temporary name beside it.
func (t *tree) copyAside(name string, info fs.FileInfo) (string, error) {
	if info.Size() > DefaultMaxCopyBytes {
		return "", facade.Errorf(facade.CodeTooLarge, "'%s' has %d bytes, too many to keep a copy while it is replaced", named(name), info.Size()).
			WithPath(shown(name)).WithHint("delete it first, in a call of its own")
	}
	from, _, err := t.open(name)
	if err != nil {
		return "", err
	}
	defer from.Close()
	file, temp, err := t.newTemp(path.Dir(name), info, 0)
	if err != nil {
		return "", err
	}
	if _, err = io.Copy(file, from); err == nil {
		err = t.finish(file, name, temp, info)
	}
	return temp, errors.Join(err, file.Close())
}

func (s *putStep) apply(t *tree) error {
	if runtime.GOOS == "windows" { // which does not rename open files
		if err := s.close(); err != nil {
			return err
		}
	}
	if s.old == nil {
		return t.renameNoReplace(s.temp, s.name)
	}
	return t.rename(s.temp, s.name)
}

func (s *putStep) revert(t *tree) error {
	switch {
	case s.old == nil:
		return t.fs.Remove(t.at(s.name))
	case s.backup != "":
		return t.rename(s.backup, s.name)
	case !s.known:
		return errors.New("the new content is in place but may not survive a power failure")
	}
	return s.putBack(t)
}

// putBack writes the old content again. The file has the old one's attributes
// already.
func (s *putStep) putBack(t *tree) error {
	file, temp, err := t.newTemp(path.Dir(s.name), s.old, 0)
	if err != nil {
		return err
	}
	if _, err = file.Write(s.before); err == nil {
		err = t.finish(file, s.name, temp, s.old)
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = t.rename(temp, s.name)
	}
	if err != nil {
		err = errors.Join(err, t.fs.Remove(t.at(temp)))
	}
	return err
}

func (s *putStep) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.file = nil
	return err
}

func (s *putStep) cleanup(t *tree, applied bool) error {
	err := s.close()
	if !applied && s.temp != "" {
		err = errors.Join(err, t.fs.Remove(t.at(s.temp)))
	}
	if s.backup != "" {
		err = errors.Join(err, t.fs.Remove(t.at(s.backup)))
	}
	return err
}
