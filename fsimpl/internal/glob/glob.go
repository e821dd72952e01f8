// Package glob compiles the file patterns of list, find and grep.
//
// The syntax is that of doublestar: '*' and '?' stop at '/', '**' spans
// directories, '[a-z]' and '{go,md}' choose, '\' escapes. A pattern without a
// '/' is compared with the last element of a path, so "*.go" matches at any
// depth; one that ends in '/' matches directories only. What a pattern may
// cost is bounded when it is compiled.
package glob

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/toolfacade/toolfacade/facade"
)

// The limits of a pattern; beyond them it is an invalid argument.
const (
	// MaxLength is the length of a pattern in bytes.
	MaxLength = 2048
	// MaxAlternatives is the number of patterns that the braces of one
	// pattern stand for: "{a,b}/{c,d}" has 4.
	MaxAlternatives = 1024
	// MaxPatterns is the number of patterns in a set.
	MaxPatterns = 1024
)

// Options say how patterns are compared.
type Options struct {
	// FoldCase compares without regard to upper and lower case.
	FoldCase bool
}

// Set is a list of patterns, any of which may match. The nil and the empty
// set match nothing. A Set may be used by several goroutines at once.
type Set struct {
	patterns []pattern
	fold     bool
}

// pattern is one compiled pattern.
type pattern struct {
	text    string
	base    bool   // compared with the last element
	dirOnly bool   // matches directories only
	suffix  string // the pattern is "*suffix", compared with the last element
	prefix  string // the directories it begins with that hold no wildcard
}

// Compile checks and translates patterns. An error is an invalid argument that
// names the field and says what is wrong with which pattern.
func Compile(field string, patterns []string, opt *Options) (*Set, error) {
	if opt == nil {
		opt = &Options{}
	}
	if len(patterns) > MaxPatterns {
		return nil, facade.InvalidArgument(field, "there are %d patterns; at most %d are allowed", len(patterns), MaxPatterns)
	}
	set := &Set{fold: opt.FoldCase}
	for _, text := range patterns {
		p, err := compile(text, opt.FoldCase)
		if err != nil {
			hint := `escape a literal *, ?, [ or { with '\', as in \[draft\].md`
			if errors.Is(err, errTooMany) {
				hint = "use fewer braces, or give several patterns"
			}
			return nil, facade.InvalidArgument(field, "bad pattern %q: %w", text, err).WithHint("%s", hint)
		}
		set.patterns = append(set.patterns, p)
	}
	return set, nil
}

func compile(text string, fold bool) (pattern, error) {
	var p pattern
	if err := check(text); err != nil {
		return p, err
	}
	if fold {
		text = strings.ToLower(text)
	}
	text, p.dirOnly = strings.CutSuffix(text, "/")
	p.base = !strings.Contains(text, "/")
	for strings.HasPrefix(text, "./") {
		text = text[2:]
	}
	p.text = strings.TrimPrefix(text, "/")
	if p.text == "" || p.text == "." {
		return p, fmt.Errorf("it names nothing")
	}
	if strings.HasSuffix(p.text, "/**") {
		p.text += "/*" // what is below a directory, not the directory
	}
	if !doublestar.ValidatePattern(p.text) {
		return p, fmt.Errorf("a wildcard in it is malformed")
	}
	if rest, ok := strings.CutPrefix(p.text, "*"); ok && p.base && !strings.ContainsAny(rest, `*?[{\`) {
		p.suffix = rest
	}
	if dir, _ := doublestar.SplitPattern(p.text); !p.base && dir != "." && !strings.Contains(dir, `\`) {
		p.prefix = dir
	}
	return p, nil
}

// Empty reports whether the set has no pattern.
func (s *Set) Empty() bool { return s == nil || len(s.patterns) == 0 }

// Match reports whether a pattern matches name, a '/'-separated path without
// a leading '/'.
func (s *Set) Match(name string, isDir bool) bool {
	if s.Empty() {
		return false
	}
	if s.fold {
		name = strings.ToLower(name)
	}
	base := path.Base(name)
	for i := range s.patterns {
		if p := &s.patterns[i]; (isDir || !p.dirOnly) && p.match(name, base) {
			return true
		}
	}
	return false
}

func (p *pattern) match(name, base string) bool {
	switch {
	case p.suffix != "":
		return strings.HasSuffix(base, p.suffix)
	case p.base:
		return doublestar.MatchUnvalidated(p.text, base)
	}
	return doublestar.MatchUnvalidated(p.text, name)
}

// MayMatchBelow reports whether a pattern may match something below the
// directory dir, so that a walk can leave out the others. It judges by the
// leading directories without wildcards only.
func (s *Set) MayMatchBelow(dir string) bool {
	if s.Empty() {
		return false
	}
	if s.fold {
		dir = strings.ToLower(dir)
	}
	for i := range s.patterns {
		prefix := s.patterns[i].prefix
		if prefix == "" || below(dir, prefix) || below(prefix, dir) {
			return true
		}
	}
	return false
}

// below reports whether name is dir or lies in it.
func below(name, dir string) bool {
	rest, ok := strings.CutPrefix(name, dir)
	return ok && (rest == "" || rest[0] == '/')
}
