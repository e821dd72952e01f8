package fsimpl_test

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

// bounded checks how much memory f allocates in all, and how long it takes.
func bounded(t testing.TB, what string, mib uint64, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	f()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	used := (after.TotalAlloc - before.TotalAlloc) >> 20
	t.Logf("%s: %d MiB allocated, %v", what, used, took.Round(time.Millisecond))
	if used > mib {
		t.Errorf("%s: %d MiB allocated, want at most %d", what, used, mib)
	}
	if took > probeLimit {
		t.Errorf("%s: took %v", what, took)
	}
}

func (p *probe) sparse(name string, size int64) {
	p.Helper()
	f, err := os.Create(p.at(name))
	if err != nil {
		p.Fatal(err)
	}
	err = f.Truncate(size)
	if e := f.Close(); err != nil || e != nil {
		testenv.Missing(p, "no sparse files here: %v", err)
	}
}

func TestProbeTerabyte(t *testing.T) {
	p := newProbe(t, nil)
	p.sparse("huge", 1<<40)
	p.put("small.txt", "needle\n")
	bounded(t, "all of it", 64, func() {
		p.fails(facade.CodeBinaryContent, "read", "path", "huge")
		p.ok("read", "path", "huge", "output_format", "hex", "start_offset_inclusive", int64(1)<<39, "end_offset_inclusive", int64(1)<<39+9, "offset_type", "byte")
		p.ok("read", "path", "huge", "output_format", "base64")
		if r := get[facade.InfoOutput](p, "info", "path", "huge"); r.Size != 1<<40 || r.ETag != "" {
			t.Errorf("info: %+v", r)
		}
		if r := get[facade.GrepOutput](p, "grep", "pattern", "needle"); r.SkippedBinary != 1 || len(r.Matches) != 1 {
			t.Errorf("grep: %+v", r)
		}
		p.ok("find", "keywords_file_content", []string{"needle"})
		p.ok("list")
		p.fails(facade.CodeTooLarge, "replace", "path", "huge", "old_content", "a", "new_content", "b")
		p.fails(facade.CodeTooLarge, "edit", "path", "huge", "edits", []any{map[string]any{"old_text": "a", "new_text": "b"}})
		p.fails(facade.CodeTooLarge, "modify", "path", "huge", "start_offset_inclusive", 0, "end_offset_inclusive", 0, "new_content", "b")
		p.fails(facade.CodeTooLarge, "write", "path", "huge", "content", "x", "append", true)
		p.ok("move", "source", "huge", "destination", "huger")
		p.ok("undo")
	})
	bounded(t, "delete", 64, func() { p.ok("delete", "paths", []string{"huge"}) })
	p.absent("huge")
	p.sparse("huge", 1<<40)
	bounded(t, "write", 64, func() { p.ok("write", "path", "huge", "content", "small\n") })
	p.holds("huge", "small\n")
	p.fails(facade.CodeTooLarge, "undo")
}

// A line without end is read in windows, found in, and edited.
func TestProbeLongLine(t *testing.T) {
	size := 8 << 20
	if testenv.Full() {
		size = 64<<20 - 16
	}
	p := newProbe(t, nil)
	p.put("line.txt", strings.Repeat("x", size/2)+"needle"+strings.Repeat("y", size/2-6))
	bounded(t, "read", 40, func() {
		f := get[facade.ReadOutput](p, "read", "path", "line.txt").Files[0]
		if len(f.Content) < 10_000 || f.Next == nil || f.Next.OffsetType != "byte" {
			t.Errorf("%d bytes, next %v", len(f.Content), f.Next)
		}
	})
	bounded(t, "grep", 64, func() {
		r := get[facade.GrepOutput](p, "grep", "pattern", "need.e")
		if len(r.Matches) != 1 || r.Matches[0].Column != size/2+1 || len(r.Matches[0].Content) > 4096 {
			t.Errorf("%s", clipped(fmt.Sprintf("%+v", r)))
		}
	})
	bounded(t, "replace", uint64(16*size>>20)+64, func() {
		p.ok("replace", "path", "line.txt", "old_content", "needle", "new_content", "pin")
	})
	if info, err := os.Stat(p.at("line.txt")); err != nil || info.Size() != int64(size-3) {
		t.Errorf("%v %v", info.Size(), err)
	}
	p.put("wide.txt", strings.Repeat("x", 100<<10)+" needle\nneedle\n")
	if r := get[facade.GrepOutput](p, "grep", "pattern", "needle", "path", "wide.txt"); len(r.Matches) != 2 {
		t.Errorf("%d matches in a long and a short line", len(r.Matches))
	}
}

func (p *probe) lines(name string, n int) {
	p.Helper()
	f, err := os.Create(p.at(name))
	if err != nil {
		p.Fatal(err)
	}
	w := bufio.NewWriter(f)
	for i := 1; i <= n; i++ {
		fmt.Fprintf(w, "this is line %d of the file\n", i)
	}
	if err := w.Flush(); err != nil {
		p.Fatal(err)
	}
	if err := f.Close(); err != nil {
		p.Fatal(err)
	}
}

