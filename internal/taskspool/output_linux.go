//go:build amd64 || arm64

package taskspool

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// end is the last part of an output that has passed the file's cap.
type end struct {
	from int64
	data []byte
}

// tail reads the end of an output, nothing where the file holds all.
func (s *Spool) tail(id string) (end, error) {
	raw, err := os.ReadFile(s.path(id, "tail"))
	if missing(err) || err == nil && len(raw) < 8 {
		return end{}, nil
	}
	if err != nil {
		return end{}, err
	}
	return end{int64(binary.LittleEndian.Uint64(raw)), raw[8:]}, nil
}

// size is how many bytes the file holds, from the start.
func (s *Spool) size(id string) (int64, error) {
	info, err := os.Stat(s.path(id, "output"))
	if missing(err) {
		return 0, nil // the supervisor has not begun
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// total is how much a task wrote.
func (s *Spool) total(m meta) (int64, error) {
	n, err := s.size(m.Info.ID)
	if err != nil || n < m.Cap {
		return n, err
	}
	e, err := s.tail(m.Info.ID)
	return max(n, e.from+int64(len(e.data))), err
}

// Output implements [facade.TaskLog].
func (s *Spool) Output(ctx context.Context, id string, offset int64, limit int) (facade.TaskOutput, error) {
	if err := ctx.Err(); err != nil {
		return facade.TaskOutput{}, err
	}
	m, err := s.read(id)
	if err != nil {
		return facade.TaskOutput{}, err
	}
	out := facade.TaskOutput{Ended: s.ended(id)} // first: what comes later is read
	if err := s.fill(m, &out, max(offset, 0), max(limit, 1)); err != nil {
		e := facade.Errorf(facade.CodeIO, "the output of %s cannot be read", id)
		e.Err = err
		return out, e.WithHint("try again")
	}
	return out, nil
}

// fill reads the range.
func (s *Spool) fill(m meta, out *facade.TaskOutput, offset int64, limit int) error {
	id := m.Info.ID
	kept, err := s.size(id)
	if err != nil {
		return err
	}
	var e end
	if out.Total = kept; kept >= m.Cap {
		if e, err = s.tail(id); err != nil {
			return err
		}
		out.Total = max(kept, e.from+int64(len(e.data)))
	}
	offset = min(offset, out.Total)
	if offset < kept {
		out.Data, err = readAt(s.path(id, "output"), offset, min(int64(limit), kept-offset))
		if err != nil {
			return err
		}
	} else if len(e.data) > 0 {
		offset = max(offset, e.from) // what lies between is not kept
		rest := e.data[offset-e.from:]
		out.Data = rest[:min(len(rest), limit)]
	}
	out.Offset, out.Next = offset, offset+int64(len(out.Data))
	out.Stderr, err = s.spans(id, out.Offset, out.Next)
	return err
}

func readAt(path string, offset, n int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	buf := make([]byte, n)
	got, err := f.ReadAt(buf, offset)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return buf[:got], err
}

// spans lists the parts of a range that were written to the standard error. The
// file has, for each change of the stream, the offset and the new stream.
func (s *Spool) spans(id string, from, to int64) ([]facade.TaskSpan, error) {
	raw, err := os.ReadFile(s.path(id, "streams"))
	if err != nil && !missing(err) {
		return nil, fmt.Errorf("the streams of an output: %w", err)
	}
	var out []facade.TaskSpan
	for ; len(raw) >= 8; raw = raw[8:] {
		v := binary.LittleEndian.Uint64(raw)
		begin, stderr, stop := int64(v>>1), v&1 == 1, to
		if len(raw) >= 16 {
			stop = int64(binary.LittleEndian.Uint64(raw[8:]) >> 1)
		}
		if begin, stop = max(begin, from), min(stop, to); stderr && begin < stop {
			out = append(out, facade.TaskSpan{From: begin, To: stop})
		}
	}
	return out, nil
}

// The pauses between two looks at a task that is waited for.
const (
	firstPause = time.Millisecond
	lastPause  = 40 * time.Millisecond
)

// Wait implements [facade.TaskLog].
func (s *Spool) Wait(ctx context.Context, id string, offset int64) error {
	for pause := firstPause; ; pause = min(pause*5/4+time.Millisecond, lastPause) {
		m, err := s.read(id)
		if err != nil || s.ended(id) {
			return err
		}
		if offset < facade.TaskEnd {
			if total, err := s.total(m); err != nil || total > offset {
				return err
			}
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
