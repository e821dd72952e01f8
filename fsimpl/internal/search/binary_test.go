package search

import (
	"bytes"
	"io"
	"testing"
)

type memory []byte

func (m memory) Open() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(m)), nil }

// What begins as no text is not searched, not behind the first buffer either.
func TestBinaryIsNotSearched(t *testing.T) {
	content := append(make([]byte, 3*bufferSize), "\nneedle\n"...)
	for _, multiline := range []bool{false, true} {
		pattern, err := Compile("pattern", []string{"needle"}, &Options{Multiline: multiline})
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		r, err := NewSearcher(pattern, nil).Search(t.Context(), memory(content), func(p Part) bool {
			found += len(p.Matches)
			return true
		})
		if err != nil || !r.Binary || found > 0 || r.Count > 0 {
			t.Errorf("multiline %v: %d matches, %+v, %v", multiline, found, r, err)
		}
	}
}
