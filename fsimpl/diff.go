package fsimpl

import (
	"github.com/toolfacade/toolfacade/fsimpl/internal/diff"
)

// maxDiff is how much of a diff a reply shows, in bytes.
const maxDiff = 16 << 10

// diff shows how a file changes: as a unified diff of its text, in whatever
// encoding. old is nil for a new file, whose content the caller knows, so that
// there is nothing to show.
func (f *Files) diff(name string, old *original, data []byte) string {
	if old == nil || !old.known {
		return ""
	}
	p := shown(name)
	return diff.Content(p, p, old.data, data, &diff.Options{MaxBytes: maxDiff}).Text
}
