package docs

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// maxSkipped is how many files a reply names that were not indexed.
const maxSkipped = 100

// chunking is part of every version in an index: another number has all
// documents indexed again, after a change of what chunks look like.
const chunking = 2

// Index implements [facade.DocumentIndexer]. Documents are parsed by several
// workers and stored in batches; those whose content is stored already are
// skipped, so that a call goes on where an earlier one broke off. Documents
// that are gone from the directory are removed from the index.
func (t *Tools) Index(ctx context.Context, in facade.DocumentIndexInput) (facade.DocumentIndexOutput, error) {
	in = facade.Defaulted(in)
	backends, err := t.chosen(in.StorageBackends)
	if err != nil {
		return facade.DocumentIndexOutput{}, err
	}
	files, err := t.collect(ctx, in.Path)
	if err != nil {
		return facade.DocumentIndexOutput{}, err
	}
	job := &indexing{t: t, in: in, started: time.Now(), files: files}
	for _, b := range backends {
		job.results = append(job.results, newStoring(ctx, b, files))
	}
	err = job.run(ctx)
	var out facade.DocumentIndexOutput
	for _, r := range job.results {
		r.finish(ctx, err == nil)
		r.DurationMS = time.Since(job.started).Milliseconds()
		out.Backends = append(out.Backends, r.DocumentIndexed)
	}
	if err != nil {
		return facade.DocumentIndexOutput{}, err
	}
	for _, note := range job.notes {
		out.AddNote(note)
	}
	return out, nil
}

// indexing is the work of one call.
type indexing struct {
	t       *Tools
	in      facade.DocumentIndexInput
	started time.Time
	files   *selection
	results []*storing

	mu    sync.Mutex
	done  int
	notes []string
}

// run indexes the files with several workers. What was parsed before the
// context ends is stored.
func (j *indexing) run(ctx context.Context) error {
	for dir, why := range j.files.failed {
		j.skipped(dir, why)
	}
	queue := make(chan string)
	errs := make(chan error, 1)
	var wg sync.WaitGroup
	for range min(j.t.opts.Workers, max(len(j.files.names), 1)) {
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
	for _, name := range j.files.names {
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
	defer j.progress(ctx, shown)
	o, err := j.t.openIndexed(ctx, name, j.in.ExtractImages)
	if err != nil {
		return j.skip(ctx, shown, err)
	}
	defer o.Close()
	doc := Entry{Path: shown, Format: o.source.Format, Version: j.version(o.source.SHA256)}
	var missing []*storing
	for _, r := range j.results {
		if r.lacks(doc) {
			missing = append(missing, r)
		}
	}
	if len(missing) == 0 {
		return ctx.Err()
	}
	chunks, whole, err := j.chunks(ctx, o)
	if err != nil {
		return j.skip(ctx, shown, err)
	}
	if !whole {
		doc.Version += unread
	}
	for _, r := range missing {
		if whole || r.lacks(doc) {
			r.queue <- Indexed{doc, chunks}
		}
	}
	return ctx.Err()
}

// unread ends the version of a document some of whose text is in images that
// no engine has read: the next call tries again.
const unread = " unread"

// version tells apart what one content can become in an index.
func (j *indexing) version(hash string) string {
	v := fmt.Sprintf("%d %s tables=%t images=%t", chunking, hash, *j.in.ExtractTables, j.in.ExtractImages)
	if e := j.t.opts.Embedder; e != nil {
		v += " vectors=" + e.Name()
	}
	return v
}

// chunks parses a document and cuts it into pieces. It reports whether they
// have all of its text: that of images may need an engine that is missing.
func (j *indexing) chunks(ctx context.Context, o *opened) (chunks []Chunk, whole bool, err error) {
	p, err := j.t.parse(ctx, o, document.Request{Images: j.in.ExtractImages})
	if err != nil {
		return nil, false, err
	}
	whole = true
	for _, w := range p.Warnings {
		if w.Code == document.WarnNoText {
			if whole {
				j.note(o.source.Path + " is not wholly in the index: " + w.Message)
			}
			whole = false
		}
	}
	if j.in.ExtractImages {
		if err := j.t.recognizeImages(ctx, p.Document); err != nil {
			if ctx.Err() != nil {
				return nil, false, ctx.Err()
			}
			j.note("the text of images is not in the index: " + document.Reason(err))
			whole = false
		}
	}
	chunks = Chunks(p.Document, *j.in.ExtractTables)
	return chunks, whole, j.t.embed(ctx, chunks)
}

// note keeps a remark for the reply, once.
func (j *indexing) note(text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !slices.Contains(j.notes, text) && len(j.notes) < 10 {
		j.notes = append(j.notes, text)
	}
}

// skip notes a file that cannot be indexed; the only file of a call fails it.
func (j *indexing) skip(ctx context.Context, shown string, err error) error {
	if j.files.single || ctx.Err() != nil {
		return err
	}
	j.skipped(shown, reason(err))
	return nil
}

func (j *indexing) skipped(shown, why string) {
	for _, r := range j.results {
		r.skip(shown, why)
	}
}

func (j *indexing) progress(ctx context.Context, shown string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done++
	facade.Emit(ctx, facade.Event{Type: facade.EventProgress, Path: shown, Current: int64(j.done), Total: int64(len(j.files.names)), Message: "indexed"})
}

// embedded is how many texts one call of an embedder gets.
const embedded = 64

// embed gives chunks their vectors, when the host has an embedder.
func (t *Tools) embed(ctx context.Context, chunks []Chunk) error {
	if t.opts.Embedder == nil {
		return nil
	}
	for part := range slices.Chunk(chunks, embedded) {
		texts := make([]string, len(part))
		for i, c := range part {
			texts[i] = SearchedText(c)
		}
		vectors, err := t.opts.Embedder.Embed(ctx, texts)
		if err != nil {
			return err
		}
		if len(vectors) != len(part) {
			return facade.Errorf(facade.CodeUnavailable, "the embedder %s returned %d vectors for %d texts", t.opts.Embedder.Name(), len(vectors), len(part))
		}
		for i := range part {
			part[i].Vector = vectors[i]
		}
	}
	return nil
}
