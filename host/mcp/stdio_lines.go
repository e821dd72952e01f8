package mcphost

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// lines splits a stream into lines of bounded length.
type lines struct {
	r     *bufio.Reader
	limit int
	first bool
}

func newLines(r io.Reader, limit int) *lines {
	return &lines{r: bufio.NewReaderSize(r, 64<<10), limit: limit, first: true}
}

// longLineError reports a line above the limit, which was skipped.
type longLineError struct {
	id    json.RawMessage // of the message in it, if it could be sent back
	size  int
	limit int
}

func (e *longLineError) Error() string {
	return fmt.Sprintf("the message has %d bytes, the limit is %d: send less at once", e.size, e.limit)
}

// next returns the next line without its end and the blanks around it. The last
// one may come together with the error that ended the stream. After a
// [*longLineError] there may be more.
func (l *lines) next() ([]byte, error) {
	var line []byte
	for {
		part, err := l.r.ReadSlice('\n')
		if len(line)+len(bytes.TrimRight(part, "\r\n")) > l.limit {
			return nil, l.skip(line, part, err)
		}
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		return l.trim(line), err
	}
}

// trim removes what may stand around a message, a byte order mark at the start
// of the stream too.
func (l *lines) trim(line []byte) []byte {
	if l.first {
		line, l.first = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")), false
	}
	return bytes.Trim(line, " \t\r\n")
}

// skip reads on to the end of a line that is too long. Its message's identifier
// is looked for all the same: many clients write it last, and each waits for
// its answer.
func (l *lines) skip(line, part []byte, err error) error {
	var s scanner
	s.feed(line)
	size := len(line)
	for {
		s.feed(part)
		size += len(part)
		if !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
		part, err = l.r.ReadSlice('\n')
	}
	l.first = false
	id, _ := s.identifier()
	return &longLineError{id, size, l.limit} // an error of the stream comes again
}
