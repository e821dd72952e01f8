package proc

import (
	"errors"
	"os"
)

// spill makes the file of a long output. Windows keeps the name of an open
// file; drop removes it.
func spill(dir string) (*os.File, error) { return os.CreateTemp(dir, ".output-*") }

func drop(f *os.File) error { return errors.Join(f.Close(), os.Remove(f.Name())) }
