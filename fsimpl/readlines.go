package fsimpl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

const (
	// blockSize is how much of a large file is read at a time.
	blockSize = 256 << 10
	// maxScan is how much of a file is read to find a line by its number. It
	// bounds the time that a file takes which claims to be huge.
	maxScan = 4 << 30
)

// errTooFar ends the search for a line.
var errTooFar = errors.New("the line is too far from the start")

// tooFar is the error for a line beyond what is scanned.
func (r *reading) tooFar() error {
	return facade.Errorf(facade.CodeTooLarge, "'%s' has %d bytes; lines are counted in the first %d only", named(r.name), r.out.Size, maxScan).
		WithPath(shown(r.name)).WithHint("read a window of bytes: offset_type=byte with start_offset_inclusive and end_offset_inclusive")
}

// blockSize is how much to read at a time: no more than a small file has.
func (r *reading) blockSize() int {
	if r.whole {
		return min(blockSize, len(r.head)+64)
	}
	return blockSize
}

// source returns the file's text from its start on, as UTF-8 without byte
// order mark.
func (r *reading) source() (io.Reader, error) {
	if r.whole {
		text, err := textenc.Decode(r.head[r.det.BOM:], r.det.Encoding)
		return bytes.NewReader(text), err
	}
	src, err := r.raw()
	return textenc.NewReader(src, r.det.Encoding), err
}

// raw returns the file's bytes behind the byte order mark.
func (r *reading) raw() (io.Reader, error) {
	if r.whole {
		return bytes.NewReader(r.head[r.det.BOM:]), nil
	}
	_, err := r.file.Seek(int64(r.det.BOM), io.SeekStart)
	return r.file, err
}

// skip passes n lines, fewer at the end, and returns how many there were, with
// what gives the text behind them. In UTF-8 the bytes that end lines are never
// part of another character, so that the lines of a large file are counted
// without looking at the others.
func (r *reading) skip(ctx context.Context, n int64) (lines int64, rest *bufio.Reader, err error) {
	if r.whole || r.det.Encoding.Name() != "utf-8" {
		src, err := r.source()
		if err != nil {
			return 0, nil, err
		}
		rest = bufio.NewReaderSize(src, r.blockSize())
		lines, err = skipLines(ctx, rest, r.separator(), n)
		return lines, rest, err
	}
	at := int64(r.det.BOM)
	if f := handle(r.file); f != nil {
		scan := &lineScan{file: f, sep: r.separator(), start: at, wanted: n}
		if lines, at, err = scan.skip(ctx); err != nil {
			return lines, nil, err
		}
		n = 0
	}
	if _, err := r.file.Seek(at, io.SeekStart); err != nil {
		return lines, nil, err
	}
	rest = bufio.NewReaderSize(r.file, blockSize)
	if n > 0 {
		lines, err = skipLines(ctx, rest, r.separator(), n)
	}
	return lines, bufio.NewReader(textenc.NewReader(rest, r.det.Encoding)), err
}

// separator is the byte that ends lines.
func (r *reading) separator() byte {
	if r.det.LineEnding == textenc.CR {
		return '\r'
	}
	return '\n'
}

// lineRange returns the first and the last line asked for, from 1; the last
// is MaxInt64 for the end of the file.
func (r *reading) lineRange(ctx context.Context) (first, last int64, err error) {
	first, last = r.in.StartLine, r.in.EndLine
	if first == 0 && last == 0 {
		first = r.in.StartOffsetInclusive + 1
		if e := *r.in.EndOffsetInclusive; e >= 0 {
			last = e + 1
		}
	}
	if first < 0 || last < 0 {
		total, err := r.countLines(ctx)
		if err != nil {
			return 0, 0, err
		}
		if last < 0 {
			if last += total + 1; last < 1 {
				return 0, 0, facade.InvalidArgument("end_line", "end_line %d is before the start: '%s' has %d lines", r.in.EndLine, named(r.name), total)
			}
		}
		if first < 0 {
			first = max(1, first+total+1)
		}
	}
	if first == 0 {
		first = 1
	}
	if last == 0 {
		last = math.MaxInt64
	}
	if last < first {
		return 0, 0, facade.InvalidArgument("end_line", "end_line %d is before start_line %d", r.in.EndLine, r.in.StartLine)
	}
	return first, last, nil
}

