package fsimpl_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// kilobyte makes a file of 1 KB and the call that reads it.
func kilobyte(t testing.TB) (name string, tool *facade.Tool, raw []byte) {
	t.Helper()
	dir := t.TempDir()
	name = filepath.Join(dir, "f.txt")
	check(t, os.WriteFile(name, bytes.Repeat([]byte("a line of text.\n"), 64), 0o644))
	files := confined(t, dir)
	t.Cleanup(func() { check(t, files.Close()) })
	return name, facade.Files(files), args(facade.FileRead, "path", "f.txt")
}

// BenchmarkRead reads 1 KB through the tool and with package os.
func BenchmarkRead(b *testing.B) {
	name, tool, raw := kilobyte(b)
	b.Run("os.ReadFile", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := os.ReadFile(name)
			check(b, err)
		}
	})
	b.Run("Tool.Call", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			res, err := tool.Call(b.Context(), facade.Call{Args: raw})
			check(b, err)
			if res.Error != nil {
				b.Fatal(res.Text)
			}
		}
	})
}

// BenchmarkReplace changes a line of a file of 1 MB and back, without fsync.
func BenchmarkReplace(b *testing.B) {
	dir := b.TempDir()
	check(b, os.WriteFile(filepath.Join(dir, "f.txt"), append(bytes.Repeat([]byte("a line of text\n"), 70_000), "here\n"...), 0o644))
	files := confined(b, dir)
	b.Cleanup(func() { check(b, files.Close()) })
	tool := facade.Files(files)
	there := args(facade.FileReplace, "path", "f.txt", "old_content", "here", "new_content", "there!")
	back := args(facade.FileReplace, "path", "f.txt", "old_content", "there!", "new_content", "here")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		raw := there
		if i%2 == 1 {
			raw = back
		}
		res, err := tool.Call(b.Context(), facade.Call{Args: raw})
		check(b, err)
		if res.Error != nil {
			b.Fatal(res.Text)
		}
	}
}

// TestReadAllocations bounds what reading 1 KB through the tool costs.
func TestReadAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates too")
	}
	_, tool, raw := kilobyte(t)
	const most = 50
	got := testing.AllocsPerRun(200, func() {
		res, err := tool.Call(t.Context(), facade.Call{Args: raw})
		check(t, err)
		if res.Error != nil {
			t.Fatal(res.Text)
		}
	})
	t.Logf("%v allocations", got)
	if got > most {
		t.Errorf("%v allocations, want at most %d", got, most)
	}
}