func TestProbeLinesFarDown(t *testing.T) {
	const n = 1_200_000
	p := newProbe(t, nil)
	p.lines("long.txt", n)
	bounded(t, "a window", 8, func() {
		f := get[facade.ReadOutput](p, "read", "path", "long.txt", "start_line", 1_000_000, "end_line", 1_000_100).Files[0]
		if f.StartLine != 1_000_000 || f.EndLine != 1_000_100 || !strings.HasPrefix(f.Content, "this is line 1000000 ") ||
			!strings.HasSuffix(f.Content, "line 1000100 of the file\n") {
			t.Errorf("lines %d-%d: %s", f.StartLine, f.EndLine, clipped(f.Content))
		}
	})
	bounded(t, "the end", 8, func() {
		f := get[facade.ReadOutput](p, "read", "path", "long.txt", "start_line", -2).Files[0]
		if f.StartLine != n-1 || !strings.HasSuffix(f.Content, fmt.Sprintf("line %d of the file\n", n)) {
			t.Errorf("lines %d-%d: %s", f.StartLine, f.EndLine, f.Content)
		}
	})
	p.says(p.fails(facade.CodeInvalidArgument, "read", "path", "long.txt", "start_line", n+1), "1200000")
}

func TestProbeNegativeLines(t *testing.T) {
	p := newProbe(t, nil)
	p.put("f.txt", "1\n2\n3\n4\n5")
	tests := []struct {
		start, end int
		want       string
	}{
		{-1, 0, "5"},
		{-2, -1, "4\n5"},
		{-2, -2, "4\n"},
		{-100, 0, "1\n2\n3\n4\n5"},
		{2, -2, "2\n3\n4\n"},
		{0, 2, "1\n2\n"},
		{0, -4, "1\n2\n"},
		{5, 5, "5"},
		{4, 100, "4\n5"},
	}
	for _, tt := range tests {
		got := get[facade.ReadOutput](p, "read", "path", "f.txt", "start_line", tt.start, "end_line", tt.end).Files[0].Content
		if got != tt.want {
			t.Errorf("lines %d to %d: %q, want %q", tt.start, tt.end, got, tt.want)
		}
	}
	for _, bad := range [][2]int{{6, 0}, {3, 2}, {-1, -2}, {4, -3}, {0, -6}} {
		p.fails(facade.CodeInvalidArgument, "read", "path", "f.txt", "start_line", bad[0], "end_line", bad[1])
	}
	p.put("empty.txt", "")
	p.ok("read", "path", "empty.txt")
	p.fails(facade.CodeInvalidArgument, "read", "path", "empty.txt", "start_line", 2)
	p.ok("read", "path", "empty.txt", "start_line", -5)
}

func TestProbeManyEntries(t *testing.T) {
	n := 20_000
	if testenv.Full() {
		n = 100_000
	}
	p := newProbe(t, nil)
	if err := os.Mkdir(p.at("many"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := os.WriteFile(p.at(fmt.Sprintf("many/f%06d.txt", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bounded(t, "list", uint64(n/400)+64, func() {
		r := get[facade.ListOutput](p, "list", "path", "many")
		if len(r.Entries) != 100 || r.Total == nil || *r.Total != n || r.NextCursor == "" {
			t.Errorf("%d entries of %v, cursor %q", len(r.Entries), r.Total, r.NextCursor)
		}
	})
	bounded(t, "list by size", uint64(n/200)+64, func() { p.ok("list", "path", "many", "sort", "size") })
	bounded(t, "find", uint64(n/400)+64, func() {
		last := fmt.Sprintf("f%06d.txt", n-1)
		if r := get[facade.FindOutput](p, "find", "patterns", []string{last}); len(r.Matches) != 1 {
			t.Errorf("%+v", r)
		}
	})
	bounded(t, "grep", uint64(n/100)+64, func() { p.ok("grep", "pattern", "nowhere") })
	p.says(p.fails(facade.CodeNotFound, "read", "path", "many/f00001.txt"), "did you mean")
}

// Limits of the host hold for what is written and edited too.
func TestProbeMaxFileBytes(t *testing.T) {
	p := newProbe(t, &fsimpl.Options{MaxFileBytes: 100})
	p.put("big.txt", strings.Repeat("x\n", 100))
	p.fails(facade.CodeTooLarge, "write", "path", "new.txt", "content", strings.Repeat("x", 101))
	p.absent("new.txt")
	p.fails(facade.CodeTooLarge, "replace", "path", "big.txt", "old_content", "x", "new_content", "y", "replace_all", true)
	p.ok("read", "path", "big.txt", "start_line", 50, "end_line", 60)
	p.put("fits.txt", strings.Repeat("x\n", 50))
	p.fails(facade.CodeTooLarge, "replace", "path", "fits.txt", "old_content", "x", "new_content", "xxxx", "replace_all", true)
	p.fails(facade.CodeTooLarge, "edit", "path", "fits.txt", "edits", []any{map[string]any{"old_text": "x", "new_text": "xxx", "replace_all": true}})
	p.fails(facade.CodeTooLarge, "patch", "patch", "--- a/fits.txt\n+++ b/fits.txt\n@@ -1 +1,2 @@\n x\n+x\n")
	p.fails(facade.CodeTooLarge, "write", "path", "fits.txt", "content", "y", "append", true)
	p.holds("fits.txt", strings.Repeat("x\n", 50))
}
