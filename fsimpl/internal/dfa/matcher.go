package dfa

import "bytes"

const (
	// cacheSize bounds the table of a matcher, in bytes.
	cacheSize = 512 << 10
	// minUse is how many bytes of text a full cache must have served for
	// each of its states; with less the matcher gives up.
	minUse = 16
)

// Special states. Others are numbered from 3 and written as the position of
// their row in the table.
const (
	unknown = iota // not made yet
	matched
	dead // nothing can match in the rest of the line
	special
)

// Matcher runs a program. It is not safe for concurrent use.
type Matcher struct {
	p      *Program
	stride int
	limit  int // number of states
	minUse int
	table  []uint32 // rows of next states, by class
	states []state
	byKey  map[string]uint32
	start  uint32 // at the start of a line
	used   int    // bytes of text since the cache was emptied
	failed bool
	set    sparse
	queue  []int32
	key    []byte
}

// NewMatcher returns a matcher for the program.
func (p *Program) NewMatcher() *Matcher {
	m := &Matcher{p: p, stride: len(p.example)}
	m.limit, m.minUse = max(cacheSize/4/m.stride, 64), minUse
	m.set.init(len(p.nodes))
	m.clear()
	return m
}

// GaveUp reports whether the matcher has stopped working.
func (m *Matcher) GaveUp() bool { return m.failed }

// Find returns a position in the first line at or after from that may match,
// which can be that of its '\n', or -1. From must be the start of a line. When
// the matcher has given up, it returns the start of the line it was in.
func (m *Matcher) Find(b []byte, from int) int {
	if m.failed || from >= len(b) || m.start == m.row(matched) {
		if from >= len(b) {
			return -1
		}
		return from
	}
	first, sure := from, m.row(special)
	s, table, classes := m.start, m.table, &m.p.classes
	for i := from; i < len(b); {
		row := table[s:]
		for i < len(b) && row[classes[b[i]]] == s {
			i++ // a loop of its own keeps the processor's pipeline full
		}
		if i == len(b) {
			break
		}
		t := row[classes[b[i]]]
		if t >= sure {
			s = t
			i++
			continue
		}
		if t == unknown {
			t = m.next(s, int(classes[b[i]]), i-first)
			if m.failed {
				return bytes.LastIndexByte(b[from:i], '\n') + 1 + from
			}
			if m.used == 0 {
				first = i
			}
			table = m.table
		}
		switch t {
		case m.row(matched):
			m.used += i - first
			return i
		case m.row(dead):
			n := bytes.IndexByte(b[i:], '\n')
			if n < 0 {
				m.used += i - first
				return -1
			}
			i, t = i+n, m.start
		}
		s = t
		i++
	}
	m.used += len(b) - first
	if b[len(b)-1] != '\n' && m.next(s, m.p.newline, 0) == m.row(matched) {
		return len(b) - 1
	}
	return -1
}

// Match reports whether a line, given without its line ending, may match.
func (m *Matcher) Match(line []byte) bool {
	if len(line) > 0 {
		return m.Find(line, 0) >= 0
	}
	return m.failed || m.start == m.row(matched) || m.next(m.start, m.p.newline, 0) == m.row(matched)
}

// row returns the position in the table of a state's row.
func (m *Matcher) row(number uint32) uint32 { return number * uint32(m.stride) }

// next returns the state after s and a byte of a class, where more bytes of
// text were served since the last call that counted them.
func (m *Matcher) next(s uint32, class, more int) uint32 {
	if t := m.table[int(s)+class]; t != unknown {
		return t
	}
	t := m.make(&m.states[int(s)/m.stride], class)
	if len(m.states) <= m.limit {
		m.table[int(s)+class] = t
		return t
	}
	if m.used+more < m.minUse*m.limit {
		m.failed = true
		return t
	}
	return m.restart(t)
}

// clear empties the cache.
func (m *Matcher) clear() {
	m.table = append(m.table[:0], make([]uint32, special*m.stride)...)
	m.states = append(m.states[:0], make([]state, special)...)
	m.byKey = map[string]uint32{}
	m.used = 0
	m.start = m.intern(m.startSet(), flagLineStart)
}

// restart empties the cache but for the start and the state t.
func (m *Matcher) restart(t uint32) uint32 {
	if t < m.row(special) {
		m.clear()
		return t
	}
	keep := m.states[int(t)/m.stride]
	m.clear()
	m.set.reset()
	for _, n := range keep.nodes {
		m.set.add(n)
	}
	return m.intern(false, keep.flags)
}
