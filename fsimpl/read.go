package fsimpl

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// wholeBytes is the size up to which a file is read whole even for a window of
// it, which makes its etag and its number of lines known. Larger files are
// streamed up to the end of the window.
const wholeBytes = 4 << 20

// replyOverhead is what a reply needs beside the content of a file.
const replyOverhead = 1 << 10

// Read implements [facade.FileReader].
func (f *Files) Read(ctx context.Context, in facade.ReadInput) (facade.ReadOutput, error) {
	if err := in.Validate(); err != nil {
		return facade.ReadOutput{}, err
	}
	in = facade.Defaulted(in)
	var out facade.ReadOutput
	if in.Path != "" {
		file, err := f.readOne(ctx, &out, in, in.Path, facade.Budget(ctx)-replyOverhead)
		if err != nil {
			return facade.ReadOutput{}, err
		}
		out.Files = []facade.FileContent{file}
		return out, nil
	}
	room := facade.Budget(ctx) - replyOverhead
	for i, p := range in.Paths {
		if i > 0 && room < replyOverhead {
			out.AddNote(fmt.Sprintf("there is no room for the last %d paths; read them with another call, from %q on", len(in.Paths)-i, p))
			break
		}
		if err := ctx.Err(); err != nil {
			return out, err
		}
		share := room/(len(in.Paths)-i) - replyOverhead/2
		file, err := f.readOne(ctx, &out, in, p, share)
		if err != nil {
			e := f.asFailure(p, err)
			file = facade.FileContent{Path: e.Path, Error: e}
		}
		room -= jsonSize(file) + 1
		out.Files = append(out.Files, file)
	}
	return out, nil
}

// asFailure makes the error of one path of several, complete with the names
// that a call's error would have.
func (f *Files) asFailure(p string, err error) *facade.Error {
	e, ok := f.failure("read", p, err).(*facade.Error) //nolint:errorlint // failure returns this type
	if !ok {
		e = facade.Errorf(facade.CodeInternal, "cannot read '%s'", p)
	}
	c := *e
	if c.Path == "" {
		c.Path = p
	}
	c.Tool, c.Action = "filesystem", string(facade.FileRead)
	return &c
}

// readOne reads the window of one file that fits into room bytes of JSON.
func (f *Files) readOne(
	ctx context.Context, out *facade.ReadOutput, in facade.ReadInput, p string, room int,
) (facade.FileContent, error) {
	t, err := f.present(ctx, p)
	if err != nil {
		return facade.FileContent{}, err
	}
	if t.slash {
		return facade.FileContent{}, f.slashed(t.name)
	}
	file, info, err := f.tree.open(t.name)
	if err != nil {
		return facade.FileContent{}, f.failure("read", t.name, err)
	}
	defer file.Close()
	r := reading{files: f, in: in, name: t.name, room: max(room, minimalRoom), most: math.MaxInt, file: file}
	if in.MaxBytes > 0 {
		r.most = int(in.MaxBytes)
	}
	r.out.Path, r.out.Size = shown(t.name), info.Size()
	if err := r.run(ctx, out); err != nil {
		return facade.FileContent{}, f.failure("read", t.name, err)
	}
	facade.Emit(ctx, facade.Event{Type: facade.EventFileRead, Path: r.out.Path})
	return r.out, nil
}

// minimalRoom lets every file show at least a few lines.
const minimalRoom = 256

// slashed is the error for the name of a file with a slash at its end.
func (f *Files) slashed(name string) error {
	info, err := f.tree.stat(name)
	switch {
	case err != nil:
		return f.failure("read", name, err)
	case info.IsDir():
		return regular(name, info)
	}
	return facade.Errorf(facade.CodeNotDirectory, "'%s' is not a directory", named(name)).WithPath(shown(name)).
		WithHint("leave out the slash at the end")
}

// reading is the work on one file.
type reading struct {
	files *Files
	in    facade.ReadInput
	name  string
	room  int // bytes of JSON that the content may take
	most  int // bytes that the content may have
	file  afero.File
	out   facade.FileContent

	head  []byte // the start of the file, all of it when whole
	whole bool
	det   textenc.Detection
}

func (r *reading) run(ctx context.Context, out *facade.ReadOutput) error {
	if err := r.inspect(); err != nil {
		return err
	}
	if r.in.OutputFormat != "raw_utf8" || r.in.OffsetType == "byte" {
		return r.bytes()
	}
	if r.det.Binary {
		return r.notText(ctx, out)
	}
	if r.det.Invalid > 0 {
		out.AddNote(named(r.name) + " has bytes that are not valid UTF-8; they are shown as \uFFFD, and edits leave them as they are")
	}
	if r.isNotebook() && r.notebook() {
		return nil
	}
	return r.lines(ctx)
}

