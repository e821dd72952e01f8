// Package patch reads unified diffs, plain and git's, and plans what they do
// to the contents of files. It is strict where being lenient would lose lines
// in silence: a hunk whose header miscounts, text that belongs to no hunk and
// binary patches are errors that name the place.
package patch

import (
	"fmt"
	"io/fs"

	"github.com/toolfacade/toolfacade/facade"
)

// Status is what a patch does to a file.
type Status string

// What a patch does to a file. A renamed or copied file may change too.
const (
	Modified Status = "modified"
	Created  Status = "created"
	Deleted  Status = "deleted"
	Renamed  Status = "renamed"
	Copied   Status = "copied"
)

// File is the part of a patch about one file. Paths are as in the patch,
// without the prefixes a/ and b/; whether they are inside a root is for the
// caller to check.
type File struct {
	OldPath string // "" for a created file
	NewPath string // "" for a deleted file
	Status  Status
	Mode    fs.FileMode // permissions that the patch sets; 0 when it sets none
	Hunks   []Hunk
}

// Path is the file's path after the patch, or, for a deleted file, before it.
func (f File) Path() string {
	if f.NewPath == "" {
		return f.OldPath
	}
	return f.NewPath
}

// Hunk is one changed stretch of a file.
type Hunk struct {
	Number             int // from 1, within the file
	OldStart, OldLines int
	NewStart, NewLines int
	Lines              []Line
}

// String names the hunk in messages.
func (h Hunk) String() string {
	return fmt.Sprintf("hunk %d (@@ -%d,%d +%d,%d @@)", h.Number, h.OldStart, h.OldLines, h.NewStart, h.NewLines)
}

// Line is a line of a hunk.
type Line struct {
	Op   byte   // ' ' for context, '-' for removed, '+' for added
	Text string // with its line end, but for a last line that has none
}

// before is the text that the hunk expects, after the text that it leaves.
func (h Hunk) before() string { return h.text('+') }

func (h Hunk) after() string { return h.text('-') }

func (h Hunk) text(without byte) string {
	n := 0
	for _, l := range h.Lines {
		n += len(l.Text)
	}
	b := make([]byte, 0, n)
	for _, l := range h.Lines {
		if l.Op != without {
			b = append(b, l.Text...)
		}
	}
	return string(b)
}

func bad(line int, format string, args ...any) *facade.Error {
	return facade.InvalidArgument("patch", "line %d of the patch: %s", line, fmt.Sprintf(format, args...))
}
