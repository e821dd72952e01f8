package docs

import (
	"fmt"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// position is where a reply ends and the next goes on: a block, and a row of
// its table or a byte of its rendering.
type position struct {
	block, offset int
}

// cursor writes a position of a document with the start of its hash, so that a
// changed document is noticed.
func (p position) cursor(sha string) string {
	return fmt.Sprintf("%d.%d.%s", p.block, p.offset, sha[:12])
}

func parseCursor(s, sha string) (position, error) {
	var p position
	if s == "" {
		return p, nil
	}
	if n, err := fmt.Sscanf(s, "%d.%d.", &p.block, &p.offset); n != 2 || err != nil || p.block < 0 || p.offset < 0 || strings.Count(s, ".") != 2 {
		return p, facade.InvalidArgument("cursor", "'%s' is no cursor", s).WithHint("send next_cursor of the reply before, or leave it out")
	}
	if !strings.HasSuffix(s, "."+sha[:12]) {
		e := facade.Errorf(facade.CodeStale, "the document has changed since the cursor was given").WithHint("read it again without cursor")
		e.Field = "cursor"
		return p, e
	}
	return p, nil
}
