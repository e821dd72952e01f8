package edit

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// The replacement of a few places in 100 MB, in LF and in CRLF text.
func BenchmarkReplaceStream(b *testing.B) {
	for name, end := range map[string]string{"lf": "\n", "crlf": "\r\n"} {
		raw := bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog again and again"+end), 100<<20/60)
		copy(raw[50<<20:], "NEEDLE")
		d := textenc.Detect(raw)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ReplaceStream(context.Background(), io.Discard, bytes.NewReader(raw), d, Substitution{Old: "NEEDLE", New: "x"}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
