package gitimpl

import (
	"errors"
	"io/fs"
)

// errTooLong reports a file above the limit of its kind.
var errTooLong = errors.New("file is too long")

// readRegular reads a regular file of at most limit bytes. It does not follow
// a symbolic link in the last element and does not wait for a FIFO.
func readRegular(path string, limit int64) ([]byte, error) {
	f, size, err := openRegular(path)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer f.close()
	if size > limit {
		return nil, errTooLong
	}
	// One byte of room tells a file that has grown since.
	buf := make([]byte, 0, size+1)
	for {
		n, err := f.read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case err != nil:
			return nil, &fs.PathError{Op: "read", Path: path, Err: err}
		case int64(len(buf)) > limit:
			return nil, errTooLong
		case n == 0:
			return buf, nil
		case len(buf) == cap(buf):
			buf = append(buf, 0)[:len(buf)]
		}
	}
}
