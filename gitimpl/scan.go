package gitimpl

import (
	"bufio"
	"errors"
	"io"

	"github.com/toolfacade/toolfacade/facade"
)

// longestField is the most bytes between two NULs of git's output.
const longestField = 1 << 20

// errField reports output that is not as git documents it.
var errField = facade.Errorf(facade.CodeInternal, "the output of git is malformed")

// field reads up to the next NUL. At the end of the output it returns io.EOF.
func field(r *bufio.Reader) ([]byte, error) {
	var out []byte
	for {
		part, err := r.ReadSlice(0)
		if len(out)+len(part) > longestField {
			return nil, errField
		}
		switch {
		case err == nil && out == nil:
			return part[: len(part)-1 : len(part)-1], nil
		case err == nil:
			out = append(out, part...)
			return out[:len(out)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
			out = append(out, part...)
		case errors.Is(err, io.EOF) && len(out)+len(part) == 0:
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			return nil, errField
		default:
			return nil, err
		}
	}
}

// fieldStart is like field, but of a longer field it returns the start: a
// commit message can have any length.
func fieldStart(r *bufio.Reader, limit int) ([]byte, error) {
	var out []byte
	for first := true; ; first = false {
		part, err := r.ReadSlice(0)
		ended := err == nil
		if ended {
			part = part[:len(part)-1]
		}
		if space := limit - len(out); space > 0 {
			out = append(out, part[:min(len(part), space)]...)
		}
		switch {
		case ended:
			return out, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && first && len(part) == 0:
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			return nil, errField
		default:
			return nil, err
		}
	}
}

// names reads a list of NUL-terminated names.
func names(out []byte) []string {
	var list []string
	start := 0
	for i, c := range out {
		if c == 0 {
			list = append(list, shown(out[start:i]))
			start = i + 1
		}
	}
	return list
}
