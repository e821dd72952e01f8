// Package pdf reads PDF documents for the document tool: text in reading order
// with its places, headings, lists, tables, links and images. Pages that are
// scans go to the document tool's engine for text recognition.
//
// PDFium does the parsing, compiled to WebAssembly: a hostile file can at worst
// end the sandbox that it is read in. Give the format to the document tool:
//
//	format := pdf.New(nil)
//	defer format.Close()
//	tools, err := docs.New(fs, &docs.Options{Formats: []document.Format{format}})
//
// The first document compiles PDFium, which takes seconds; the result is kept
// in the user's cache directory, from where it loads in a fraction of a second.
package pdf

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/pdf/internal/engine"
	"github.com/toolfacade/toolfacade/facade"
)

var (
	_ document.Format      = (*Format)(nil)
	_ document.PagePainter = (*Format)(nil)
	_ io.Closer            = (*Format)(nil)
)

// The defaults of [Options].
const (
	DefaultMemory      = 256 << 20
	DefaultTimeout     = 20 * time.Second
	DefaultPageTimeout = 8 * time.Second
	DefaultDPI         = 200
)

// Options tune [Format]. The zero value is the safe default.
type Options struct {
	// CacheDir keeps the compiled code between processes. It must be writable by
	// this user only, since code from it is run; otherwise it is not used. ""
	// means a directory in the user's cache.
	CacheDir string
	// NoCache compiles PDFium in each process, which takes seconds.
	NoCache bool
	// Memory is the most that one document may use in the sandbox, in bytes; 0
	// means [DefaultMemory].
	Memory int64
	// Concurrent is how many documents are read at once, others wait; 0 means the
	// number of processors, at most 4.
	Concurrent int
	// Timeout is when the reading of a document ends with the pages read so far;
	// 0 means [DefaultTimeout]. It should be below the document tool's own,
	// which gives nothing.
	Timeout time.Duration
	// PageTimeout is how long one page may take before it is left out; 0 means
	// [DefaultPageTimeout].
	PageTimeout time.Duration
	// NoOCR leaves pages that are scans without text.
	NoOCR bool
	// DPI is the resolution that scans are recognized at; 0 means [DefaultDPI].
	DPI float64
}

// Format reads PDF documents. It is safe for concurrent use.
type Format struct {
	opts   Options
	engine *engine.Engine
}

// New returns the format. Nothing is compiled before the first document, or
// [Format.Ready]. Close it after the document tool.
func New(opts *Options) *Format {
	f := &Format{}
	if opts != nil {
		f.opts = *opts
	}
	o := &f.opts
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	if o.Concurrent <= 0 {
		o.Concurrent = min(runtime.GOMAXPROCS(0), 4)
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.PageTimeout <= 0 {
		o.PageTimeout = DefaultPageTimeout
	}
	if o.DPI <= 0 {
		o.DPI = DefaultDPI
	}
	if o.NoCache {
		o.CacheDir = ""
	} else if o.CacheDir == "" {
		if dir, err := os.UserCacheDir(); err == nil {
			o.CacheDir = filepath.Join(dir, "toolfacade", "pdfium")
		}
	}
	f.engine = engine.New(engine.Options{CacheDir: o.CacheDir, Memory: o.Memory, Instances: o.Concurrent})
	return f
}

// Ready compiles PDFium ahead of the first document. It is optional; when the
// context ends first, the work goes on for later calls.
func (f *Format) Ready(ctx context.Context) error { return f.engine.Ready(ctx) }

// Close waits for the documents being read and frees the compiled code.
func (f *Format) Close() error { return f.engine.Close() }

// Name implements [document.Format].
func (f *Format) Name() string { return "pdf" }

// Accepts implements [document.Format].
func (f *Format) Accepts(mime string) bool { return mime == "application/pdf" }

// Parse implements [document.Format].
func (f *Format) Parse(ctx context.Context, src document.Source, req document.Request) (*document.Document, error) {
	data, err := document.ReadAll(src)
	if err != nil {
		return nil, err
	}
	if err := f.engine.Ready(ctx); err != nil {
		return nil, err
	}
	r := &reading{f: f, req: req, data: data, b: document.NewBuilder(req), start: time.Now()}
	return r.b.Finish(r.run(ctx))
}

// PaintPage implements [document.PagePainter]: the page in color, as PNG.
func (f *Format) PaintPage(ctx context.Context, src document.Source, n int, req document.Request) (png []byte, err error) {
	data, err := document.ReadAll(src)
	if err != nil {
		return nil, err
	}
	doc, err := f.engine.Open(ctx, data, req.Password)
	if err != nil {
		return nil, explain(err, req.Password)
	}
	defer func() { err = errors.Join(err, doc.Close()) }()
	if n < 1 || n > doc.Pages() {
		return nil, facade.Errorf(facade.CodeInvalidArgument, "the document has %d pages, there is no page %d", doc.Pages(), n)
	}
	page := doc.Page(ctx, n-1)
	if page == nil {
		return nil, broken(doc, n)
	}
	defer page.Close()
	png, _, err = page.Render(f.opts.DPI, false, 0)
	if err != nil {
		if doc.Err() == nil {
			return nil, document.Malformed("page %d cannot be painted: %w", n, err)
		}
		return nil, broken(doc, n)
	}
	return png, nil
}

// broken says why page n cannot be read.
func broken(doc *engine.Document, n int) error {
	switch err := doc.Err(); {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case err != nil:
		return document.Malformed("page %d cannot be read: %w", n, err)
	}
	return document.Malformed("page %d cannot be read", n)
}

// explain turns an error of opening into one for a model.
func explain(err error, password string) error {
	switch {
	case errors.Is(err, engine.ErrPassword) && password == "":
		return facade.InvalidArgument("password", "the document is encrypted and needs a password").WithHint("ask the user for the password and give it as 'password'")
	case errors.Is(err, engine.ErrPassword):
		return facade.InvalidArgument("password", "the password is wrong").WithHint("ask the user for the password")
	case errors.Is(err, engine.ErrSecurity), errors.Is(err, engine.ErrFormat), errors.Is(err, engine.ErrMemory):
		return document.Malformed("%w", err)
	}
	if _, ok := errors.AsType[*engine.CrashError](err); ok {
		return document.Malformed("%w", err)
	}
	return err
}
