package fsimpl_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// An edit changes the bytes it means and no others.
func TestProbeBytesOutsideAnEditStay(t *testing.T) {
	utf16 := func(s string) string {
		var b strings.Builder
		b.WriteString("\xff\xfe")
		for _, r := range s {
			b.WriteByte(byte(r))
			b.WriteByte(byte(r >> 8))
		}
		return b.String()
	}
	tests := []struct {
		name, before, old, new, after string
	}{
		{"CRLF", "a\r\nb\r\nc\r\n", "b", "B", "a\r\nB\r\nc\r\n"},
		{"CRLF and LF in old text", "a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n"},
		{"mixed endings", "a\nb\r\nc\rd\n", "b", "B", "a\nB\r\nc\rd\n"},
		{"Latin-1 byte elsewhere", "caf\xe9\nport = 1\nna\xefve\n", "port = 1", "port = 2", "caf\xe9\nport = 2\nna\xefve\n"},
		{"invalid byte in UTF-8", "grün \xff\nport = 1\n", "port = 1", "port = 2", "grün \xff\nport = 2\n"},
		{"byte order mark", "\ufeffone\ntwo\n", "one", "1", "\ufeff1\ntwo\n"},
		{"UTF-16", utf16("ab\r\ncd\r\n"), "cd", "é", utf16("ab\r\né\r\n")},
		{"no line end at the end", "a\nb", "b", "c", "a\nc"},
	}
	for _, tt := range tests {
		for _, action := range []string{"replace", "edit"} {
			t.Run(tt.name+"/"+action, func(t *testing.T) {
				p := newProbe(t, nil)
				p.put("f.txt", tt.before)
				if action == "replace" {
					p.ok(action, "path", "f.txt", "old_content", tt.old, "new_content", tt.new)
				} else {
					p.ok(action, "path", "f.txt", "edits", []any{map[string]any{"old_text": tt.old, "new_text": tt.new}})
				}
				p.holds("f.txt", tt.after)
				p.ok("undo")
				p.holds("f.txt", tt.before)
			})
		}
	}
}

func TestProbeModifyKeepsLineEnds(t *testing.T) {
	p := newProbe(t, nil)
	p.put("f.txt", "a\r\nb\r\nc\r\n")
	p.ok("modify", "path", "f.txt", "start_offset_inclusive", 1, "end_offset_inclusive", 1, "new_content", "x\ny")
	p.holds("f.txt", "a\r\nx\r\ny\r\nc\r\n")
}

func TestProbeMatchesOfEdit(t *testing.T) {
	p := newProbe(t, nil)
	edits := func(old, replacement string) []any {
		return []any{map[string]any{"old_text": old, "new_text": replacement}}
	}

	p.put("two.txt", "x = 1\ny = 2\nx = 1\n")
	p.says(p.fails(facade.CodeAmbiguousMatch, "edit", "path", "two.txt", "edits", edits("x = 1", "x = 2")), "1", "3")
	p.says(p.fails(facade.CodeAmbiguousMatch, "replace", "path", "two.txt", "old_content", "x = 1", "new_content", "x = 2"), "1", "3")
	p.says(p.fails(facade.CodeNoMatch, "edit", "path", "two.txt", "edits", edits("y = 3", "y")), "line 2", "y·=·2")
	p.says(p.fails(facade.CodeNoMatch, "replace", "path", "two.txt", "old_content", "y = 3", "new_content", "y"), "line 2", "y·=·2")
	p.fails(facade.CodeInvalidArgument, "edit", "path", "two.txt", "edits", edits("", "y"))
	p.fails(facade.CodeInvalidArgument, "replace", "path", "two.txt", "old_content", "", "new_content", "y")
	p.fails(facade.CodeInvalidArgument, "edit", "path", "two.txt", "edits", edits("y", "y"))
	p.fails(facade.CodeInvalidArgument, "replace", "path", "two.txt", "old_content", "y", "new_content", "y")
	p.holds("two.txt", "x = 1\ny = 2\nx = 1\n")

	p.put("tabs.go", "func f() {\n\tif x {\n\t\treturn 1\n\t}\n}\n")
	r := get[facade.EditOutput](p, "edit", "path", "tabs.go", "edits",
		edits("    if x {\n        return 1\n    }", "    if x {\n        log()\n        return 2\n    }"))
	p.holds("tabs.go", "func f() {\n\tif x {\n\t\tlog()\n\t\treturn 2\n\t}\n}\n")
	if s := r.Files[0].Matches[0].Strategy; s != "indentation" {
		t.Errorf("strategy %q, want indentation", s)
	}
	p.says(p.fails(facade.CodeNoMatch, "replace", "path", "tabs.go",
		"old_content", "    if x {\n        log()", "new_content", "y"), "tab")
}

