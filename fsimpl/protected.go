package fsimpl

import (
	"slices"
	"strings"
	"unicode"

	"github.com/toolfacade/toolfacade/facade"
)

// protected are names that programs obey: version control runs hooks from its
// directory, editors and agents run commands from their configuration. A model
// that may write them may run code outside every sandbox, so writing them
// needs the host's consent, also where they do not exist yet.
var protected = []string{
	".git", ".hg", ".svn", ".bzr", ".jj",
	".vscode", ".idea", ".zed", ".fleet",
	".claude", ".codex", ".cursor", ".gemini", ".windsurf", ".continue", ".roo", ".cline",
	".mcp.json", ".envrc",
}

// Protected lists the names that cannot be written without a host's consent,
// see [Options.Writable]. They are protected at any depth, with everything
// below them, and in every spelling that some file system takes for them.
func Protected() []string { return slices.Clone(protected) }

// IsProtected reports whether a '/'-separated path is one of the [Protected], or
// below one, in any spelling. The names in writable are not protected.
func IsProtected(path string, writable ...string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if folded := fold(part); slices.Contains(protected, folded) && !slices.Contains(writable, folded) {
			return true
		}
	}
	return false
}

// guard refuses to change a protected path. name is canonical: symbolic links
// on the way are resolved.
func (f *Files) guard(name string) error {
	for part := range strings.SplitSeq(name, "/") {
		folded := fold(part)
		if !slices.Contains(protected, folded) || slices.Contains(f.opts.Writable, folded) {
			continue
		}
		return facade.Errorf(facade.CodeProtectedPath,
			"'%s' is protected: %s is obeyed by other programs, so writing it could run code", named(name), folded).
			WithPath(shown(name)).
			WithHint("work on other files; if this change is wanted, a person has to make it")
	}
	return nil
}

// fold maps the spellings that some file system takes for one name to that
// name: case (APFS, NTFS), trailing dots and blanks and stream names (NTFS),
// ignorable code points (HFS+), and short names (FAT, NTFS).
func fold(part string) string {
	part, _, _ = strings.Cut(part, ":")
	part = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
			unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		return plain(r)
	}, part)
	part = strings.TrimRight(part, ". ")
	for _, name := range protected {
		if isShortName(part, name) {
			return name
		}
	}
	return part
}

// plain is the lower case of a letter, ASCII if some file system folds it to
// that, as the long s.
func plain(r rune) rune {
	for c := unicode.SimpleFold(r); c != r; c = unicode.SimpleFold(c) {
		if c >= 'a' && c <= 'z' {
			return c
		}
	}
	return unicode.ToLower(r)
}

// isShortName reports whether part is the name of eight letters and an
// extension that FAT and NTFS make up for name: git~1 for .git.
func isShortName(part, name string) bool {
	base, ext, _ := strings.Cut(name[1:], ".")
	base = base[:min(len(base), 6)] + "~"
	if ext != "" {
		ext = "." + ext[:min(len(ext), 3)]
	}
	digit, ok := strings.CutPrefix(part, base)
	if !ok || !strings.HasSuffix(digit, ext) {
		return false
	}
	digit = strings.TrimSuffix(digit, ext)
	return len(digit) == 1 && digit[0] >= '1' && digit[0] <= '9'
}
