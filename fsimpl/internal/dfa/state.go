package dfa

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
)

// flags say what precedes the position of a state.
type flags uint8

const (
	flagLineStart flags = 1 << iota
	flagWord            // a word character
)

// state is a set of nodes that wait for a byte, or for a condition.
type state struct {
	nodes []int32
	flags flags
	empty bool // some wait for a condition
}

// sparse is a set of nodes that is cheap to empty.
type sparse struct {
	dense  []int32
	places []int32
}

func (s *sparse) init(n int) { s.dense, s.places = make([]int32, 0, n), make([]int32, n) }
func (s *sparse) reset()     { s.dense = s.dense[:0] }

func (s *sparse) has(n int32) bool {
	at := s.places[n]
	return int(at) < len(s.dense) && s.dense[at] == n
}

// add reports whether n is new.
func (s *sparse) add(n int32) bool {
	if s.has(n) {
		return false
	}
	s.places[n] = int32(len(s.dense))
	s.dense = append(s.dense, n)
	return true
}

// follow adds to the set all that node n leads to where the conditions hold,
// and reports whether that is a match.
func (m *Matcher) follow(n int32, holds syntax.EmptyOp) bool {
	m.queue = append(m.queue[:0], n)
	for len(m.queue) > 0 {
		n := m.queue[len(m.queue)-1]
		m.queue = m.queue[:len(m.queue)-1]
		if !m.set.add(n) {
			continue
		}
		switch node := &m.p.nodes[n]; {
		case node.op == opMatch:
			return true
		case node.op == opBranch, node.op == opEmpty && node.cond&^holds == 0:
			m.queue = append(m.queue, node.outs...)
		}
	}
	return false
}

// startSet sets the set to that of the start of a line.
func (m *Matcher) startSet() bool {
	m.set.reset()
	return m.follow(m.p.start, 0)
}

// conditions returns what holds between a state and the next byte. At '\r' the
// line may end, so what holds there holds too.
func (s *state) conditions(c byte) syntax.EmptyOp {
	var holds syntax.EmptyOp
	if s.flags&flagLineStart != 0 {
		holds |= syntax.EmptyBeginLine | syntax.EmptyBeginText
	}
	if c == '\n' || c == '\r' {
		holds |= syntax.EmptyEndLine | syntax.EmptyEndText
	}
	if (s.flags&flagWord != 0) != isWord(c) {
		return holds | syntax.EmptyWordBoundary
	}
	return holds | syntax.EmptyNoWordBoundary
}

// make returns the state that a byte of a class leads to.
func (m *Matcher) make(s *state, class int) uint32 {
	c := m.p.example[class]
	nodes := s.nodes
	if s.empty {
		m.set.reset()
		holds := s.conditions(c)
		for _, n := range s.nodes {
			if m.follow(n, holds) {
				return m.row(matched)
			}
		}
		nodes = slices.Clone(m.set.dense)
	}
	if c == '\n' {
		return m.start
	}
	m.set.reset()
	for _, n := range nodes {
		if node := &m.p.nodes[n]; node.op == opByte && node.lo <= c && c <= node.hi {
			if m.follow(node.outs[0], 0) {
				return m.row(matched)
			}
		}
	}
	match := m.follow(m.p.start, 0) // a match may start here
	var f flags
	if m.p.words && isWord(c) {
		f = flagWord
	}
	return m.intern(match, f)
}

// intern returns the state for the set.
func (m *Matcher) intern(match bool, f flags) uint32 {
	if match {
		return m.row(matched)
	}
	s := state{flags: f}
	for _, n := range m.set.dense {
		node := &m.p.nodes[n]
		switch {
		case node.op == opEmpty && f&flagLineStart == 0 && node.cond&(syntax.EmptyBeginLine|syntax.EmptyBeginText) != 0:
			// will never hold on this line
		case node.op == opEmpty:
			s.empty = true
			s.nodes = append(s.nodes, n)
		case node.op == opByte:
			s.nodes = append(s.nodes, n)
		}
	}
	if len(s.nodes) == 0 && f&flagLineStart == 0 {
		return m.row(dead)
	}
	slices.Sort(s.nodes)
	m.key = append(m.key[:0], byte(f))
	for _, n := range s.nodes {
		m.key = binary.NativeEndian.AppendUint32(m.key, uint32(n))
	}
	if known, ok := m.byKey[string(m.key)]; ok {
		return known
	}
	number := m.row(uint32(len(m.states)))
	m.byKey[string(m.key)] = number
	m.states = append(m.states, s)
	m.table = append(m.table, make([]uint32, m.stride)...)
	return number
}
