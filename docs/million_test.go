package docs_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/rootfs"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

// TestMillionRows reads a sheet of a million rows within 64 MiB: rows are
// streamed, and those beyond the limit of cells are not kept. Without
// TOOLFACADE_FULL=1 it is a tenth of that.
func TestMillionRows(t *testing.T) {
	rows := 100_000
	if testenv.Full() {
		rows = 1_000_000
	}
	dir := t.TempDir()
	writeRows(t, filepath.Join(dir, "big.xlsx"), rows)
	root, err := rootfs.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	tools := newTools(t, root, &docs.Options{Limits: document.Limits{Bytes: 1 << 30, Expanded: 1 << 30}, Timeout: 5 * time.Minute})
	stop, peak := make(chan struct{}), make(chan uint64)
	runtime.GC()
	go watch(stop, peak)
	out, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: "big.xlsx"})
	close(stop)
	most := <-peak
	if err != nil || len(out.Tables) != 1 || len(out.Warnings) == 0 || out.Warnings[0].Code != document.WarnLimit {
		t.Errorf("it is read as %d tables with warnings %v, %v", len(out.Tables), out.Warnings, err)
	}
	if most > 64<<20 {
		t.Errorf("the heap grew to %d MiB", most>>20)
	}
	t.Logf("%d rows, heap up to %d MiB", rows, most>>20)
}

// watch reports the largest heap until it is stopped.
func watch(stop <-chan struct{}, peak chan<- uint64) {
	var most uint64
	for {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
		select {
		case <-stop:
			peak <- most
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// writeRows streams a spreadsheet to a file.
func writeRows(tb testing.TB, path string, rows int) {
	tb.Helper()
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	parts := unpack(sampleXlsx(tb))
	z := zip.NewWriter(f)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err != nil {
			tb.Fatal(err)
		}
		if parts[i] != "xl/worksheets/sheet1.xml" {
			if _, err := w.Write([]byte(parts[i+1])); err != nil {
				tb.Fatal(err)
			}
			continue
		}
		var b bytes.Buffer
		b.WriteString(`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`)
		for n := 1; n <= rows; n++ {
			fmt.Fprintf(&b, `<row r="%d"><c r="A%d"><v>%d</v></c><c r="B%d" t="inlineStr"><is><t>name of row %d</t></is></c><c r="C%d"><v>%d.5</v></c></row>`, n, n, n, n, n, n, n*7)
			if b.Len() > 1<<20 || n == rows {
				if _, err := w.Write(b.Bytes()); err != nil {
					tb.Fatal(err)
				}
				b.Reset()
			}
		}
		if _, err := w.Write([]byte(`</sheetData></worksheet>`)); err != nil {
			tb.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
}
