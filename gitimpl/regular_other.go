//go:build !unix

package gitimpl

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// noFollow is not available here.
const noFollow = 0

// regular is an open regular file.
type regular struct{ *os.File }

// openRegular opens a file and tells its size; what is no regular file is
// fs.ErrInvalid.
func openRegular(path string) (regular, int64, error) {
	f, err := os.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return regular{}, 0, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = fs.ErrInvalid
	}
	if err != nil {
		_ = f.Close()
		return regular{}, 0, err
	}
	return regular{f}, fi.Size(), nil
}

// read returns 0 at the end of the file.
func (f regular) read(b []byte) (int, error) {
	n, err := f.Read(b)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func (f regular) close() { _ = f.Close() }
