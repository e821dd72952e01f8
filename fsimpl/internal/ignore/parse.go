package ignore

import (
	"slices"
	"strings"
)

// MaxFileSize is how much of an ignore file is worth reading, in bytes. What
// comes after it is not looked at; git itself draws the line at 100 MiB.
const MaxFileSize = 1 << 20

// rule is one line of an ignore file.
type rule struct {
	negated  bool
	dirOnly  bool
	anchored bool // the whole path is compared, not the last element
	shape    shape
	text     string // for the shapes without other wildcards
	wild     wild   // for shapeWild
}

// shape tells how a rule is compared.
type shape uint8

const (
	shapeExact  shape = iota // equal to text
	shapeSuffix              // "*text"
	shapePrefix              // "text*"
	shapeWild
)

// Parse reads the patterns of an ignore file. It never fails: as in git, a
// malformed pattern matches nothing.
func Parse(data []byte) *Rules {
	text := strings.TrimPrefix(string(data), "\xef\xbb\xbf")
	rules := &Rules{}
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		line = strings.TrimSuffix(line, "\r")
		if nul := strings.IndexByte(line, 0); nul >= 0 {
			line = line[:nul]
		}
		if r, ok := parseRule(trimBlanks(line)); ok {
			rules.list = append(rules.list, r)
		}
	}
	rules.index()
	return rules
}

// trimBlanks cuts trailing blanks unless the first of them is escaped.
func trimBlanks(line string) string {
	end := len(line)
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			end = min(end, i)
		case '\\':
			i++
			end = len(line)
		default:
			end = len(line)
		}
	}
	return line[:end]
}

// parseRule reads a line; ok is false when it can never match.
func parseRule(p string) (r rule, ok bool) {
	p, r.negated = strings.CutPrefix(p, "!")
	p, r.dirOnly = strings.CutSuffix(p, "/")
	r.anchored = strings.Contains(p, "/")
	if r.anchored {
		p = strings.TrimPrefix(p, "/")
	}
	if p == "" {
		return r, false
	}
	switch {
	case !hasMeta(p):
		r.shape, r.text = shapeExact, p
	case !r.anchored && p[0] == '*' && !hasMeta(p[1:]):
		r.shape, r.text = shapeSuffix, p[1:]
	case !r.anchored && p[len(p)-1] == '*' && !hasMeta(p[:len(p)-1]):
		r.shape, r.text = shapePrefix, p[:len(p)-1]
	default:
		r.shape = shapeWild
		r.wild, ok = compile(p)
		return r, ok
	}
	return r, true
}

func hasMeta(s string) bool { return strings.ContainsAny(s, `*?[\`) }

// index sorts the rules into the lookups that [Rules.Match] tries, so that the
// cost of a long file does not grow with its plain names and extensions.
func (r *Rules) index() {
	r.names, r.extensions = map[string][]int{}, map[string][]int{}
	for i := range r.list {
		switch rule := &r.list[i]; {
		case rule.shape == shapeExact && !rule.anchored:
			r.names[rule.text] = append(r.names[rule.text], i)
		case rule.shape == shapeSuffix && strings.LastIndexByte(rule.text, '.') == 0:
			r.extensions[rule.text] = append(r.extensions[rule.text], i)
		default:
			r.rest = append(r.rest, i)
		}
	}
	slices.Reverse(r.rest)
}
