package fsimpl

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/diff"
	"github.com/toolfacade/toolfacade/fsimpl/internal/edit"
	"github.com/toolfacade/toolfacade/fsimpl/internal/journal"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// streamedReplace is the size from which on a literal text is replaced without
// holding the file in memory.
const streamedReplace = 8 << 20

// largeReplace is the replacement of literal text in a large file, from the
// file to the temporary file that takes its place.
type largeReplace struct {
	f    *Files
	in   facade.ReplaceInput
	name string
	file afero.File
	info fs.FileInfo
	det  textenc.Detection
	at   time.Time // when info was taken
	sure bool      // a change of the file since moves its times
	old  hash.Hash
	way  *journal.Reverse
	plan edit.Plan
	show *showing
}

// large returns the work on a file that is to be streamed, nil for others. The
// caller closes its file.
func (f *Files) large(ctx context.Context, in facade.ReplaceInput) (*largeReplace, error) {
	if in.IsRegex {
		return nil, nil //nolint:nilnil // not a large one is an answer here
	}
	t, err := f.changing(ctx, "path", in.Path, true)
	if err != nil || t.slash {
		return nil, err
	}
	info, err := f.tree.lstat(t.name)
	if err != nil || !info.Mode().IsRegular() || info.Size() < streamedReplace {
		return nil, nil //nolint:nilerr,nilnil // the usual way words the error
	}
	if limit := f.opts.MaxCopyBytes; info.Size() > limit {
		return nil, facade.Errorf(facade.CodeTooLarge, "'%s' has %d bytes, the limit for this action is %d", named(t.name), info.Size(), limit).
			WithPath(shown(t.name)).WithHint("modify a range of bytes, or split the file")
	}
	return &largeReplace{f: f, in: in, name: t.name}, nil
}

// run replaces the text. It holds a few hundred KiB, whatever the file's size.
func (l *largeReplace) run(ctx context.Context) (out facade.ReplaceOutput, err error) {
	unlock, err := l.f.lock(ctx, l.name)
	if err != nil {
		return out, err
	}
	defer unlock()
	l.at = time.Now()
	if l.file, l.info, err = l.f.tree.open(l.name); err != nil {
		return out, l.f.failure("open", l.name, err)
	}
	defer l.f.closing.Go(l.close)
	l.sure = !l.in.DryRun && settle(handle(l.file))
	if err := l.detect(); err != nil {
		return out, l.f.failure("read", l.name, err)
	}
	out.Path = shown(l.name)
	put := &putStep{name: l.name, old: l.info, large: true, content: func(w io.Writer) error { return l.stream(ctx, w) }}
	put.oldHash = func() []byte { return l.old.Sum(nil) }
	put.reverse = l.reverse
	if l.in.DryRun {
		h := sha256.New()
		w := bufio.NewWriterSize(h, blockSize)
		if err = l.stream(ctx, w); err == nil {
			err = w.Flush()
		}
		if err == nil {
			out.ETag, out.DryRun = encodeETag(h), true
		}
	} else {
		x := l.f.begin(string(facade.FileReplace))
		x.addPut(put)
		if err = x.commit(ctx); err == nil {
			out.ETag = hex.EncodeToString(put.sum[:etagSize])
		}
	}
	if e, ok := errors.AsType[*facade.Error](err); ok && e.Code == facade.CodeNoMatch {
		e.WithHint("the file is too large to look for similar text; find the line with grep and read around it")
	}
	if err != nil {
		return out, l.f.failure("replace in", l.name, err)
	}
	if out.Diff, err = l.show.wait(); err != nil {
		if l.in.DryRun {
			return out, l.f.failure("compare", l.name, err)
		}
		out.Diff = "" // the change is in place: that it cannot be shown is no failure of it
	}
	out.Count, out.Strategy, out.Lines = l.plan.Count, l.plan.Matches[0].Strategy, l.plan.Matches[0].Lines
	return out, nil
}

// reverse is the way back to the old content, nil when the file may have been
// changed since it was opened: then its content has to be read again.
func (l *largeReplace) reverse() *journal.Reverse {
	if !l.sure {
		return nil
	}
	now, err := l.f.tree.lstat(l.name)
	if err != nil || !untouched(l.info, now, l.at) {
		return nil
	}
	return l.way
}

// detect looks at the start of the file.
func (l *largeReplace) detect() error {
	head := make([]byte, textenc.SampleSize)
	n, err := l.file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	l.det = textenc.Detect(head[:n])
	return nil
}

// stream writes the new content, and fails when the old one is not what the
// caller has seen: nothing is in place by then.
func (l *largeReplace) stream(ctx context.Context, w io.Writer) error {
	if _, err := l.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	l.old, l.way = sha256.New(), &journal.Reverse{}
	hashed := newAhead(l.old)
	defer hashed.close()
	s := edit.Substitution{Old: l.in.OldContent, New: l.in.NewContent, All: l.in.ReplaceAll, Expected: l.in.ExpectedCount}
	plan, err := edit.ReplaceStream(ctx, w, contextReader{ctx, l.file}, l.det, s, &edit.Options{Spliced: l.way.Add, Read: hashed.add})
	if err != nil {
		return err
	}
	hashed.close()
	if err := stale(l.in.IfMatch, l.name, &original{etag: encodeETag(l.old)}); err != nil {
		return err
	}
	l.plan = plan
	if l.det.Encoding.Name() == "utf-8" {
		l.show = showSplices(shown(l.name), l.file, l.info.Size(), plan.Splices)
	}
	return nil
}

// close closes the file after the reply: with the last handle of one that was
// replaced the system frees its memory, which takes a tenth of the whole.
func (l *largeReplace) close() {
	_, _ = l.show.wait() // it reads the file
	_ = l.file.Close()   // it was only read
}

// showing is a diff that is made while the new content gets to the disk. nil is
// an empty one.
type showing struct {
	done chan struct{}
	text string
	err  error
}

func showSplices(name string, old io.ReaderAt, size int64, splices []edit.Splice) *showing {
	s := &showing{done: make(chan struct{})}
	go func() {
		defer close(s.done)
		d, err := diff.Splices(name, name, old, size, splices, &diff.Options{MaxBytes: maxDiff})
		s.text, s.err = d.Text, err
	}()
	return s
}

func (s *showing) wait() (string, error) {
	if s == nil {
		return "", nil
	}
	<-s.done
	return s.text, s.err
}
