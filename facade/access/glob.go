package access

import (
	"fmt"
	"path"
	"strings"
)

// glob is a path pattern of a rule. It covers what it matches and everything
// below that.
type glob struct {
	exact, folded []string // its components
}

// newGlob parses a pattern.
func newGlob(pattern string) (glob, error) {
	p := strings.TrimRight(pattern, "/")
	switch {
	case p == "":
		return glob{}, fmt.Errorf("the pattern %q is empty; '**' covers every path", pattern)
	case strings.ContainsAny(p, `\{}`):
		return glob{}, fmt.Errorf("the pattern %q has a backslash or a brace: separate with '/', "+
			"give alternatives as patterns of their own, and quote a character as [*]", pattern)
	}
	rest, anchored := strings.CutPrefix(p, "/")
	if !anchored && !strings.Contains(p, "/") {
		rest = "**/" + p
	}
	g := glob{exact: strings.Split(rest, "/")}
	for _, part := range g.exact {
		folded := part
		if part != "**" {
			folded = fold(part)
		}
		if err := checkPart(part, folded); err != nil {
			return glob{}, fmt.Errorf("the pattern %q: %w", pattern, err)
		}
		g.folded = append(g.folded, folded)
	}
	return g, nil
}

func checkPart(part, folded string) error {
	switch {
	case part == "" || part == "." || part == "..":
		return fmt.Errorf("the component %q never occurs in a path below the root", part)
	case folded == "":
		return fmt.Errorf("the component %q is no name", part)
	case part != "**" && strings.Contains(part, "**"):
		return fmt.Errorf("'**' has to be a component of its own")
	}
	for _, p := range []string{part, folded} {
		if _, err := path.Match(p, ""); err != nil {
			return err
		}
	}
	return nil
}

// match walks a path through a pattern. covers says that the path, or a
// directory it lies in, matches; below that something below the path might.
// With anywhere the path may start at any of its components: of an absolute
// path it is not known where the root ends.
func match(pattern, parts []string, anywhere bool) (covers, below bool) {
	end := len(pattern)
	at := make([]bool, end+1) // the positions that the path so far leads to
	at[0] = true
	for i := 0; ; i++ {
		for k := range end {
			if at[k] && pattern[k] == "**" {
				at[k+1] = true
			}
		}
		if at[end] {
			return true, true
		}
		if i == len(parts) {
			return false, anyTrue(at)
		}
		next := make([]bool, end+1)
		next[0] = anywhere
		for k := range end {
			if !at[k] {
				continue
			}
			if pattern[k] == "**" {
				next[k] = true
			} else if ok, err := path.Match(pattern[k], parts[i]); ok && err == nil {
				next[k+1] = true
			}
		}
		at = next
	}
}

func anyTrue(b []bool) bool {
	for _, v := range b {
		if v {
			return true
		}
	}
	return false
}
