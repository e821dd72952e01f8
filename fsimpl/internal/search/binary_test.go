package search

import (
	"bytes"
	"context"
	"io"
	"testing"
)

// endless is a binary file without an end.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	clear(p)
	e.read += len(p)
	if e.read > 64<<20 {
		return 0, io.ErrUnexpectedEOF
	}
	return len(p), nil
}

func (e *endless) Close() error { return nil }

func (e *endless) Open() (io.ReadCloser, error) { return e, nil }

// TestBinaryHead reads no further than the buffer in a file that its first
// bytes show to be binary.
func TestBinaryHead(t *testing.T) {
	for name, multiline := range map[string]bool{"lines": false, "multiline": true} {
		p, err := Compile("pattern", []string{"needle"}, &Options{Multiline: multiline})
		if err != nil {
			t.Fatal(err)
		}
		file := &endless{}
		got, err := NewSearcher(p, nil).Search(context.Background(), file, func(Part) bool { return true })
		if err != nil || !got.Binary {
			t.Errorf("%s: %+v, %v, want a binary file", name, got, err)
		}
		if limit := bytes.MinRead << 11; file.read > limit {
			t.Errorf("%s: read %d bytes, want at most %d", name, file.read, limit)
		}
	}
}