// inspect reads the start of the file and finds out what it holds.
func (r *reading) inspect() error {
	n := int64(textenc.SampleSize)
	if r.out.Size <= wholeBytes {
		n = r.out.Size + 1
	}
	buf := make([]byte, n)
	got, err := io.ReadFull(r.file, buf)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	r.head = buf[:got]
	r.whole = int64(got) < n
	r.det = textenc.Detect(r.head)
	if r.whole {
		r.out.ETag = etagOf(r.head)
		r.out.Size = int64(got)
	}
	if r.in.FileEncoding != "auto" {
		enc, err := textenc.Lookup(r.in.FileEncoding)
		if err != nil {
			return err
		}
		r.det.Binary, r.det.Encoding = false, enc
		if err := r.holds(enc); err != nil {
			return err
		}
	}
	r.out.Encoding = r.det.Name()
	r.out.MIME = textenc.MIME(r.name, r.head, r.det)
	r.out.BOM = r.det.BOM > 0
	if !r.det.Binary {
		r.out.LineEnding = string(r.det.LineEnding)
	}
	return nil
}

// holds checks that the start of the file is text in the encoding the call
// names.
func (r *reading) holds(enc textenc.Encoding) error {
	head := r.head[min(r.det.BOM, len(r.head)):]
	if !r.whole {
		head = head[:textenc.Cut(head, enc)]
	}
	valid := utf8.Valid(head)
	if enc.Name() != "utf-8" {
		text, err := textenc.Decode(head, enc)
		valid = err == nil && !bytes.ContainsRune(text, utf8.RuneError)
	}
	if valid {
		return nil
	}
	return facade.Errorf(facade.CodeUnsupportedEncoding, "'%s' is not text in %s; it looks like %s", named(r.name), enc.Name(), textenc.Detect(r.head).Name()).
		WithPath(shown(r.name)).WithHint("leave out file_encoding to have it detected, or use output_format=base64")
}

// notText shows an image as a part and refuses what else is not text.
func (r *reading) notText(ctx context.Context, out *facade.ReadOutput) error {
	if strings.HasPrefix(r.out.MIME, "image/") {
		return r.image(ctx, out)
	}
	return facade.Errorf(facade.CodeBinaryContent, "'%s' is not text but %s, %d bytes", named(r.name), r.out.MIME, r.out.Size).
		WithPath(shown(r.name)).
		WithHint("read its bytes with output_format=base64 or hex, or name its encoding with file_encoding")
}

// bytes shows a window in base64 or hex, or counted in bytes.
func (r *reading) bytes() error {
	start, end, err := r.byteRange()
	if err != nil {
		return err
	}
	limit := int64(min(r.room, r.most))
	switch r.in.OutputFormat {
	case "base64":
		limit = max(3, limit/4*3)
	case "hex":
		limit = max(1, limit/2)
	}
	cut := end
	if end-start > limit {
		cut = start + limit
	}
	raw := make([]byte, cut-start)
	n, err := r.file.ReadAt(raw, start)
	if err != nil && err != io.EOF { //nolint:errorlint // ReadAt returns it bare
		return err
	}
	raw = raw[:n]
	shownBytes, err := r.render(raw, start+int64(n) >= r.out.Size)
	if err != nil {
		return err
	}
	if next := start + int64(shownBytes); next < end && shownBytes > 0 {
		r.out.Next = &facade.ReadNext{Path: shown(r.name), StartOffsetInclusive: next, OffsetType: "byte"}
	}
	return nil
}

// byteRange returns the window [start, end) in bytes.
func (r *reading) byteRange() (start, end int64, err error) {
	if r.in.OffsetType != "byte" {
		return r.lineBytes()
	}
	start, end = r.in.StartOffsetInclusive, r.out.Size
	if e := *r.in.EndOffsetInclusive; e >= 0 {
		end = min(e+1, end)
	}
	if start > r.out.Size {
		return 0, 0, facade.InvalidArgument("start_offset_inclusive", "start_offset_inclusive %d is beyond the end: '%s' has %d bytes", start, named(r.name), r.out.Size)
	}
	return start, max(start, end), nil
}

// render puts raw bytes into the content and returns how many it showed.
func (r *reading) render(raw []byte, atEnd bool) (int, error) {
	switch r.in.OutputFormat {
	case "base64":
		r.out.Content = base64.StdEncoding.EncodeToString(raw)
		return len(raw), nil
	case "hex":
		r.out.Content = hex.EncodeToString(raw)
		return len(raw), nil
	}
	if r.det.Binary {
		return 0, facade.Errorf(facade.CodeBinaryContent, "'%s' is not text but %s", named(r.name), r.out.MIME).
			WithPath(shown(r.name)).WithHint("add output_format=base64 or hex")
	}
	if !atEnd {
		raw = raw[:textenc.Cut(raw, r.det.Encoding)]
	}
	for {
		text, err := textenc.Decode(raw, r.det.Encoding)
		if err != nil {
			return 0, err
		}
		if jsonLen(text) <= r.room && len(text) <= r.most || len(raw) < 2 {
			r.out.Content = string(text)
			return len(raw), nil
		}
		raw = raw[:textenc.Cut(raw[:len(raw)/2], r.det.Encoding)]
	}
}
