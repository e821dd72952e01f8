package patch

import (
	"io/fs"
	"strconv"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

const devNull = "/dev/null"

// headers is what stands before the hunks of a file.
type headers struct {
	git              string // of diff --git
	old, new         string // of --- and +++
	from, to         string // of rename and copy
	created, deleted bool
	copied           bool
	mode             fs.FileMode
}

// extended reads git's lines between diff --git and ---.
func (p *parser) extended(h *headers) error {
	for ; p.at < len(p.lines); p.at++ {
		line := p.line()
		var err error
		switch key, value := field(line); key {
		case "old mode", "similarity index", "dissimilarity index", "index":
		case "new mode":
			h.mode, err = p.mode(value)
		case "new file mode":
			h.created = true
			h.mode, err = p.mode(value)
		case "deleted file mode":
			h.deleted = true
		case "rename from":
			h.from = value
		case "rename to":
			h.to = value
		case "copy from":
			h.from, h.copied = value, true
		case "copy to":
			h.to = value
		case "Binary files", "GIT binary patch":
			return facade.Errorf(facade.CodeUnsupportedFormat, "line %d of the patch: binary files cannot be patched", p.at+1).
				WithHint("write the file with mode=binary and input_format=base64")
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// field splits one of git's header lines.
func field(line string) (key, value string) {
	for _, key := range []string{
		"old mode", "new mode", "new file mode", "deleted file mode", "rename from", "rename to", "copy from", "copy to",
		"similarity index", "dissimilarity index", "index", "Binary files", "GIT binary patch",
	} {
		if rest, ok := strings.CutPrefix(line, key); ok && (rest == "" || rest[0] == ' ') {
			return key, strings.TrimPrefix(rest, " ")
		}
	}
	return "", ""
}

// mode reads git's file mode. Only regular files can be patched.
func (p *parser) mode(value string) (fs.FileMode, error) {
	n, err := strconv.ParseUint(value, 8, 32)
	if err != nil || n>>12 != 0o10 {
		return 0, bad(p.at+1, "mode %s is not that of a regular file", value)
	}
	return fs.FileMode(n & 0o777), nil
}

// file decides on paths and status.
func (h *headers) file(line int) (File, error) {
	f := File{Status: Modified, Mode: h.mode}
	var err error
	switch {
	case h.from != "" || h.to != "":
		f.Status = Renamed
		if h.copied {
			f.Status = Copied
		}
		f.OldPath, err = unquote(h.from)
		if err == nil {
			f.NewPath, err = unquote(h.to)
		}
	case h.old != "":
		f.OldPath, f.NewPath, err = h.names()
	default:
		f.OldPath, f.NewPath, err = gitNames(h.git)
	}
	if err != nil {
		return f, bad(line, "%s", err.Error())
	}
	switch {
	case h.created || f.OldPath == devNull:
		f.Status, f.OldPath = Created, ""
	case h.deleted || f.NewPath == devNull:
		f.Status, f.NewPath = Deleted, ""
	}
	switch {
	case f.Path() == "" || f.Path() == devNull || f.Status != Created && f.OldPath == "":
		return f, bad(line, "the file has no name")
	case f.Status == Modified && f.OldPath != f.NewPath:
		return f, bad(line, "the names %s and %s differ", f.OldPath, f.NewPath).
			WithHint("a rename needs 'diff --git', 'rename from' and 'rename to' lines")
	case (f.Status == Renamed || f.Status == Copied) && f.OldPath == f.NewPath:
		return f, bad(line, "%s is renamed to itself", f.OldPath)
	}
	return f, nil
}

// names reads --- and +++. Prefixes go when both names have them.
func (h *headers) names() (before, after string, err error) {
	if before, err = unquote(stamped(h.old)); err == nil {
		after, err = unquote(stamped(h.new))
	}
	before, after = strip(before, after, h.git != "")
	return before, after, err
}

// stamped takes off the time that diff puts after a tab.
func stamped(name string) string {
	name, _, _ = strings.Cut(name, "\t")
	return strings.TrimRight(name, " ")
}

// strip takes off a/ and b/, and in git's patches the other pairs that
// diff.mnemonicPrefix writes.
func strip(before, after string, git bool) (string, string) {
	pairs := []string{"a/", "b/"}
	if git {
		pairs = append(pairs, "i/", "w/", "c/", "i/", "c/", "w/", "o/", "w/")
	}
	for i := 0; i < len(pairs); i += 2 {
		x, okX := strings.CutPrefix(before, pairs[i])
		y, okY := strings.CutPrefix(after, pairs[i+1])
		switch {
		case okX && okY:
			return x, y
		case okX && after == devNull:
			return x, after
		case okY && before == devNull:
			return before, y
		}
	}
	return before, after
}

// gitNames splits "a/name b/name", of which both names are the same.
func gitNames(line string) (before, after string, err error) {
	if strings.HasPrefix(line, `"`) {
		if i := strings.Index(line, `" "`); i > 0 {
			if before, err = unquote(line[:i+1]); err == nil {
				after, err = unquote(line[i+2:])
			}
			before, after = strip(before, after, true)
			return before, after, err
		}
	}
	for i := range len(line) {
		if line[i] != ' ' {
			continue
		}
		if x, y := strip(line[:i], line[i+1:], true); x == y {
			return x, y, nil
		}
	}
	return "", "", strconv.ErrSyntax
}

// unquote reads a name that git has put in quotes because of special bytes.
func unquote(name string) (string, error) {
	if !strings.HasPrefix(name, `"`) {
		return name, nil
	}
	if len(name) < 2 || !strings.HasSuffix(name, `"`) {
		return "", strconv.ErrSyntax
	}
	s, err := strconv.Unquote(name)
	if err != nil {
		return "", err
	}
	return s, nil
}