// countLines counts all lines, a last one without an end included.
func (r *reading) countLines(ctx context.Context) (int64, error) {
	if r.out.Lines != nil {
		return *r.out.Lines, nil
	}
	if r.out.Size > maxScan {
		return 0, r.tooFar()
	}
	n, _, err := r.skip(ctx, math.MaxInt64)
	if err == nil {
		r.out.Lines = &n
	}
	return n, err
}

// skipLines reads past at most n lines and returns how many there were.
func skipLines(ctx context.Context, src *bufio.Reader, sep byte, n int64) (int64, error) {
	var lines, scanned int64
	open := false // bytes since the last line end
	for lines < n {
		if scanned > maxScan {
			return lines, errTooFar
		}
		if err := ctx.Err(); err != nil {
			return lines, err
		}
		block, err := src.Peek(min(blockSize, src.Size()))
		if len(block) == 0 {
			if open {
				lines++
			}
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return lines, err
		}
		scanned += int64(len(block))
		count := int64(bytes.Count(block, []byte{sep}))
		if lines+count < n {
			lines += count
			open = block[len(block)-1] != sep
			_, _ = src.Discard(len(block))
			continue
		}
		at := 0
		for ; lines < n; lines++ {
			at += bytes.IndexByte(block[at:], sep) + 1
		}
		_, _ = src.Discard(at)
	}
	return lines, nil
}

// lines shows a window of lines.
func (r *reading) lines(ctx context.Context) error {
	if r.whole {
		n := int64(0)
		if len(r.head) > r.det.BOM {
			n = r.det.Lines
		}
		r.out.Lines = &n
	}
	first, last, err := r.lineRange(ctx)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil || r.all(first, last) {
		return err
	}
	before, rest, err := r.skip(ctx, first-1)
	if errors.Is(err, errTooFar) {
		return r.tooFar()
	}
	if err != nil {
		return err
	}
	if _, err := rest.Peek(1); before < first-1 || first > 1 && errors.Is(err, io.EOF) {
		return facade.InvalidArgument("start_line", "line %d is beyond the end: '%s' has %d lines", first, named(r.name), before).
			WithHint("negative numbers count from the end: start_line=-20")
	}
	return r.collect(ctx, rest, first, last)
}

// all shows a file at once where that is what was asked for: plain UTF-8 that
// fits.
func (r *reading) all(first, last int64) bool {
	if !r.whole || first != 1 || last != math.MaxInt64 || r.in.AddLineNumbers ||
		r.in.FileEncoding != "auto" || r.det.Encoding.Name() != "utf-8" || r.det.Invalid > 0 {
		return false
	}
	content := r.head[r.det.BOM:]
	if len(content) > r.most || len(content) > r.room || jsonLen(content) > r.room {
		return false
	}
	r.show(content, 1, *r.out.Lines)
	return true
}

// collect gathers lines until the window or the room ends.
func (r *reading) collect(ctx context.Context, buf *bufio.Reader, first, last int64) error {
	var content []byte
	room, line := r.room, first
	for ; line <= last; line++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		start := len(content)
		if r.in.AddLineNumbers {
			content = append(strconv.AppendInt(content, line, 10), '\t')
		}
		var n int
		var err error
		content, n, err = appendLine(content, buf, r.separator(), room)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if n == 0 {
			content = content[:start]
			break
		}
		room -= jsonLen(content[start:])
		if room < 0 || len(content) > r.most {
			return r.cutOff(content, start, first, line)
		}
	}
	r.show(content, first, line-1)
	return nil
}

func (r *reading) show(content []byte, first, last int64) {
	r.out.Content = string(content)
	if last >= first {
		r.out.StartLine, r.out.EndLine = first, last
	}
}

