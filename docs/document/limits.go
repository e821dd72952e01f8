package document

import (
	"context"
	"errors"

	"github.com/toolfacade/toolfacade/facade"
)

// Limits bound what one document may cost. Zero fields mean the defaults of
// [DefaultLimits].
type Limits struct {
	// Bytes is the largest file.
	Bytes int64
	// Expanded is the most that all parts of an archive may unpack to, in bytes.
	Expanded int64
	// Ratio is how many times a part of an archive may grow when unpacked;
	// parts up to 4 MiB may grow more.
	Ratio int64
	// Depth is how deep elements, lists and tables may be nested.
	Depth int
	// Blocks is the most blocks; the rest is left out with a warning.
	Blocks int
	// Chars is the most bytes of text; the rest is left out with a warning.
	Chars int
	// Cells is the most table cells of a document; the rest is left out with a
	// warning.
	Cells int
	// ImageBytes is the most content of images that is kept.
	ImageBytes int64
}

// DefaultLimits keep a document within about 256 MiB of memory.
func DefaultLimits() Limits {
	return Limits{
		Bytes: 64 << 20, Expanded: 256 << 20, Ratio: 200, Depth: 256,
		Blocks: 200_000, Chars: 16 << 20, Cells: 200_000, ImageBytes: 16 << 20,
	}
}

// OrDefaults returns l with the defaults for its zero fields.
func (l Limits) OrDefaults() Limits {
	d := DefaultLimits()
	return Limits{
		Bytes: or(l.Bytes, d.Bytes), Expanded: or(l.Expanded, d.Expanded), Ratio: or(l.Ratio, d.Ratio),
		Depth: or(l.Depth, d.Depth), Blocks: or(l.Blocks, d.Blocks), Chars: or(l.Chars, d.Chars),
		Cells: or(l.Cells, d.Cells), ImageBytes: or(l.ImageBytes, d.ImageBytes),
	}
}

func or[N int | int64](n, d N) N {
	if n <= 0 {
		return d
	}
	return n
}

// errFull ends the reading of a document whose limits are used up. What was
// read is kept.
var errFull = errors.New("a limit of the document is reached")

// tooLarge reports a limit whose violation makes a file unreadable as a whole.
func tooLarge(format string, args ...any) error {
	return facade.Errorf(facade.CodeTooLarge, format, args...).
		WithHint("this may be a decompression bomb; a host can raise the limits of the document tool")
}

// Fatal reports whether err ends a reading without a partial result: the
// context has ended, or the file is a bomb.
func Fatal(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	e, ok := errors.AsType[*facade.Error](err)
	return ok && e.Code == facade.CodeTooLarge
}

// Reason is an error as a part of a warning or a note: what is wrong, and how to
// get on.
func Reason(err error) string {
	e, ok := errors.AsType[*facade.Error](err)
	switch {
	case !ok:
		return err.Error()
	case e.Hint == "":
		return e.Message
	}
	return e.Message + "; " + e.Hint
}

// Malformed is the error for a file that is not what its type says.
func Malformed(format string, args ...any) error {
	return facade.Errorf(facade.CodeUnsupportedFormat, format, args...).
		WithHint("the file is damaged, encrypted or of another type; read it with the filesystem tool to see its bytes")
}
