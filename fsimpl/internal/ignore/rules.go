package ignore

import "bytes"

// Rules are the patterns of one ignore file. They may be used by several
// goroutines at once.
type Rules struct {
	list       []rule
	names      map[string][]int // unanchored rules without wildcards
	extensions map[string][]int // "*.ext", by ".ext"
	rest       []int            // all others, last first
}

// Empty reports whether no pattern can match.
func (r *Rules) Empty() bool { return r == nil || len(r.list) == 0 }

// verdict is what a file's rules say of a path.
type verdict int8

const (
	silent verdict = iota
	hidden
	shown
)

// match decides by the last rule that matches path, which is relative to the
// directory of the file; its last element starts at name.
func (r *Rules) match(path []byte, name int, isDir bool) verdict {
	base := path[name:]
	best := r.last(r.names[string(base)], isDir)
	if dot := bytes.LastIndexByte(base, '.'); dot >= 0 && len(r.extensions) > 0 {
		best = max(best, r.last(r.extensions[string(base[dot:])], isDir))
	}
	for _, i := range r.rest {
		if i < best {
			break
		}
		rule := &r.list[i]
		if rule.dirOnly && !isDir {
			continue
		}
		subject := base
		if rule.anchored {
			subject = path
		}
		if rule.matches(subject) {
			best = i
			break
		}
	}
	switch {
	case best < 0:
		return silent
	case r.list[best].negated:
		return shown
	}
	return hidden
}

// last returns the last of the rules that applies, or -1.
func (r *Rules) last(rules []int, isDir bool) int {
	for k := len(rules) - 1; k >= 0; k-- {
		if isDir || !r.list[rules[k]].dirOnly {
			return rules[k]
		}
	}
	return -1
}

// matches reports whether the rule's pattern matches all of s.
func (r *rule) matches(s []byte) bool {
	switch r.shape {
	case shapeExact:
		return string(s) == r.text
	case shapeSuffix:
		return len(s) >= len(r.text) && string(s[len(s)-len(r.text):]) == r.text
	case shapePrefix:
		return len(s) >= len(r.text) && string(s[:len(r.text)]) == r.text
	case shapeWild:
	}
	return r.wild.match(s)
}

// Chain holds the rules that apply in a directory, the deepest first. A nil
// Chain hides nothing. Chains share their tails and never change, so they may
// be used by several goroutines at once.
type Chain struct {
	parent *Chain
	rules  *Rules
	base   int // length of the path to the rules' directory, with its '/'
}

// Push returns a chain on which rules come before those of c. Dir is the
// directory of their file, "" for the top; empty rules leave c as it is.
func (c *Chain) Push(rules *Rules, dir string) *Chain {
	if rules.Empty() {
		return c
	}
	base := 0
	if dir != "" {
		base = len(dir) + 1
	}
	return &Chain{parent: c, rules: rules, base: base}
}

// Ignored reports whether path is hidden; its last element starts at name.
// Paths are relative to the top that [Chain.Push] counts from and must lie
// below every directory pushed.
func (c *Chain) Ignored(path []byte, name int, isDir bool) bool {
	for ; c != nil; c = c.parent {
		switch c.rules.match(path[c.base:], name-c.base, isDir) {
		case hidden:
			return true
		case shown:
			return false
		case silent:
		}
	}
	return false
}
