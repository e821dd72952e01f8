package access

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// place is a path split into components, relative to the root unless floating.
type place struct {
	parts []string
	// floating says that it came from an absolute path of which it is not known
	// where the root ends.
	floating bool
}

// spellings lists the places that a path of a call might mean: as written, with
// its escapes decoded, and with backslashes taken as separators.
func spellings(p, dir string, roots []string) []place {
	texts := []string{p, unescape(p)}
	for _, text := range texts[:2] {
		texts = append(texts, strings.ReplaceAll(text, `\`, "/"))
	}
	slices.Sort(texts)
	var places []place
	for _, text := range slices.Compact(texts) {
		places = append(places, locate(text, dir, roots))
	}
	return places
}

// meanings lists the places that a path means where '\' is part of a name.
func meanings(p, dir string, roots []string) []place {
	places := []place{locate(p, dir, roots)}
	if plain := unescape(p); plain != p {
		places = append(places, locate(plain, dir, roots))
	}
	return places
}

// locate makes a path lexical. dir is the current directory, below the root.
func locate(p, dir string, roots []string) place {
	if !isAbs(p) {
		return place{parts: split(dir + "/" + p)}
	}
	p = path.Clean(p)
	for _, root := range roots {
		rest, ok := strings.CutPrefix(p, root)
		if ok && (rest == "" || rest[0] == '/' || root == "/") {
			return place{parts: split(rest)}
		}
	}
	return place{parts: split(p), floating: true}
}

// isAbs reports whether p is absolute on any system.
func isAbs(p string) bool {
	return strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':' && unicode.IsLetter(rune(p[0]))
}

// split returns the components of p, ".." resolved and never above the root.
func split(p string) []string {
	p = strings.TrimPrefix(path.Clean("/"+p), "/")
	if p == "" {
		return nil
	}
	return strings.Split(p, "/")
}

// foldAll folds every component.
func foldAll(parts []string) []string {
	folded := make([]string, len(parts))
	for i, p := range parts {
		folded[i] = fold(p)
	}
	return folded
}

// fold maps the spellings that some file system takes for one name to one:
// case, trailing dots and blanks, stream names, ignorable code points.
func fold(part string) string {
	if i := strings.IndexByte(part, ':'); i > 0 && !strings.ContainsAny(part[:i], "[]") {
		part = part[:i]
	}
	part = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
			unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		return least(r)
	}, part)
	return strings.TrimRight(part, ". ")
}

// least returns the smallest of the runes that differ from r in case only, in
// lower case where that is ASCII.
func least(r rune) rune {
	smallest := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		smallest = min(smallest, f)
	}
	if 'A' <= smallest && smallest <= 'Z' {
		return smallest + 'a' - 'A'
	}
	return smallest
}

// unescape decodes the \xHH by which names that are not UTF-8 travel: a model
// may write any byte so.
func unescape(p string) string {
	if !strings.Contains(p, `\x`) {
		return p
	}
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		if strings.HasPrefix(p[i:], `\x`) && len(p) >= i+4 {
			if n, err := strconv.ParseUint(p[i+2:i+4], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(p[i])
	}
	return b.String()
}
