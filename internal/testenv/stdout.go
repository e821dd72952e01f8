package testenv

import (
	"io"
	"os"
	"testing"
)

// Stdout returns what fn writes to the standard output. Examples that need a
// program run in a test by it, which can be skipped: one with an output comment
// always runs.
func Stdout(t testing.TB, fn func()) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	text := make(chan string, 1)
	go func() {
		all, err := io.ReadAll(r)
		if err != nil {
			t.Error(err)
		}
		text <- string(all)
	}()
	func() {
		defer func(old *os.File) {
			os.Stdout = old
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		}(os.Stdout)
		os.Stdout = w
		fn()
	}()
	got := <-text
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	return got
}
