package diff

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/toolfacade/toolfacade/fsimpl/internal/edit"
)

// reach is how far from a change the ends of its lines are looked for.
const reach = 64 << 10

// Splices shows splices of a UTF-8 file as [Unified] would, reading only the
// lines around them: its cost depends on the change, but for the line numbers,
// and not on the file. Changes of longer lines are told, not shown.
func Splices(oldName, newName string, old io.ReaderAt, size int64, splices []edit.Splice, o *Options) (Result, error) {
	w := newWriter(oldName, newName, o.withDefaults())
	s := &spliced{w: w, old: old, size: size}
	for len(splices) > 0 {
		n, err := s.group(splices)
		if err != nil {
			return Result{}, fmt.Errorf("read the file around the change: %w", err)
		}
		splices = splices[n:]
	}
	if !strings.Contains(w.b.String(), "\n@@") && !w.cut && w.left == 0 {
		return Result{}, nil
	}
	r := w.result()
	r.Text = strings.ToValidUTF8(r.Text, "\uFFFD")
	return r, nil
}

type spliced struct {
	w     *writer
	old   io.ReaderAt
	size  int64
	at    int64 // up to where lines are counted
	line  int   // lines before it
	drift int   // lines that changes before it added
}

// group shows the splices whose lines or contexts touch, and returns how many.
func (s *spliced) group(splices []edit.Splice) (int, error) {
	if s.w.b.Len() >= s.w.o.MaxBytes {
		for _, sp := range splices {
			s.w.left += 1 + bytes.Count(sp.New, []byte{'\n'})
		}
		return len(splices), nil
	}
	lo, err := s.back(splices[0].Start)
	if err != nil {
		return 0, err
	}
	hi, err := s.forth(splices[0].End)
	if err != nil {
		return 0, err
	}
	n := 1
	for ; n < len(splices) && hi-lo <= 16*reach; n++ {
		next, err := s.back(splices[n].Start)
		if err != nil {
			return 0, err
		}
		if next > hi {
			break
		}
		if hi, err = s.forth(splices[n].End); err != nil {
			return 0, err
		}
	}
	if err := s.count(lo); err != nil {
		return 0, err
	}
	before := make([]byte, hi-lo)
	if m, err := s.old.ReadAt(before, lo); m < len(before) {
		return 0, err
	}
	s.show(before, lo, splices[:n])
	return n, nil
}

func (s *spliced) show(before []byte, lo int64, splices []edit.Splice) {
	local := make([]edit.Splice, len(splices))
	for i, sp := range splices {
		local[i] = edit.Splice{Start: sp.Start - lo, End: sp.End - lo, New: sp.New}
	}
	after := edit.Apply(before, local)
	bom := []byte("\xEF\xBB\xBF")
	if lo == 0 && bytes.HasPrefix(before, bom) && bytes.HasPrefix(after, bom) {
		before, after = before[3:], after[3:]
	}
	a, b := lines(before), lines(after)
	if lo > 0 && (len(before) == 0 || !s.startsLine(lo)) || len(before) > 16*reach {
		s.w.note("line %d: %d bytes became %d; the line is too long to show", s.line+1, len(before), len(after))
	} else {
		head, tail := common(a, b)
		x, y := intern(a[head:len(a)-tail], b[head:len(b)-tail])
		deleted, inserted := compare(x, y, s.w.o.MaxEdits)
		s.w.hunks(a, b, script(deleted, inserted, head), s.line, s.line+s.drift)
	}
	s.drift += bytes.Count(after, []byte{'\n'}) - bytes.Count(before, []byte{'\n'})
}

// startsLine reports whether a line starts at an offset.
func (s *spliced) startsLine(at int64) bool {
	var b [1]byte
	_, err := s.old.ReadAt(b[:], at-1)
	return err == nil && b[0] == '\n'
}

// back returns where the context before an offset begins, or an offset inside
// a line when that is too long.
func (s *spliced) back(at int64) (int64, error) {
	lo := max(0, at-reach)
	buf := make([]byte, at-lo)
	if n, err := s.old.ReadAt(buf, lo); n < len(buf) {
		return 0, err
	}
	end := len(buf)
	for range s.w.o.Context + 1 {
		n := bytes.LastIndexByte(buf[:end], '\n')
		if n < 0 {
			if lo == 0 {
				return 0, nil
			}
			if end == len(buf) {
				return at, nil // no line starts within reach
			}
			return lo + int64(end) + 1, nil
		}
		end = n
	}
	return lo + int64(end) + 1, nil
}

// forth returns where the context after an offset ends.
func (s *spliced) forth(at int64) (int64, error) {
	hi := min(s.size, at+reach)
	buf := make([]byte, hi-at)
	if n, err := s.old.ReadAt(buf, at); n < len(buf) {
		return 0, err
	}
	end := 0
	for range s.w.o.Context + 1 {
		n := bytes.IndexByte(buf[end:], '\n')
		if n < 0 {
			return hi, nil
		}
		end += n + 1
	}
	return at + int64(end), nil
}

// count counts the lines up to an offset.
func (s *spliced) count(to int64) error {
	buf := make([]byte, min(256<<10, max(to-s.at, 0)))
	for s.at < to {
		n, err := s.old.ReadAt(buf[:min(int64(len(buf)), to-s.at)], s.at)
		if n == 0 {
			return err
		}
		s.line += bytes.Count(buf[:n], []byte{'\n'})
		s.at += int64(n)
	}
	return nil
}
