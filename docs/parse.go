package docs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// parsed is a document with the file it came from.
type parsed struct {
	*document.Document
	source facade.DocumentSource
}

// opened is a file whose type is known.
type opened struct {
	io.Closer
	src    document.Source
	source facade.DocumentSource
	format document.Format
}

// openDocument finds the parser of a file and hashes its content. extra, when
// not nil, takes what no other parser does.
func (t *Tools) openDocument(ctx context.Context, name string, extra document.Format) (*opened, error) {
	file, info, err := t.fs.open(name)
	if err != nil {
		return nil, err
	}
	o := &opened{Closer: file}
	err = func() error {
		shown := pathname.Escape(name)
		if info.Size() > t.opts.Limits.Bytes {
			return facade.Errorf(facade.CodeTooLarge, "'%s' has %d bytes, the limit for documents is %d", shown, info.Size(), t.opts.Limits.Bytes).
				WithPath(shown).WithHint("read a part of it with the filesystem tool")
		}
		o.src = document.Source{ReaderAt: within{file, info.Size()}, Size: info.Size(), Name: path.Base(name)}
		o.src.MIME = detect(o.src)
		o.source = facade.DocumentSource{Path: shown, MIME: o.src.MIME, Size: info.Size()}
		if o.format = t.formatOf(o.src.MIME); o.format == nil && extra != nil && extra.Accepts(o.src.MIME) {
			o.format = extra
		}
		if o.format == nil {
			return t.unreadable(shown, o.src.MIME)
		}
		o.source.Format = o.format.Name()
		if o.source.MIME == "text/tab-separated-values" {
			o.source.Format = "tsv"
		}
		sum := sha256.New()
		if _, err := io.Copy(sum, &untilDone{ctx, io.NewSectionReader(o.src, 0, info.Size())}); err != nil {
			return t.fs.failure(name, err)
		}
		o.source.SHA256 = hex.EncodeToString(sum.Sum(nil))
		return nil
	}()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return o, nil
}

// unreadable is the error for a file without a parser, with what to do instead.
func (t *Tools) unreadable(shown, mime string) error {
	e := facade.Errorf(facade.CodeUnsupportedFormat, "'%s' is %s, which no parser here reads", shown, mime).WithPath(shown)
	switch {
	case mime == "image/svg+xml":
		return e.WithHint("it is XML: read it with the filesystem tool")
	case decodable(mime):
		e.Message = "'" + shown + "' is an image: only read_image, and index with extract_images=true, read its text"
		return e.WithHint("use read_image to read it, or index with extract_images=true to find its text")
	case strings.HasPrefix(mime, "image/"):
		return e.WithHint("convert it to PNG or JPEG; read_image then reads it")
	case mime == "application/zip" && zipped(shown):
		e.Message = "'" + shown + "' is a damaged archive, not the document that its name says"
		return e.WithHint("get the file again; the filesystem tool shows its bytes")
	case mime == "application/x-ole-storage" || mime == "application/msword" || mime == "application/vnd.ms-excel" ||
		mime == "application/vnd.ms-powerpoint" || mime == "application/vnd.ms-outlook":
		return e.WithHint("it is of the old binary kind of Office files (doc, xls, ppt, msg), or encrypted: save it as docx, xlsx, pptx or eml first")
	}
	return e.WithHint("readable formats: %s", t.formatNames())
}

// decodable reports whether images of a media type can be read.
func decodable(mime string) bool {
	switch mime {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "image/tiff", "image/bmp":
		return true
	}
	return false
}

// zipped reports whether a name is that of a document in a zip archive.
func zipped(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".docx", ".docm", ".pptx", ".pptm", ".xlsx", ".xlsm", ".odt", ".ods", ".odp", ".epub":
		return true
	}
	return false
}

// within keeps reads inside of a file: damaged archives lead outside, and file
// systems differ in what they make of that.
type within struct {
	r    io.ReaderAt
	size int64
}

// ReadAt implements io.ReaderAt.
func (w within) ReadAt(p []byte, off int64) (int, error) {
	switch {
	case off < 0:
		return 0, errors.New("negative offset")
	case off >= w.size:
		return 0, io.EOF
	}
	if room := w.size - off; int64(len(p)) > room {
		n, err := w.r.ReadAt(p[:room], off)
		if err == nil {
			err = io.EOF
		}
		return n, err
	}
	return w.r.ReadAt(p, off)
}

// untilDone ends a reading with its context.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u *untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

func (t *Tools) formatOf(mime string) document.Format {
	for _, f := range t.formats {
		if f.Accepts(mime) {
			return f
		}
	}
	return nil
}

func (t *Tools) formatNames() string {
	names := ""
	for i, f := range t.formats {
		if i > 0 {
			names += ", "
		}
		names += f.Name()
	}
	return names
}

// parse reads an opened document within the time limit. A parser that panics
// fails its document only.
func (t *Tools) parse(ctx context.Context, o *opened, req document.Request) (p *parsed, err error) {
	limited, cancel := context.WithTimeout(ctx, t.opts.Timeout)
	defer cancel()
	req.Limits, req.Recognize = t.opts.Limits, t.recognize
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, facade.Errorf(facade.CodeInternal, "the parser of %s failed on '%s': %v", o.source.Format, o.source.Path, r)
		}
	}()
	doc, err := o.format.Parse(limited, o.src, req)
	if err != nil {
		if ctx.Err() == nil && limited.Err() != nil {
			return nil, facade.Errorf(facade.CodeTimeout, "'%s' could not be parsed within %v", o.source.Path, t.opts.Timeout).
				WithPath(o.source.Path).WithHint("read fewer pages with 'pages'")
		}
		return nil, t.fs.failure(pathname.Unescape(o.source.Path), err)
	}
	return &parsed{Document: doc, source: o.source}, nil
}

// recognize implements [document.Request.Recognize].
func (t *Tools) recognize(ctx context.Context, image []byte) ([]facade.DocumentWord, error) {
	_, words, err := t.opts.OCR.Recognize(ctx, image)
	return words, err
}
