package docs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// Bounds of one index call.
const (
	maxIndexed = 100_000 // files
	maxSkipped = 100     // files named in a reply
	maxDeep    = 64      // directories in one another
)

// Index implements [facade.DocumentIndexer].
func (t *Tools) Index(ctx context.Context, in facade.DocumentIndexInput) (facade.DocumentIndexOutput, error) {
	in = facade.Defaulted(in)
	backends, err := t.chosen(in.StorageBackends)
	if err != nil {
		return facade.DocumentIndexOutput{}, err
	}
	names, single, err := t.files(ctx, in.Path)
	if err != nil {
		return facade.DocumentIndexOutput{}, err
	}
	job := &indexing{t: t, in: in, started: time.Now(), total: len(names), single: single}
	for _, b := range backends {
		job.results = append(job.results, &indexed{index: b, DocumentIndexed: facade.DocumentIndexed{Backend: b.Name(), Skipped: []facade.DocumentSkipped{}}})
	}
	if err := job.run(ctx, names); err != nil {
		return facade.DocumentIndexOutput{}, err
	}
	var out facade.DocumentIndexOutput
	for _, r := range job.results {
		r.DurationMS = time.Since(job.started).Milliseconds()
		out.Backends = append(out.Backends, r.DocumentIndexed)
	}
	return out, nil
}

// files lists what a path means: a file, everything below a directory, or
// what matches a glob.
func (t *Tools) files(ctx context.Context, p string) (names []string, single bool, err error) {
	name, err := t.fs.resolve(p)
	if err != nil {
		return nil, false, err
	}
	info, err := t.fs.fs.Stat(t.fs.at(name))
	switch {
	case err == nil && !info.IsDir():
		return []string{name}, true, nil
	case err == nil:
		err = t.walk(ctx, name, 0, func(n string) { names = append(names, n) })
		return names, false, err
	case !strings.ContainsAny(name, "*?[{"):
		return nil, false, t.fs.failure(name, err)
	}
	if strings.Count(name, "{") > 4 || !doublestar.ValidatePattern(name) {
		return nil, false, facade.InvalidArgument("path", "'%s' is no usable glob", p)
	}
	base, _ := doublestar.SplitPattern(name)
	err = t.walk(ctx, path.Clean(base), 0, func(n string) {
		target := n
		if !strings.Contains(name, "/") {
			target = path.Base(n)
		}
		if ok, err := doublestar.Match(name, target); ok && err == nil {
			names = append(names, n)
		}
	})
	if err == nil && len(names) == 0 {
		err = facade.Errorf(facade.CodeNotFound, "nothing matches '%s'", p).WithHint("use find of the filesystem tool to see what exists")
	}
	return names, false, err
}

// walk calls fn for the regular files below a directory, without following
// symbolic links and without the data of version control.
func (t *Tools) walk(ctx context.Context, dir string, depth int, fn func(name string)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d, err := t.fs.fs.Open(t.fs.at(dir))
	if err != nil {
		return t.fs.failure(dir, err)
	}
	defer d.Close()
	for {
		entries, err := d.Readdir(1000)
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			switch {
			case e.Mode().IsRegular():
				fn(name)
			case e.IsDir() && !strings.HasPrefix(e.Name(), ".git") && e.Name() != "node_modules" && depth < maxDeep:
				if err := t.walk(ctx, name, depth+1, fn); err != nil {
					return err
				}
			}
		}
		if errors.Is(err, io.EOF) || err == nil && len(entries) == 0 {
			return nil
		}
		if err != nil {
			return t.fs.failure(dir, err)
		}
	}
}

// indexing is the work of one call.
type indexing struct {
	t       *Tools
	in      facade.DocumentIndexInput
	started time.Time
	total   int
	single  bool

	mu      sync.Mutex
	done    int
	results []*indexed
}

type indexed struct {
	facade.DocumentIndexed
	index Index
}

// run indexes the files with several workers. The document being indexed when
// the context ends is not in the index; those before it are.
func (j *indexing) run(ctx context.Context, names []string) error {
	if len(names) > maxIndexed {
		return facade.Errorf(facade.CodeTooLarge, "there are %d files, the limit of one call is %d", len(names), maxIndexed).
			WithHint("index one directory after the other")
	}
	queue := make(chan string)
	errs := make(chan error, 1)
	var wg sync.WaitGroup
	for range min(j.t.opts.Workers, max(len(names), 1)) {
		wg.Go(func() {
			for name := range queue {
				if err := j.file(ctx, name); err != nil {
					select {
					case errs <- err:
					default:
					}
				}
			}
		})
	}
	for _, name := range names {
		if ctx.Err() != nil {
			break
		}
		queue <- name
	}
	close(queue)
	wg.Wait()
	select {
	case err := <-errs:
		return err
	default:
		return ctx.Err()
	}
}

// file indexes one file into every backend that lacks it. An error ends the
// call: of the context, or of the only file.
func (j *indexing) file(ctx context.Context, name string) error {
	shown := pathname.Escape(name)
	o, err := j.t.openDocument(ctx, name)
	if err != nil {
		return j.skip(ctx, shown, err)
	}
	defer o.Close()
	tables := j.in.ExtractTables == nil || *j.in.ExtractTables
	doc := Entry{Path: shown, Format: o.source.Format, Version: fmt.Sprintf("%s tables=%t", o.source.SHA256, tables)}
	missing := j.missing(ctx, doc)
	if len(missing) > 0 {
		p, err := j.t.parse(ctx, o, document.Request{})
		if err != nil {
			return j.skip(ctx, shown, err)
		}
		chunks := Chunks(p.Document, tables)
		for _, r := range missing {
			err := r.index.Put(ctx, doc, chunks)
			j.count(r, err, func() { r.Documents++; r.Chunks += len(chunks) })
		}
	}
	j.progress(ctx, shown)
	return ctx.Err()
}

// missing returns the backends that lack the document.
func (j *indexing) missing(ctx context.Context, doc Entry) []*indexed {
	var missing []*indexed
	for _, r := range j.results {
		has, err := r.index.Has(ctx, doc)
		if err == nil && !has {
			missing = append(missing, r)
			continue
		}
		j.count(r, err, func() { r.Unchanged++ })
	}
	return missing
}

func (j *indexing) count(r *indexed, err error, add func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err == nil {
		add()
		return
	}
	if r.Error == nil {
		code := facade.CodeOf(err)
		if code == facade.CodeInternal {
			code = facade.CodeIO
		}
		r.Error = facade.Errorf(code, "the storage backend %s failed: %w", r.Backend, err).WithHint("call index again; what is stored already is kept")
	}
}

// skip notes a file that cannot be indexed; the only file of a call fails it.
func (j *indexing) skip(ctx context.Context, shown string, err error) error {
	if j.single || ctx.Err() != nil {
		return err
	}
	reason := err.Error()
	if e, ok := errors.AsType[*facade.Error](err); ok {
		reason = e.Message
	}
	j.mu.Lock()
	for _, r := range j.results {
		switch n := len(r.Skipped); {
		case n < maxSkipped:
			r.Skipped = append(r.Skipped, facade.DocumentSkipped{Path: shown, Reason: reason})
		case n == maxSkipped:
			r.Skipped = append(r.Skipped, facade.DocumentSkipped{Path: ".", Reason: "more files were skipped"})
		}
	}
	j.mu.Unlock()
	j.progress(ctx, shown)
	return nil
}

func (j *indexing) progress(ctx context.Context, shown string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done++
	facade.Emit(ctx, facade.Event{Type: facade.EventProgress, Path: shown, Current: int64(j.done), Total: int64(j.total), Message: "indexed"})
}
