package fsimpl

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/walk"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// position is a place in an ordered list of paths: a cursor. It names what was
// shown last rather than a count, so that a list continues exactly even when
// entries come and go meanwhile.
type position struct {
	path string
	key  int64 // size, or time in nanoseconds; 0 in a list by name
}

// cursor renders the position for a reply.
func (p position) cursor(sort string) string {
	if sort == "name" {
		return "name:" + pathname.Escape(p.path)
	}
	return sort + ":" + strconv.FormatInt(p.key, 10) + ":" + pathname.Escape(p.path)
}

func parseCursor(cursor, sort string) (position, error) {
	if cursor == "" {
		return position{}, nil
	}
	bad := facade.InvalidArgument("cursor", "cursor '%s' is not one of a list sorted by %s", cursor, sort).
		WithHint("repeat the call with the next_cursor of the last reply and the same arguments")
	rest, ok := strings.CutPrefix(cursor, sort+":")
	if !ok || rest == "" {
		return position{}, bad
	}
	var p position
	if sort != "name" {
		number, path, ok := strings.Cut(rest, ":")
		n, err := strconv.ParseInt(number, 10, 64)
		if !ok || err != nil {
			return position{}, bad
		}
		p.key, rest = n, path
	}
	p.path = pathname.Unescape(rest)
	return p, nil
}

func keyOf(sort string, e facade.Entry) position {
	p := position{path: pathname.Unescape(e.Path)}
	switch sort {
	case "mtime":
		p.key = e.Modified.UnixNano()
	case "size":
		p.key = e.Size
	}
	return p
}

// compare orders positions: greater keys first, then by path.
func (position) compare(a, b position) int {
	return cmp.Or(cmp.Compare(b.key, a.key), walk.Compare(a.path, b.path))
}
