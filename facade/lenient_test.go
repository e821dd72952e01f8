package facade_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

// TestLenientCalls shows what is taken although it is not of the type asked
// for, and the note that says so. A case without a note is exact.
func TestLenientCalls(t *testing.T) {
	var b strings.Builder
	for _, args := range lenient {
		r := call(t, sampleTool(), `{"action":"echo",`+args+`}`)
		if !r.OK() {
			t.Errorf("%s: %s", args, r.Text)
			continue
		}
		in, err := json.Marshal(r.Data.(echo).In)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n    = %s\n", args, in)
		for _, n := range r.Notes {
			fmt.Fprintf(&b, "    note: %s\n", n)
		}
	}
	golden(t, "lenient.txt", b.String())
}

var lenient = []string{
	`"int":10`, `"int":"10"`, `"int":" 10 "`, `"int":10.0`, `"int":1e3`, `"int":"1e3"`, `"int":null`,
	`"small":-128`, `"big":9223372036854775807`, `"big":"9007199254740993"`, `"big":0`, `"big":-0`,
	`"ratio":1`, `"ratio":"0.75"`, `"ratio":5E-1`,
	`"flag":true`, `"flag":"true"`, `"flag":"false"`, `"on":false`, `"on":"false"`, `"on":null`,
	`"names":["a","b"]`, `"names":"a"`, `"names":"[\"a\",\"b\"]"`, `"names":"[not json"`, `"names":""`, `"names":null`,
	`"counts":[1,"2"]`, `"counts":"[1,2]"`, `"counts":[]`,
	`"kinds":"fish"`, `"sort":"size"`, `"\u0073ort":"mtime"`,
	`"env":{"A":"1"}`, `"env":"{\"A\":\"1\"}"`, `"env":{}`, `"env":{"a.b":"","":"x"}`,
	`"meta":{"total":null,"n":[1,{"x":true}]}`, `"meta":"{\"a\":1}"`,
	`"raw":[1, 2]`, `"raw":"text"`,
	`"part":{"path":"a"}`, `"part":"{\"path\":\"a\",\"line\":\"3\"}"`,
	`"parts":[{"path":"a"},{"path":"b","line":2}]`, `"parts":"[{\"path\":\"a\"}]"`,
}

// TestTextIsNeverCoerced checks that what looks like another type, or like an
// escape, stays the text that was sent.
func TestTextIsNeverCoerced(t *testing.T) {
	for _, text := range []string{
		"", " ", "true", "10", "null", `{"a":1}`, `["a"]`, "a\r\nb\n", "\x00\x1f\x7f", "\ufeffBOM", "\u2028", "caf\u00e9", "cafe\u0301",
		"\U0001F600", `\n`, `\\`, `C:\new`, "  leading and trailing  ", "<b>&amp;</b>", "\ufffd", strings.Repeat("x\n", 100_000),
	} {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		r := call(t, sampleTool(), `{"action":"echo","text":`+string(quoted)+`}`)
		if !r.OK() || len(r.Notes) > 0 {
			t.Fatalf("%.40q: %s %v", text, r.Text, r.Notes)
		}
		if diff := cmp.Diff(text, r.Data.(echo).In.Text); diff != "" {
			t.Errorf("text changed: %s", diff)
		}
	}
}

func TestNotesReachTheReply(t *testing.T) {
	r := call(t, sampleTool(), `{"action":"echo","int":"10"}`)
	const note = `int: took string "10" as an integer`
	if !strings.HasSuffix(r.FullText(), "\nnote: "+note) || !strings.HasSuffix(r.Headline(), "\nnote: "+note) {
		t.Errorf("text without the note: %s", r.FullText())
	}
	var form struct{ Notes []string }
	if err := json.Unmarshal(r.JSON(), &form); err != nil || len(form.Notes) != 1 || form.Notes[0] != note {
		t.Errorf("JSON without the note: %s", r.JSON())
	}
}

// TestNotesAreBounded keeps a long list of coerced values out of the reply.
func TestNotesAreBounded(t *testing.T) {
	r := call(t, sampleTool(), `{"action":"echo","counts":[`+strings.Repeat(`"1",`, 5000)+`"1"]}`)
	if !r.OK() || len(r.Data.(echo).In.Counts) != 5001 || len(r.Notes) != 20 {
		t.Errorf("%d notes: %.200s", len(r.Notes), r.Text)
	}
}

// TestProblemsAreBounded keeps a hostile call cheap and its reply small.
func TestProblemsAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"action":"echo"`)
	for i := range 50_000 {
		fmt.Fprintf(&b, `,"stranger%d":%d`, i, i)
	}
	r := call(t, sampleTool(), b.String()+"}")
	if r.OK() || !strings.HasPrefix(r.Error.Message, "50000 problems: ") || !strings.Contains(r.Error.Message, "and 49980 more") {
		t.Errorf("%.200s", r.Text)
	}
	if len(r.JSON()) > 16<<10 {
		t.Errorf("the reply has %d bytes", len(r.JSON()))
	}
}

func TestDefaulted(t *testing.T) {
	got := facade.Defaulted(sample{})
	on, big := true, int64(-1)
	if diff := cmp.Diff(sample{Text: "hello", On: &on, Big: &big, Sort: "name"}, got); diff != "" {
		t.Error(diff)
	}
	off, zero := false, int64(0)
	given := sample{Text: "x", On: &off, Big: &zero, Sort: "size"}
	if diff := cmp.Diff(given, facade.Defaulted(given)); diff != "" {
		t.Error(diff)
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		name       string
		candidates string
		want       string
	}{
		{"lst", "create list get", "list"},
		{"PATH", "pattern path", "path"},
		{"file_path", "pattern path", "path"},
		{"filepath", "pattern path", "path"},
		{"contents", "content mode", "content"},
		{"content", "old_content new_content", "old_content"},
		{"rm", "read write", ""},
		{"x", "a b", ""},
		{"", "a b", ""},
		{"zzzzzzzz", "read write", ""},
		{"ünïcode", "unicode", "unicode"},
		{strings.Repeat("a", 1<<20), strings.Repeat("a", 10), ""},
		{"aaa", strings.Repeat("a", 1<<20), ""},
	} {
		if got := facade.Nearest(c.name, strings.Fields(c.candidates)); got != c.want {
			t.Errorf("Nearest(%.20q, %.40q) = %.20q, want %q", c.name, c.candidates, got, c.want)
		}
	}
}