// cutOff ends the window before a line that does not fit. A line that is too
// long on its own is cut, and read on by bytes.
func (r *reading) cutOff(content []byte, start int, first, line int64) error {
	if line > first {
		r.show(content[:start], first, line-1)
		r.out.Next = &facade.ReadNext{Path: shown(r.name), StartLine: line}
		return nil
	}
	keep := fitting(content, r.room, r.most)
	r.show(content[:keep], first, first)
	shownBytes := keep
	if r.in.AddLineNumbers {
		shownBytes -= bytes.IndexByte(content, '\t') + 1
	}
	offset, err := r.offsetOf(first, content[keep-shownBytes:keep])
	if err != nil {
		return err
	}
	r.out.Next = &facade.ReadNext{Path: shown(r.name), StartOffsetInclusive: offset, OffsetType: "byte"}
	return nil
}

// offsetOf returns the offset in the file of the end of text, the start of the
// given line.
func (r *reading) offsetOf(line int64, text []byte) (int64, error) {
	enc := r.det.Encoding
	source := r.source
	if enc.Name() == "utf-8" {
		source = r.raw
	}
	src, err := source()
	if err != nil {
		return 0, err
	}
	counted := &countingReader{r: src}
	buf := bufio.NewReaderSize(counted, blockSize)
	if _, err := skipLines(context.Background(), buf, r.separator(), line-1); err != nil {
		return 0, err
	}
	before := counted.n - int64(buf.Buffered())
	if enc.Name() == "utf-8" {
		at := int64(r.det.BOM) + before
		for n := 0; n < len(text); { // a byte that is no character is one in the file and three in the text
			c, size, err := buf.ReadRune()
			if err != nil {
				return 0, err
			}
			n += utf8.RuneLen(c)
			at += int64(size)
		}
		return at, nil
	}
	// Other encodings: encode what comes before to learn its length.
	src, err = r.source()
	if err != nil {
		return 0, err
	}
	length := &countingWriter{w: io.Discard}
	w, err := textenc.NewWriter(length, enc, false)
	if err != nil {
		return 0, err
	}
	if _, err := io.CopyN(w, src, before+int64(len(text))); err != nil {
		return 0, err
	}
	return int64(r.det.BOM) + length.n, w.Close()
}

type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// appendLine appends the next line with its end to dst, but not much more of
// it than room. It returns how many bytes the line has, as far as read.
func appendLine(dst []byte, src *bufio.Reader, sep byte, room int) ([]byte, int, error) {
	n := 0
	for {
		piece, err := src.ReadSlice(sep)
		dst = append(dst, piece...)
		n += len(piece)
		if err == nil || !errors.Is(err, bufio.ErrBufferFull) || n > room {
			if errors.Is(err, bufio.ErrBufferFull) {
				err = nil
			}
			return dst, n, err
		}
	}
}

// jsonLen is the length of s as encoding/json writes it, without the quotes.
func jsonLen[T string | []byte](s T) int {
	n := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
			switch {
			case r == utf8.RuneError && size == 1, r == '\u2028', r == '\u2029':
				n += 6
			default:
				n += size
			}
			i += size
			continue
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f':
			n += 2
		case c < ' ':
			n += 6
		default:
			n++
		}
		i++
	}
	return n
}

// fitting returns the length of the longest start of text, in whole
// characters and at least one, that has at most most bytes, and room as JSON.
func fitting(text []byte, room, most int) int {
	i := 0
	for i < len(text) {
		_, size := utf8.DecodeRune(text[i:])
		if room -= jsonLen(text[i : i+size]); (room < 0 || i+size > most) && i > 0 {
			break
		}
		i += size
	}
	return i
}

// lineBytes returns the window of lines as a window of bytes, for base64 and
// hex, where it is the whole file unless lines were named.
func (r *reading) lineBytes() (start, end int64, err error) {
	if r.in.StartLine == 0 && r.in.EndLine == 0 && r.in.StartOffsetInclusive == 0 && *r.in.EndOffsetInclusive == -1 {
		return 0, r.out.Size, nil
	}
	return 0, 0, facade.InvalidArgument("output_format", "output_format %s shows bytes: give offset_type=byte with the offsets, or no range", r.in.OutputFormat)
}
