package journal

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// maxReverse is the size in bytes of the largest way back that is held. With
// a longer one the old content is kept whole.
const maxReverse = 4 << 20

// Reverse is the way back from the new content of a file to the old one: what
// has to be put back where. For a few places in a large file it is much
// smaller than the file. It leads only from exactly the new content, which is
// what undo asks for anyway. The zero value is that of no difference.
type Reverse struct {
	b    []byte
	at   int64 // in the old content, behind the last place
	long bool
}

// Add notes that new, which is put in for old, the bytes of the old content at
// start. Places come in order and do not overlap.
func (r *Reverse) Add(start int64, old, new []byte) {
	if r.long || len(r.b)+len(old) > maxReverse {
		r.b, r.long = nil, true
		return
	}
	r.b = binary.AppendUvarint(r.b, uint64(start-r.at)) // never negative: places come in order
	r.b = binary.AppendUvarint(r.b, uint64(len(new)))
	r.b = binary.AppendUvarint(r.b, uint64(len(old)))
	r.b = append(r.b, old...)
	r.at = start + int64(len(old))
}

// reverseKey names the way from one content back to another in a store.
func reverseKey(before, after State) string { return before.Hash + "-" + after.Hash }

// hasReverse reports whether there may be a way from one state back to the
// other.
func hasReverse(before, after State) bool {
	return before.Kind == Regular && after.Kind == Regular && before.Hash != "" && after.Hash != ""
}

// keepBefore makes sure that the old content of a change can be brought back.
func (j *Journal) keepBefore(ctx context.Context, tree Tree, c *Change) error {
	if c.Reverse == nil || c.Reverse.long || !hasReverse(c.Before, c.After) {
		return j.keep(ctx, tree, c.Path, c.Before.Hash)
	}
	if j.store.secure(ctx, c.Before.Hash) {
		return nil
	}
	if err := j.store.putReverse(reverseKey(c.Before, c.After), c.Reverse.b); err != nil {
		return fmt.Errorf("keep the way back in the journal: %w", err)
	}
	j.mu.Lock()
	j.added += int64(len(c.Reverse.b))
	j.mu.Unlock()
	return nil
}

// kept opens what is kept of a state's content: all of it, or else the way to
// it from the content of another state.
func (j *Journal) kept(path string, s, from State) (r io.ReadCloser, way bool, err error) {
	r, err = j.content(s.Hash, path)
	if facade.CodeOf(err) != facade.CodeNotFound || !hasReverse(s, from) {
		return r, false, err
	}
	back, werr := j.store.get(reverseKey(s, from))
	if errors.Is(werr, fs.ErrNotExist) {
		return nil, false, err
	}
	return back, true, werr
}

// former opens the content of a state: what is kept, or else what comes of
// the content that stands at path now.
func (j *Journal) former(ctx context.Context, tree Tree, path string, s, now State) (io.ReadCloser, error) {
	r, way, err := j.kept(path, s, now)
	if err != nil {
		return nil, err
	}
	if !way { // a power failure may have cut it
		damaged := facade.Errorf(facade.CodeIO, "the journal's copy of %s is damaged", pathname.Line(path)).WithPath(pathname.Escape(path)).
			WithHint("the file has to be restored from elsewhere")
		return &verified{r, sha256.New(), s.Hash, damaged}, nil
	}
	b, err := io.ReadAll(io.LimitReader(r, 2*maxReverse))
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, err
	}
	base, err := tree.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	old := &backward{way: bytes.NewReader(b), base: base, from: bufio.NewReaderSize(base, 64<<10), left: -1}
	changed := facade.Errorf(facade.CodeStale, "%s changed while it was read", pathname.Line(path)).WithPath(pathname.Escape(path))
	return &verified{old, sha256.New(), s.Hash, changed}, nil
}

// verified reads content whose end is an error where it is not what its hash
// says.
type verified struct {
	io.ReadCloser
	sum   hash.Hash
	want  string
	wrong error
}

// Read implements [io.Reader].
func (v *verified) Read(p []byte) (int, error) {
	n, err := v.ReadCloser.Read(p)
	_, _ = v.sum.Write(p[:n]) // a hash takes everything
	if errors.Is(err, io.EOF) && hex.EncodeToString(v.sum.Sum(nil)) != v.want {
		err = v.wrong
	}
	return n, err
}

// backward reads the old content, made of the new one and the way back.
type backward struct {
	way  *bytes.Reader
	base io.Closer // nil once closed
	from *bufio.Reader
	left int64     // bytes to take over before the next place; -1 when not known
	put  io.Reader // what the place gets, nil before it
	skip int64
}

// Read implements [io.Reader]. At the end the file is closed, since it is about
// to be replaced.
func (b *backward) Read(p []byte) (int, error) {
	for {
		n, err := b.some(p)
		if errors.Is(err, io.EOF) {
			return n, cmp.Or(b.Close(), io.EOF)
		}
		if n > 0 || err != nil || len(p) == 0 {
			return n, err
		}
	}
}

// some reads from the part that comes next.
func (b *backward) some(p []byte) (int, error) {
	if b.put != nil {
		n, err := b.put.Read(p)
		if !errors.Is(err, io.EOF) {
			return n, err
		}
		b.put, b.left = nil, -1
		_, err = io.CopyN(io.Discard, b.from, b.skip)
		return n, unexpected(err)
	}
	if b.left < 0 {
		if b.way.Len() == 0 {
			return b.from.Read(p)
		}
		if err := b.next(); err != nil {
			return 0, err
		}
	}
	if b.left > 0 {
		n, err := b.from.Read(p[:min(int64(len(p)), b.left)])
		b.left -= int64(n)
		return n, unexpected(err)
	}
	return 0, b.place()
}

// next reads how far it is to the next place.
func (b *backward) next() error {
	left, err := binary.ReadUvarint(b.way)
	if b.left = int64(left); err != nil || b.left < 0 {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// place reads what the place holds now and what it gets.
func (b *backward) place() error {
	skip, err := binary.ReadUvarint(b.way)
	length, err2 := binary.ReadUvarint(b.way)
	b.skip = int64(skip)
	if errors.Join(err, err2) != nil || b.skip < 0 || length > uint64(b.way.Len()) {
		return io.ErrUnexpectedEOF
	}
	old := make([]byte, length)
	_, err = io.ReadFull(b.way, old)
	b.put = bytes.NewReader(old)
	return unexpected(err)
}

// unexpected is the error for an end that comes too early.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Close implements [io.Closer].
func (b *backward) Close() error {
	if b.base == nil {
		return nil
	}
	err := b.base.Close()
	b.base = nil
	return err
}
