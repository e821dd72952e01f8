package edit

import (
	"testing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

func modify(raw string, r Range) (string, Plan, error) {
	plan, err := ReplaceRange([]byte(raw), textenc.Detect([]byte(raw)), r, nil)
	return string(Apply([]byte(raw), plan.Splices)), plan, err
}

func TestReplaceRange(t *testing.T) {
	tests := []struct {
		name, raw string
		r         Range
		want      string
		line      int64
	}{
		{"line", "a\nb\nc\n", Range{Start: 1, End: 1, New: "x"}, "a\nx\nc\n", 2},
		{"line with its end", "a\nb\nc\n", Range{Start: 1, End: 1, New: "x\n"}, "a\nx\nc\n", 2},
		{"lines by more", "a\nb\nc\n", Range{Start: 0, End: 1, New: "x\ny\nz"}, "x\ny\nz\nc\n", 1},
		{"to the end", "a\nb\nc\n", Range{Start: 1, End: -1, New: "x"}, "a\nx\n", 2},
		{"to the end, none final", "a\nb\nc", Range{Start: 1, End: -1, New: "x\n"}, "a\nx", 2},
		{"insert", "a\nb\n", Range{Start: 1, End: 0, New: "x"}, "a\nx\nb\n", 2},
		{"whole file", "a\nb\n", Range{Start: 0, End: -1, New: "x"}, "x\n", 1},
		{"append", "a\n", Range{Start: 1, End: 0, New: "x"}, "a\nx\n", 2},
		{"append, none final", "a", Range{Start: 1, End: 0, New: "x"}, "a\nx", 1},
		{"append by -1", "a\n", Range{Start: 1, End: -1, New: "x"}, "a\nx\n", 2},
		{"empty file", "", Range{Start: 0, End: -1, New: "x"}, "x\n", 1},
		{"delete lines", "a\nb\nc\n", Range{Start: 1, End: 1}, "a\nc\n", 2},
		{"delete the last", "a\nb", Range{Start: 1, End: 1}, "a\n", 2},
		{"empty line", "a\nb\nc\n", Range{Start: 1, End: 1, New: "\n"}, "a\n\nc\n", 2},
		{"crlf", "a\r\nb\r\nc\r\n", Range{Start: 1, End: 1, New: "x\ny"}, "a\r\nx\r\ny\r\nc\r\n", 2},
		{"crlf append", "a\r\nb", Range{Start: 2, End: 1, New: "x"}, "a\r\nb\r\nx", 2},
		{"crlf given", "a\nb\n", Range{Start: 1, End: 1, New: "x\r\ny\r\n"}, "a\nx\ny\n", 2},
		{"mixed", "a\r\nb\nc\r\n", Range{Start: 1, End: 1, New: "x\ny"}, "a\r\nx\ny\nc\r\n", 2},
		{"utf-16", wide("a\r\nb\r\n"), Range{Start: 1, End: 1, New: "\u00e9"}, wide("a\r\n\u00e9\r\n"), 2},
		{"latin-1", "caf\xE9\nb\n", Range{Start: 1, End: 1, New: "\u00fc"}, "caf\xE9\n\xFC\n", 2},
		{"the same", "a\nb\n", Range{Start: 0, End: 0, New: "a"}, "a\nb\n", 1},
		{"bytes", "abcdef", Range{Start: 1, End: 2, New: "XYZ", Bytes: true}, "aXYZdef", 1},
		{"bytes to the end", "ab\ncd", Range{Start: 4, End: -1, New: "x", Bytes: true}, "ab\ncx", 2},
		{"bytes, insert", "abc", Range{Start: 1, End: 0, New: "x", Bytes: true}, "axbc", 1},
		{"bytes, append", "abc", Range{Start: 3, End: -1, New: "x", Bytes: true}, "abcx", 1},
		{"bytes are verbatim", "a\nb", Range{Start: 1, End: 1, New: "\r\n", Bytes: true}, "a\r\nb", 1},
		{"bytes of utf-8", "\u00e9b", Range{Start: 2, End: 2, New: "x", Bytes: true}, "\u00e9x", 1},
		{"bytes of binary", "a\x00b", Range{Start: 1, End: 1, New: "\u00e9", Bytes: true}, "a\u00e9b", 1},
		{"bytes of utf-16", wide("ab"), Range{Start: 2, End: 3, New: "\u00e9", Bytes: true}, wide("\u00e9b"), 1},
		{"bytes after cr of utf-16", wide("\rb"), Range{Start: 4, End: 5, New: "x", Bytes: true}, wide("\rx"), 1},
		{"bytes, the same", "abc", Range{Start: 1, End: 1, New: "b", Bytes: true}, "abc", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, plan, err := modify(tt.raw, tt.r)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if plan.Count != 1 || len(plan.Matches) != 1 || plan.Matches[0].Lines[0] != tt.line {
				t.Errorf("plan %+v, want line %d", plan, tt.line)
			}
			if (got == tt.raw) != (len(plan.Splices) == 0) {
				t.Errorf("splices %v", plan.Splices)
			}
		})
	}
}

