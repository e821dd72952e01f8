package fsimpl

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// The size that an entry is counted with is the size that it has in a reply.
func TestEntrySize(t *testing.T) {
	when := time.Date(2026, 11, 21, 9, 8, 7, 0, time.UTC)
	for _, e := range []facade.Entry{
		{},
		{Name: "a.txt", Path: "b/a.txt", Type: facade.TypeFile, Size: 1234567890, Mode: fs.FileMode(0o644).String(), Modified: when},
		{Name: "tab\t\"quote\" \\ <&> \x01\u2028 ä \U0001F600", Path: "\r\n\b\f\x7f", Type: facade.TypeSymlink, Modified: when.Add(120 * time.Millisecond)},
		{Name: "x", Path: "x", Type: facade.TypeDirectory, Size: -1, Mode: "drwxr-xr-x", Modified: when.Add(1).In(time.FixedZone("", -5400))},
	} {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(e); err != nil {
			t.Fatal(err)
		}
		if got, want := entrySize(e), b.Len()-1; got != want {
			t.Errorf("%+v: counted as %d bytes, has %d: %s", e, got, want, b.Bytes())
		}
	}
}