func TestProbeBinary(t *testing.T) {
	p := newProbe(t, nil)
	raw := make([]byte, 2048)
	for i := range raw {
		raw[i] = byte(i*i>>3 ^ i*7)
	}
	p.put("blob.bin", string(raw))
	p.says(p.fails(facade.CodeBinaryContent, "read", "path", "blob.bin"), "base64")
	r := get[facade.ReadOutput](p, "read", "path", "blob.bin", "output_format", "base64")
	if got, err := base64.StdEncoding.DecodeString(r.Files[0].Content); err != nil || string(got) != string(raw) {
		t.Errorf("the bytes differ: %v", err)
	}
	p.says(p.fails(facade.CodeBinaryContent, "replace", "path", "blob.bin", "old_content", "a", "new_content", "b"), "base64")
	p.holds("blob.bin", string(raw))
	p.ok("write", "path", "copy.bin", "content", r.Files[0].Content, "mode", "binary", "input_format", "base64")
	p.holds("copy.bin", string(raw))
	p.fails(facade.CodeInvalidArgument, "write", "path", "copy.bin", "content", "!!", "mode", "binary", "input_format", "base64")
}

func TestProbeEncodings(t *testing.T) {
	tests := []struct{ encoding, text, raw string }{
		{"utf-8", "grün\n", "grün\n"},
		{"iso-8859-1", "grün\n", "gr\xfcn\n"},
		{"latin1", "grün\n", "gr\xfcn\n"},
		{"windows-1252", "5 €\n", "5 \x80\n"},
		{"windows-1251", "да\n", "\xe4\xe0\n"},
		{"utf-16be", "é\n", "\x00\xe9\x00\n"}, // the byte order is in the name, so no mark
		{"UTF-16LE", "é\n", "\xe9\x00\n\x00"},
		{"utf-16", "é\n", "\xff\xfe\xe9\x00\n\x00"},
		{"shift_jis", "日本\n", "\x93\xfa\x96{\n"},
		{"gb18030", "中\n", "\xd6\xd0\n"},
	}
	for _, tt := range tests {
		t.Run(tt.encoding, func(t *testing.T) {
			p := newProbe(t, nil)
			p.ok("write", "path", "f.txt", "content", tt.text, "file_encoding", tt.encoding)
			p.holds("f.txt", tt.raw)
			r := get[facade.ReadOutput](p, "read", "path", "f.txt", "file_encoding", tt.encoding)
			if got := r.Files[0].Content; got != tt.text {
				t.Errorf("read %q, want %q", got, tt.text)
			}
		})
	}
	p := newProbe(t, nil)
	p.put("f.txt", "a\n")
	p.fails(facade.CodeInvalidArgument, "read", "path", "f.txt", "file_encoding", "klingon")
	p.fails(facade.CodeInvalidArgument, "write", "path", "f.txt", "content", "x", "file_encoding", "klingon")
	p.fails(facade.CodeUnsupportedEncoding, "write", "path", "f.txt", "content", "日本", "file_encoding", "iso-8859-1")
	p.holds("f.txt", "a\n")
}

// An encoding that is only appended to stays what it is.
func TestProbeAppendKeepsEncoding(t *testing.T) {
	p := newProbe(t, nil)
	p.put("f.txt", "\xff\xfea\x00\n\x00")
	p.ok("write", "path", "f.txt", "content", "é\n", "append", true)
	p.holds("f.txt", "\xff\xfea\x00\n\x00\xe9\x00\n\x00")
	p.put("crlf.txt", "a\r\n")
	p.ok("write", "path", "crlf.txt", "content", "b\r\n", "append", true)
	p.holds("crlf.txt", "a\r\nb\r\n")
}