func TestReplaceRangeFails(t *testing.T) {
	tests := []struct {
		name, raw string
		r         Range
		code      facade.Code
		field     string
		part      string
	}{
		{"start outside", "a\nb\n", Range{Start: 3, End: 3, New: "x"}, facade.CodeInvalidArgument, "start_offset_inclusive", "has 2 lines"},
		{"negative start", "a\n", Range{Start: -1, End: 0}, facade.CodeInvalidArgument, "start_offset_inclusive", "outside"},
		{"end outside", "a\nb\n", Range{Start: 1, End: 2, New: "x"}, facade.CodeInvalidArgument, "end_offset_inclusive", "the last is 1"},
		{"end before start", "a\nb\nc\n", Range{Start: 2, End: 0, New: "x"}, facade.CodeInvalidArgument, "end_offset_inclusive", "1 inserts before 2"},
		{"bytes outside", "abc", Range{Start: 4, End: 4, New: "x", Bytes: true}, facade.CodeInvalidArgument, "start_offset_inclusive", "has 3 bytes"},
		{"binary by lines", "a\x00", Range{End: -1, New: "x"}, facade.CodeBinaryContent, "", "not text"},
		{"inside a character", "\u00e9b", Range{Start: 1, End: 1, New: "x", Bytes: true}, facade.CodeInvalidArgument, "start_offset_inclusive", "starts at byte 0"},
		{"end inside a character", "b\U0001F600", Range{Start: 0, End: 2, New: "x", Bytes: true}, facade.CodeInvalidArgument, "end_offset_inclusive", "starts at byte 1"},
		{"half a unit", wide("ab"), Range{Start: 3, End: 3, New: "x", Bytes: true}, facade.CodeInvalidArgument, "start_offset_inclusive", "inside"},
		{"half a pair", wide("\U0001F600"), Range{Start: 4, End: 5, New: "x", Bytes: true}, facade.CodeInvalidArgument, "start_offset_inclusive", "starts at byte 2"},
		{"utf-32", "\xFF\xFE\x00\x00a\x00\x00\x00", Range{Start: 5, End: -1, Bytes: true}, facade.CodeInvalidArgument, "start_offset_inclusive", "inside"},
		{"not in latin-1", "caf\xE9\n", Range{Start: 0, End: 0, New: "\u2192"}, facade.CodeUnsupportedEncoding, "", "U+2192"},
		{"not in latin-1, bytes", "caf\xE9\n", Range{Start: 0, End: 0, New: "\u2192", Bytes: true}, facade.CodeUnsupportedEncoding, "", "U+2192"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := modify(tt.raw, tt.r)
			if err == nil {
				t.Fatalf("no error; the result is %q", got)
			}
			wantError(t, err, tt.code, tt.field, tt.part)
		})
	}
}
