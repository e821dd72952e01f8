package docs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// position is where a reply ends and the next goes on: a block, and a row of
// its table or a byte of its rendering.
type position struct {
	block, offset int
}

// viewOf names the selection of pages and the form that positions are counted
// in.
func viewOf(in facade.DocumentReadInput) string {
	sum := sha256.Sum256([]byte(in.Output + " " + strings.Join(strings.Fields(in.Pages), "")))
	return hex.EncodeToString(sum[:2])
}

// cursor writes a position of a document with the start of its hash, so that a
// changed document is noticed, and with its view, so that a changed call is.
func (p position) cursor(sha, view string) string {
	return fmt.Sprintf("%d.%d.%s.%s", p.block, p.offset, view, sha[:12])
}

func parseCursor(s, sha, view string) (position, error) {
	if s == "" {
		return position{}, nil
	}
	parts := strings.Split(s, ".")
	if len(parts) != 4 {
		return position{}, noCursor(s)
	}
	block, err1 := strconv.Atoi(parts[0])
	offset, err2 := strconv.Atoi(parts[1])
	switch {
	case err1 != nil || err2 != nil || block < 0 || offset < 0:
		return position{}, noCursor(s)
	case parts[3] != sha[:12]:
		e := facade.Errorf(facade.CodeStale, "the document has changed since the cursor was given").WithHint("read it again without cursor")
		e.Field = "cursor"
		return position{}, e
	case parts[2] != view:
		return position{}, facade.InvalidArgument("cursor", "the cursor was given for other 'pages' or another 'output'").
			WithHint("repeat the call that gave it, with the same pages and output, and add the cursor")
	}
	return position{block, offset}, nil
}

func noCursor(s string) error {
	return facade.InvalidArgument("cursor", "'%s' is no cursor", s).WithHint("send next_cursor of the reply before, or leave it out")
}
