package docs

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"regexp"
	"strings"
	"unicode"

	"github.com/gabriel-vasile/mimetype"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/internal/odf"
	"github.com/toolfacade/toolfacade/docs/internal/office"
	"github.com/toolfacade/toolfacade/docs/internal/plain"
	"github.com/toolfacade/toolfacade/docs/internal/web"
)

// builtin lists the parsers of this package. Plain text is the last: it takes
// what no other does.
func builtin() []document.Format {
	return []document.Format{
		office.Docx{},
		office.Pptx{},
		office.Xlsx{},
		odf.ODT(), odf.ODS(), odf.ODP(),
		web.EPUB{},
		web.HTML{},
		web.Markdown{},
		plain.CSV{},
		plain.RTF{},
		plain.Notebook{},
		plain.Mail{},
		plain.Text{},
	}
}

// sniffed is how much of a file tells its type.
const sniffed = 64 << 10

// detect returns the media type of a file by its content. The extension only
// decides between the text formats, which have no signature.
func detect(src document.Source) string {
	head := make([]byte, min(sniffed, src.Size))
	n, err := src.ReadAt(head, 0)
	if err != nil && err != io.EOF { //nolint:errorlint // ReadAt returns it bare
		n = 0
	}
	head = head[:n]
	m := mimetype.Detect(head)
	for p := m; p != nil; p = p.Parent() {
		if p.Is("application/zip") {
			return zipType(src, m.String())
		}
	}
	kind, _, _ := strings.Cut(m.String(), ";")
	if bytes.HasPrefix(bytes.TrimSpace(head), []byte(`{\rtf`)) {
		return "text/rtf"
	}
	if isText(m) || kind == "application/octet-stream" && looksLikeText(head) {
		return textType(head, kind, src.Name)
	}
	return kind
}

// zipType tells the formats that are zip archives apart by their parts.
func zipType(src document.Source, usual string) string {
	z, err := zip.NewReader(src, src.Size)
	if z == nil {
		return usual
	}
	_ = err // an insecure name does not matter: parts are only looked up
	const ooxml = "application/vnd.openxmlformats-officedocument."
	for _, f := range z.File {
		switch name := strings.ToLower(f.Name); {
		case name == "mimetype" && f.UncompressedSize64 < 200:
			if r, err := f.Open(); err == nil {
				data, err := io.ReadAll(io.LimitReader(r, 200))
				if err == nil {
					usual = strings.TrimSpace(string(data))
				}
				if r.Close() == nil && err == nil {
					return usual
				}
			}
		case strings.HasPrefix(name, "word/"):
			return ooxml + "wordprocessingml.document"
		case strings.HasPrefix(name, "ppt/"):
			return ooxml + "presentationml.presentation"
		case strings.HasPrefix(name, "xl/"):
			return ooxml + "spreadsheetml.sheet"
		case name == "meta-inf/container.xml":
			return "application/epub+zip"
		}
	}
	return usual
}

func isText(m *mimetype.MIME) bool {
	for p := m; p != nil; p = p.Parent() {
		if p.Is("text/plain") {
			return true
		}
	}
	return false
}

// looksLikeText reports whether bytes of no known type are text of an 8-bit
// encoding or UTF-16.
func looksLikeText(head []byte) bool {
	text, name, guessed := document.DecodeText(head)
	if !guessed && name == "utf-8" {
		return len(head) > 0 && !strings.ContainsRune(text, 0)
	}
	bad, all := 0, 0
	for _, c := range text {
		if all++; unicode.IsControl(c) && !unicode.IsSpace(c) || c == unicode.ReplacementChar || c >= 0xe000 && c < 0xf900 {
			bad++
		}
	}
	return bad*200 < all
}

// mailHeader matches the first lines of a message.
var mailHeader = regexp.MustCompile(`(?i)\A(?:(?:From|To|Cc|Subject|Date|Received|Return-Path|Message-ID|MIME-Version|Delivered-To|X-[\w-]+|DKIM-Signature|Content-Type|Reply-To|Sender|Authentication-Results|ARC-[\w-]+):.*(?:\r?\n[ \t].*)*\r?\n){2}`)

// textType tells text formats apart: by content where it shows, else by the
// extension.
func textType(head []byte, kind, name string) string {
	trimmed := bytes.TrimSpace(head)
	ext := strings.ToLower(path.Ext(name))
	switch {
	case kind == "text/html" && ext != ".md" && ext != ".txt", kind == "application/xhtml+xml":
		return "text/html"
	case len(trimmed) > 0 && trimmed[0] == '{' && isNotebook(trimmed, ext):
		return "application/x-ipynb+json"
	case kind == "message/rfc822", mailHeader.Match(trimmed) && (ext == ".eml" || ext == ".mbox" || ext == "" || ext == ".txt" || ext == ".mht"):
		return "message/rfc822"
	}
	switch ext {
	case ".html", ".htm", ".xhtml":
		if bytes.ContainsRune(trimmed, '<') {
			return "text/html"
		}
	case ".md", ".markdown":
		return "text/markdown"
	case ".csv":
		return "text/csv"
	case ".tsv", ".tab":
		return "text/tab-separated-values"
	case ".eml":
		return "message/rfc822"
	}
	if kind == "text/csv" || kind == "text/tab-separated-values" {
		return kind
	}
	if strings.HasPrefix(kind, "text/") && kind != "text/html" || strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "xml") {
		return kind
	}
	return "text/plain"
}

// isNotebook reports whether JSON is a notebook.
func isNotebook(head []byte, ext string) bool {
	if ext == ".ipynb" {
		return true
	}
	return bytes.Contains(head, []byte(`"cells"`)) && bytes.Contains(head, []byte(`"cell_type"`))
}
