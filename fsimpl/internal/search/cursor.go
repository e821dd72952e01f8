package search

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"math"

	"github.com/toolfacade/toolfacade/facade"
)

// place is where a search stopped.
type place struct {
	path string
	line int64 // the last match delivered; WholeFile for all of the file
}

// WholeFile is the line of a place behind all of a file.
const WholeFile = math.MaxInt64

// CursorAfter returns the cursor that continues the search named key behind a
// line of a file, or with [WholeFile] behind all of it.
func CursorAfter(key, path string, line int64) string {
	return place{path: path, line: line}.encode(key)
}

// encode returns a cursor that holds the place and a hash of key, which names
// the search that the place belongs to.
func (p place) encode(key string) string {
	b := binary.BigEndian.AppendUint32(nil, hashKey(key))
	b = binary.AppendUvarint(b, uint64(p.line))
	return base64.RawURLEncoding.EncodeToString(append(b, p.path...))
}

// decodePlace reads a cursor made for the same key.
func decodePlace(cursor, key string) (place, error) {
	if cursor == "" {
		return place{}, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) < 6 {
		return place{}, badCursor("is not one that this tool returned")
	}
	if binary.BigEndian.Uint32(b) != hashKey(key) {
		return place{}, badCursor("belongs to a search with other arguments")
	}
	line, n := binary.Uvarint(b[4:])
	if n <= 0 || line > math.MaxInt64 || len(b) == 4+n {
		return place{}, badCursor("is not one that this tool returned")
	}
	return place{path: string(b[4+n:]), line: int64(line)}, nil
}

func badCursor(reason string) error {
	return facade.InvalidArgument("cursor", "the cursor %s", reason).
		WithHint("repeat the call that returned it with its next_cursor and otherwise the same arguments, or start again without a cursor")
}

func hashKey(key string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(key))
	return h.Sum32()
}
