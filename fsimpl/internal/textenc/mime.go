package textenc

import (
	"bytes"
	"path"
	"strings"
)

// magics are the first bytes of formats that are not text.
var magics = [...]struct {
	at           int
	prefix, mime string
}{
	{0, "\x89PNG\r\n\x1a\n", "image/png"},
	{0, "\xFF\xD8\xFF", "image/jpeg"},
	{0, "GIF87a", "image/gif"},
	{0, "GIF89a", "image/gif"},
	{8, "WEBP", "image/webp"},
	{0, "II*\x00", "image/tiff"},
	{0, "MM\x00*", "image/tiff"},
	{0, "\x00\x00\x01\x00", "image/x-icon"},
	{4, "ftypavif", "image/avif"},
	{4, "ftypheic", "image/heic"},
	{4, "ftyp", "video/mp4"},
	{0, "%PDF-", "application/pdf"},
	{0, "PK\x03\x04", "application/zip"},
	{0, "PK\x05\x06", "application/zip"},
	{0, "\x1f\x8b\x08", "application/gzip"},
	{0, "BZh", "application/x-bzip2"},
	{0, "\xFD7zXZ\x00", "application/x-xz"},
	{0, "\x28\xB5\x2F\xFD", "application/zstd"},
	{0, "7z\xBC\xAF\x27\x1C", "application/x-7z-compressed"},
	{0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "application/x-ole-storage"},
	{0, "\x7fELF", "application/x-elf"},
	{0, "\x00asm", "application/wasm"},
	{0, "SQLite format 3\x00", "application/vnd.sqlite3"},
	{0, "OggS", "audio/ogg"},
	{0, "ID3", "audio/mpeg"},
	{0, "fLaC", "audio/flac"},
	{8, "WAVE", "audio/wav"},
}

// magic returns the media type of content that is surely not text, else "".
// A prefix of printable characters alone decides only together with a byte
// that texts do not hold.
func magic(sample []byte) string {
	for i := range magics { // a copy of the table would be most of the stack of a call
		m := &magics[i]
		end := m.at + len(m.prefix)
		if len(sample) < end || string(sample[m.at:end]) != m.prefix {
			continue
		}
		if m.mime == "application/pdf" || !isASCII(sample[m.at:end]) || bytes.ContainsFunc(sample[:min(len(sample), 512)], notText) {
			return m.mime
		}
	}
	return ""
}

func notText(r rune) bool { return r < 0x80 && isControl(byte(r)) || r == '\uFFFD' }

// extensions gives the media types that only a name can tell.
var extensions = map[string]string{
	".html": "text/html", ".htm": "text/html", ".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript",
	".json": "application/json", ".ipynb": "application/x-ipynb+json", ".xml": "application/xml", ".svg": "image/svg+xml",
	".md": "text/markdown", ".csv": "text/csv", ".tsv": "text/tab-separated-values", ".yaml": "application/yaml", ".yml": "application/yaml",
	".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
	".odt":  "application/vnd.oasis.opendocument.text", ".ods": "application/vnd.oasis.opendocument.spreadsheet",
	".odp": "application/vnd.oasis.opendocument.presentation", ".epub": "application/epub+zip", ".jar": "application/java-archive",
}

// MIME returns the media type of a file by the start of its content; where
// content alone cannot tell (a zip archive, a text) the name refines it.
func MIME(name string, head []byte, d Detection) string {
	byName := extensions[strings.ToLower(path.Ext(name))]
	if !d.Binary {
		if byName != "" && !strings.HasPrefix(byName, "application/vnd.") && !strings.HasSuffix(byName, "zip") {
			return byName
		}
		return "text/plain"
	}
	m := magic(head)
	if m == "application/zip" && strings.HasPrefix(byName, "application/") {
		return byName
	}
	if m == "" {
		return "application/octet-stream"
	}
	return m
}
