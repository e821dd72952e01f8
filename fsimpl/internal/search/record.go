package search

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// A part is handed over when it has grown to this.
const (
	partBytes   = 256 << 10
	partMatches = 4096
)

// spot is where a match is in the buffer.
type spot struct {
	line       int64
	start, end int // the line or lines
	from, to   int // the match
	skipped    int // bytes of a long line that are no longer in the buffer
	long       bool
}

// noted is a match whose texts are still in the recorder's blob.
type noted struct {
	match          Match
	start, end     int // of the content, in the blob
	from, to       int // of the match
	awaitingBelows int // lines below that are still to come
}

// recorder collects the matches of one file and the lines around them.
type recorder struct {
	scope   *Scope
	yield   func(Part) bool
	notes   []noted
	blob    []byte   // the texts of the notes
	ready   int      // notes before this one have all lines below them
	count   int      // matches of the file
	pending int      // of them, not handed over
	fed     int      // position in the buffer up to which lines below were taken
	above   []string // last lines before the buffer
	flushed bool     // a part was handed over
}

func (r *recorder) start(yield func(Part) bool) {
	r.yield = yield
	r.notes, r.blob = r.notes[:0], r.blob[:0]
	r.ready, r.count, r.pending, r.fed = 0, 0, 0, 0
	r.above, r.flushed = r.above[:0], false
}

// add notes a match in b; false means that no more are wanted.
func (r *recorder) add(b []byte, m spot) bool {
	r.count++
	r.pending++
	if r.scope.Mode != Lines {
		return true
	}
	if !m.long {
		_, next := lineEnd(b, m.end)
		r.feed(b, next)
	}
	n := noted{match: Match{Line: m.line, Column: m.skipped + m.from - m.start + 1}}
	r.content(b, m, &n)
	if r.scope.Context > 0 {
		n.match.Before = r.before(b, m.start)
		n.awaitingBelows = r.scope.Context
	}
	r.notes = append(r.notes, n)
	if r.scope.Context == 0 {
		r.ready = len(r.notes)
	}
	if len(r.blob) < partBytes && len(r.notes) < partMatches || r.ready == 0 {
		return true
	}
	return r.flush(r.ready)
}

// content copies the line, cut around the match when it is long.
func (r *recorder) content(b []byte, m spot, n *noted) {
	lo, hi := m.start, m.end
	if limit := r.scope.maxContent(); hi-lo > limit {
		room := max(0, limit-(m.to-m.from))
		lo = max(m.start, min(m.from-room/2, m.end-limit))
		hi = min(m.end, lo+limit)
		for lo < m.from && !utf8.RuneStart(b[lo]) {
			lo++
		}
		hi = max(lo, trimRune(b[:hi], m.end-hi))
	}
	to := max(m.from, min(m.to, hi))
	hi = max(hi, to)
	n.start = len(r.blob)
	r.appendText(b[lo:m.from])
	n.from = len(r.blob)
	r.appendText(b[m.from:to])
	n.to = len(r.blob)
	r.appendText(b[to:hi])
	n.end = len(r.blob)
}

// trimRune returns the length of b without a character cut at its end; it was
// cut when rest bytes followed.
func trimRune(b []byte, rest int) int {
	n := len(b)
	if rest == 0 {
		return n
	}
	for back := 1; back < utf8.UTFMax && back <= n; back++ {
		if utf8.RuneStart(b[n-back]) {
			if !utf8.FullRune(b[n-back:]) {
				return n - back
			}
			break
		}
	}
	return n
}

// appendText adds b to the blob, with invalid bytes replaced.
func (r *recorder) appendText(b []byte) {
	if utf8.Valid(b) {
		r.blob = append(r.blob, b...)
		return
	}
	r.blob = append(r.blob, bytes.ToValidUTF8(b, []byte("\uFFFD"))...)
}

// textLine returns a line of context, cut when long.
func (r *recorder) textLine(line []byte) string {
	if limit := r.scope.maxContent(); len(line) > limit {
		line = line[:trimRune(line[:limit], len(line)-limit)]
	}
	return strings.ToValidUTF8(string(line), "\uFFFD")
}

// before returns the lines above the one that starts at pos.
func (r *recorder) before(b []byte, pos int) []string {
	var lines []string
	for pos > 0 && len(lines) < r.scope.Context {
		start := bytes.LastIndexByte(b[:pos-1], '\n') + 1
		end, _ := lineEnd(b, start)
		lines = append(lines, r.textLine(b[start:end]))
		pos = start
	}
	for i := len(r.above) - 1; i >= 0 && len(lines) < r.scope.Context; i-- {
		lines = append(lines, r.above[i])
	}
	for i, j := 0, len(lines)-1; i < j; i, j = i+1, j-1 {
		lines[i], lines[j] = lines[j], lines[i]
	}
	return lines
}

// waiting reports whether some match still wants lines below it.
func (r *recorder) waiting() bool { return r.ready < len(r.notes) }

// feed gives the lines up to a position to the matches above them.
func (r *recorder) feed(b []byte, upTo int) {
	for r.fed < upTo && r.waiting() {
		end, next := lineEnd(b, r.fed)
		r.below(r.textLine(b[r.fed:end]))
		r.fed = next
	}
	r.fed = max(r.fed, upTo)
}

// below gives one line to the matches above it.
func (r *recorder) below(line string) {
	for i := r.ready; i < len(r.notes); i++ {
		n := &r.notes[i]
		n.match.After = append(n.match.After, line)
		n.awaitingBelows--
		if n.awaitingBelows == 0 {
			r.ready = i + 1
		}
	}
}

// finish is called when the buffer is done with, before it changes.
func (r *recorder) finish(b []byte) {
	if r.scope.Mode != Lines || r.scope.Context == 0 {
		return
	}
	r.feed(b, len(b))
	r.above = r.before(b, len(b))
	r.fed = max(0, r.fed-len(b))
}

// belowLine gives the start of a long line to the matches above it.
func (r *recorder) belowLine(line []byte) {
	if r.waiting() {
		r.below(r.textLine(line))
	}
}

// aboveLine keeps the start of a long line for the matches below it.
func (r *recorder) aboveLine(line []byte) {
	if r.scope.Mode != Lines || r.scope.Context == 0 {
		return
	}
	r.above = append(r.above, r.textLine(line))
	if extra := len(r.above) - r.scope.Context; extra > 0 {
		r.above = append(r.above[:0], r.above[extra:]...)
	}
}

// flush hands over the first n notes.
func (r *recorder) flush(n int) bool {
	part := Part{Count: r.pending}
	if r.scope.Mode == Lines {
		part.Count = n
		part.Matches = make([]Match, n)
		text, cut := string(r.blob), len(r.blob)
		if n < len(r.notes) {
			cut = r.notes[n].start
		}
		for i := range n {
			note := &r.notes[i]
			part.Matches[i] = note.match
			part.Matches[i].Content = text[note.start:note.end]
			part.Matches[i].Match = text[note.from:note.to]
		}
		r.blob = append(r.blob[:0], r.blob[cut:]...)
		r.notes = append(r.notes[:0], r.notes[n:]...)
		for i := range r.notes {
			note := &r.notes[i]
			note.start, note.end = note.start-cut, note.end-cut
			note.from, note.to = note.from-cut, note.to-cut
		}
		r.ready -= n
	}
	r.pending -= part.Count
	r.flushed = true
	return r.yield(part)
}

// end hands over what is left; false means that no more was wanted.
func (r *recorder) end() bool {
	if r.pending == 0 {
		return true
	}
	return r.flush(len(r.notes))
}
