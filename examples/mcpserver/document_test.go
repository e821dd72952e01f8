package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/docs/pdf"
)

// page is a PDF document of one line.
func page(text string) string {
	content := "BT /F 12 Tf 60 700 Td (" + text + ") Tj ET"
	return fmt.Sprintf("%%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"+
		"2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n"+
		"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>\nendobj\n"+
		"4 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n"+
		"5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%%%EOF\n", len(content), content)
}

func TestReadsPDF(t *testing.T) {
	ready := pdf.New(nil) // compiling takes longer than a call may
	if err := ready.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := ready.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.pdf"), []byte(page("Hello from a PDF")), 0o600); err != nil {
		t.Fatal(err)
	}
	const call = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"document","arguments":{"action":"read","path":"a.pdf"}}}` + "\n"
	got := piped(t, call, "-root", dir)[3].Result
	if got.IsError || !strings.Contains(string(got.StructuredContent), `"content":"Hello from a PDF"`) {
		t.Errorf("read %+v %s", got, got.StructuredContent)
	}
}
