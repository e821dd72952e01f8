package docs_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

// TestBombs reads files made to exhaust memory or time: each is a clear error,
// or read in part with a warning.
func TestBombs(t *testing.T) {
	deep := func(open string, n int) string { return strings.Repeat(open, n) }
	laughs := `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><w:document ` + wordNS + `><w:body><w:p><w:r><w:t>x</w:t></w:r></w:p><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>`
	for _, tt := range []struct {
		name    string
		data    []byte
		code    facade.Code // "" means read
		warning string
	}{
		{"zip.docx", docxOf(t, strings.Repeat(" ", 64<<20)), facade.CodeTooLarge, ""},
		{"deep.docx", docxOf(t, deep("<w:p>", 100_000)), facade.CodeTooLarge, ""},
		{"laughs.docx", archive(t, "_rels/.rels", officeRel+`word/document.xml"/></Relationships>`, "word/document.xml", laughs), "", document.WarnTruncated},
		{"deep.odt", odfOf(t, "text", deep("<text:section>", 100_000)), facade.CodeTooLarge, ""},
		{"wide.ods", odfOf(t, "spreadsheet", `<office:spreadsheet><table:table table:name="S"><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>7</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>`), "", document.WarnLimit},
		{"deep.html", []byte("<html>" + deep("<div><b>", 50_000) + "x"), "", ""},
		{"table.html", []byte("<html>" + deep("<table><tr><td>", 2000) + "x"), "", ""},
		{"span.html", []byte(`<html><table><tr><td rowspan="99999999" colspan="99999999">x</td></tr></table>`), "", ""},
		{"quotes.md", []byte(deep("> ", 20_000) + "x"), "", document.WarnLimit},
		{"brackets.md", []byte(deep("[", 50_000) + "x"), "", document.WarnLimit},
		{"groups.rtf", []byte(`{\rtf1 x\par ` + deep("{", 100_000)), "", document.WarnTruncated},
		{"bin.rtf", []byte(`{\rtf1 x\par \bin999999999 y}`), "", document.WarnTruncated},
		{"parts.eml", []byte("From: a@b\r\nSubject: x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" + deep("--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n", 5000)), "", ""},
		{"wide.csv", []byte("h\n" + deep("1,", 400_000) + "\n"), "", document.WarnLimit},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tools := toolsOn(t, map[string][]byte{tt.name: tt.data}, nil)
			start := time.Now()
			out, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: tt.name})
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
			if tt.code != "" {
				if facade.CodeOf(err) != tt.code {
					t.Errorf("the error is %v (%s), want %s", err, facade.CodeOf(err), tt.code)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			found := tt.warning == ""
			for _, w := range out.Warnings {
				found = found || w.Code == tt.warning
			}
			if !found {
				t.Errorf("warnings are %+v, want %s", out.Warnings, tt.warning)
			}
		})
	}
}

// TestLimits lowers the limits until small documents reach them.
func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		name string
		opts docs.Options
		code facade.Code
		warn string
	}{
		{"a.docx", docs.Options{Limits: document.Limits{Bytes: 100}}, facade.CodeTooLarge, ""},
		{"a.docx", docs.Options{Limits: document.Limits{Expanded: 500}}, facade.CodeTooLarge, ""},
		{"a.docx", docs.Options{Limits: document.Limits{Depth: 3}}, facade.CodeTooLarge, ""},
		{"a.docx", docs.Options{Timeout: 1}, facade.CodeTimeout, ""},
		{"a.docx", docs.Options{Limits: document.Limits{Blocks: 2}}, "", document.WarnLimit},
		{"a.txt", docs.Options{Limits: document.Limits{Chars: 30}}, "", document.WarnLimit},
		{"a.xlsx", docs.Options{Limits: document.Limits{Cells: 3}}, "", document.WarnLimit},
		{"a.csv", docs.Options{Limits: document.Limits{Cells: 3}}, "", document.WarnLimit},
	} {
		t.Run(fmt.Sprintf("%s %+v", tt.name, tt.opts.Limits), func(t *testing.T) {
			out, err := toolsOn(t, samples(t), &tt.opts).Read(t.Context(), facade.DocumentReadInput{Path: tt.name})
			if tt.code != "" {
				if facade.CodeOf(err) != tt.code {
					t.Errorf("the error is %v, want %s", err, tt.code)
				}
				return
			}
			if err != nil || len(out.Warnings) == 0 || out.Warnings[0].Code != tt.warn {
				t.Errorf("warnings are %+v, %v; want %s", out.Warnings, err, tt.warn)
			}
		})
	}
}

// TestMutated reads documents with flipped, doubled and missing bytes: the
// process lives, and no parser panics. TOOLFACADE_FULL=1 reads more of them.
func TestMutated(t *testing.T) {
	rounds := 120
	if testenv.Full() {
		rounds = 2000
	}
	for name, data := range samples(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(len(data))))
			for i := range rounds {
				bad := mutate(r, data)
				tools := toolsOn(t, map[string][]byte{name: bad}, nil)
				start := time.Now()
				_, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: name})
				if code := facade.CodeOf(err); err != nil && code == facade.CodeInternal || time.Since(start) > 10*time.Second {
					t.Fatalf("round %d took %v: %v\n%q", i, time.Since(start), err, bad[:min(len(bad), 2000)])
				}
			}
		})
	}
}

// mutate changes a few bytes; of an archive it changes the parts too, or else
// their checksums would hide them from the parser.
func mutate(r *rand.Rand, data []byte) []byte {
	if parts := unpack(data); parts != nil && r.IntN(4) > 0 {
		at := 1 + 2*r.IntN(len(parts)/2)
		parts[at] = string(scramble(r, []byte(parts[at])))
		return repack(parts)
	}
	return scramble(r, data)
}

func scramble(r *rand.Rand, data []byte) []byte {
	bad := bytes.Clone(data)
	for range 1 + r.IntN(4) {
		if len(bad) == 0 {
			break
		}
		at := r.IntN(len(bad))
		switch r.IntN(4) {
		case 0:
			bad[at] ^= 1 << r.IntN(8)
		case 1:
			bad = bad[:at]
		case 2:
			end := min(len(bad), at+r.IntN(50))
			bad = append(bad[:end:end], bad[at:]...)
		default:
			bad = append(bad[:at:at], bad[min(len(bad), at+r.IntN(20)):]...)
		}
	}
	return bad
}
