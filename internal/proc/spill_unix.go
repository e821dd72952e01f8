//go:build unix

package proc

import (
	"errors"
	"os"
)

// spill makes the file of a long output. It has no name any more, so that it
// is gone with the process that holds it, however that ends.
func spill(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, ".output-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func drop(f *os.File) error { return f.Close() }
