package mcphost

import "slices"

// members are the names that tell what a message is.
var members = []string{"id", "method", "result", "error"}

// scanner finds which of [members] an object has, and the value of "id", in
// JSON that comes in pieces and is not kept. It expects well-formed JSON and
// finds nothing sensible in anything else.
type scanner struct {
	depth   int
	str     bool // in a string
	escaped bool // after a backslash in it
	key     bool // the next string of the object is a name
	text    []byte
	name    string   // of the member whose value is being read
	names   []string // of the members found
	id      []byte
}

// maxKept is how long a name or an identifier may be to be looked at.
const maxKept = 256

func (s *scanner) has(name string) bool { return slices.Contains(s.names, name) }

func (s *scanner) feed(data []byte) {
	for _, b := range data {
		s.value(b)
		if s.str {
			s.inString(b)
			continue
		}
		s.structure(b)
	}
}

// value keeps the bytes of the identifier.
func (s *scanner) value(b byte) {
	if s.name != "id" || s.depth != 1 || len(s.id) >= maxKept {
		return
	}
	if s.str || b != ' ' && b != '\t' && b != ',' && b != '}' && b != ':' && b != '\r' && b != '\n' {
		s.id = append(s.id, b)
	}
}

func (s *scanner) inString(b byte) {
	switch {
	case s.escaped:
		s.escaped = false
	case b == '\\':
		s.escaped = true
	case b == '"':
		s.str = false
		if s.depth == 1 && s.key {
			s.member(string(s.text))
		}
		return
	}
	if s.depth == 1 && s.key && len(s.text) < maxKept {
		s.text = append(s.text, b)
	}
}

// member notes the name of a member. Of two the last counts, as in Go's decoder.
func (s *scanner) member(name string) {
	s.name, s.key = name, false
	if name == "id" {
		s.id = s.id[:0]
	}
	if slices.Contains(members, name) && !s.has(name) {
		s.names = append(s.names, name)
	}
}

func (s *scanner) structure(b byte) {
	switch b {
	case '"':
		s.str, s.text = true, s.text[:0]
	case '{', '[':
		s.depth++
		s.key = s.depth == 1 && b == '{'
	case '}', ']':
		s.depth--
	case ',':
		if s.depth == 1 {
			s.key, s.name = true, ""
		}
	}
}
