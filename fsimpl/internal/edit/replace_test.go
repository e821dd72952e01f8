package edit

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

func TestReplace(t *testing.T) {
	tests := []struct {
		name, raw string
		s         Substitution
		want      string
		strategy  string
		lines     []int64
	}{
		{"one", "a\nb\nc\n", Substitution{Old: "b", New: "x"}, "a\nx\nc\n", Exact, []int64{2}},
		{"no final newline", "a\nb", Substitution{Old: "b", New: "x"}, "a\nx", Exact, []int64{2}},
		{"crlf kept", "a\r\nb\r\nc\r\n", Substitution{Old: "b", New: "x\ny"}, "a\r\nx\r\ny\r\nc\r\n", Exact, []int64{2}},
		{"crlf, old with lf", "a\r\nb\r\nc\r\n", Substitution{Old: "a\nb", New: "a\nx"}, "a\r\nx\r\nc\r\n", LineEnding, []int64{1}},
		{"lf, old with crlf", "a\nb\nc\n", Substitution{Old: "a\r\nb", New: "a\r\nx\r\n"}, "a\nx\n\nc\n", LineEnding, []int64{1}},
		{"crlf, old with crlf", "a\r\nb\r\n", Substitution{Old: "a\r\nb", New: "c\r\nb"}, "c\r\nb\r\n", Exact, []int64{1}},
		{"mixed ends stay", "a\r\nb\nc\r\nd\n", Substitution{Old: "b\nc", New: "b\nx"}, "a\r\nb\nx\r\nd\n", Exact, []int64{2}},
		{"mixed ends stay between changes", "a\nb\r\nc\nd\r\n", Substitution{Old: "a\nb\nc\nd", New: "A\nb\nC\nD"}, "A\nb\r\nC\nD\r\n", LineEnding, []int64{1}},
		{"exact line ends win", "a\nb\r\na\r\nb\n", Substitution{Old: "a\r\nb", New: "x"}, "a\nb\r\nx\n", Exact, []int64{3}},
		{"mixed, all", "a\nb\na\r\nb\n", Substitution{Old: "a\nb", New: "x", All: true}, "x\nx\n", LineEnding, []int64{1, 3}},
		{"only line ends", "a\r\nb\r\n", Substitution{Old: "\r\n", New: "\n", All: true}, "a\nb\n", Exact, []int64{1, 2}},
		{"only line ends, once", "a\r\nb\n", Substitution{Old: "a\r\nb", New: "a\nb"}, "a\nb\n", Exact, []int64{1}},
		{"old mac", "a\rb\rc", Substitution{Old: "b\nc", New: "b\nx\ny"}, "a\rb\rx\ry", LineEnding, []int64{2}},
		{"bom kept", "\xEF\xBB\xBFa\n", Substitution{Old: "a", New: "b"}, "\xEF\xBB\xBFb\n", Exact, []int64{1}},
		{"latin-1 elsewhere", "caf\xE9\nb\n", Substitution{Old: "b", New: "\u00fc"}, "caf\xE9\n\xFC\n", Exact, []int64{2}},
		{"latin-1 matched", "caf\xE9\n", Substitution{Old: "caf\u00e9", New: "tea"}, "tea\n", Exact, []int64{1}},
		{"stray byte in utf-8", "\u00e9 \xFF\nb\n", Substitution{Old: "b", New: "\u00e8"}, "\u00e9 \xFF\n\u00e8\n", Exact, []int64{2}},
		{"utf-16", wide("a\r\nb\r\n"), Substitution{Old: "b", New: "\U0001F600\nx"}, wide("a\r\n\U0001F600\r\nx\r\n"), Exact, []int64{2}},
		{"expected", "a a a", Substitution{Old: "a", New: "b", Expected: 3}, "b b b", Exact, []int64{1, 1, 1}},
		{"matches do not overlap", "aaaa", Substitution{Old: "aa", New: "b", All: true}, "bb", Exact, []int64{1, 1}},
		{"delete", "a\nb\n", Substitution{Old: "b\n"}, "a\n", Exact, []int64{2}},
		{"regex groups", "k=v\n", Substitution{Old: `(\w)=(\w)`, New: "$2=$1", Regex: true}, "v=k\n", Regex, []int64{1}},
		{"regex named group", "k=v\n", Substitution{Old: `(?P<key>\w)=`, New: "${key}:", Regex: true}, "k:v\n", Regex, []int64{1}},
		{"regex at each line", "a\nb\n", Substitution{Old: `^(.)$`, New: "[$1]", Regex: true, All: true}, "[a]\n[b]\n", Regex, []int64{1, 2}},
		{"regex over crlf", "a\r\nb\r\n", Substitution{Old: `a\nb$`, New: "x\ny\nz", Regex: true}, "x\r\ny\r\nz\r\n", Regex, []int64{1}},
		{"regex names cr", "a\r\nb\r\n", Substitution{Old: `\r\n`, New: "\n", Regex: true, All: true}, "a\nb\n", Regex, []int64{1, 2}},
		{"regex group keeps mixed ends", "f(\r\n1\n)\n", Substitution{Old: `(?s)f(\(.*\))`, New: "g$1", Regex: true}, "g(\r\n1\n)\n", Regex, []int64{1}},
		{"regex all of the text", "a\nb", Substitution{Old: `(?s)\A.*\z`, New: "x", Regex: true}, "x", Regex, []int64{1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, plan, err := replace(t, tt.raw, tt.s)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			want := []facade.EditMatch{{Strategy: tt.strategy, Confidence: 1, Lines: tt.lines}}
			if diff := cmp.Diff(want, plan.Matches); diff != "" || plan.Count != len(tt.lines) {
				t.Errorf("count %d, matches (-want +got)\n%s", plan.Count, diff)
			}
		})
	}
}

func TestReplaceFails(t *testing.T) {
	tests := []struct {
		name, raw string
		s         Substitution
		code      facade.Code
		field     string
		part      string
	}{
		{"empty old", "a", Substitution{New: "b"}, facade.CodeInvalidArgument, "old_content", "use modify"},
		{"same", "a", Substitution{Old: "a", New: "a"}, facade.CodeInvalidArgument, "new_content", "nothing would change"},
		{"same but for ends that the file lacks", "a\nb", Substitution{Old: "a\r\nb\n", New: "a\nb\r\n"}, facade.CodeNoMatch, "old_content", "does not occur"},
		{"two", "a\na\nb", Substitution{Old: "a", New: "x"}, facade.CodeAmbiguousMatch, "old_content", "2 times, at lines 1, 2"},
		{"two by line end only", "a\r\nb\na\r\nb\n", Substitution{Old: "a\nb", New: "x"}, facade.CodeAmbiguousMatch, "old_content", "lines 1, 3"},
		{"none", "a", Substitution{Old: "b", New: "x"}, facade.CodeNoMatch, "old_content", "does not occur"},
		{"none of all", "a", Substitution{Old: "b", New: "x", All: true}, facade.CodeNoMatch, "old_content", "does not occur"},
		{"other count", "a a", Substitution{Old: "a", New: "x", Expected: 3}, facade.CodeAmbiguousMatch, "old_content", "expected 3 matches, found 2, at lines 1, 1"},
		{"one too many", "a a", Substitution{Old: "a", New: "x", Expected: 1}, facade.CodeAmbiguousMatch, "old_content", "expected 1 match, found 2"},
		{"binary", "a\x00b", Substitution{Old: "a", New: "x"}, facade.CodeBinaryContent, "", "not text"},
		{"binary by pattern", "a\x00b", Substitution{Old: "a", New: "x", Regex: true}, facade.CodeBinaryContent, "", "not text"},
		{"character the file cannot hold", "caf\xE9 b", Substitution{Old: "b", New: "\u2192"}, facade.CodeUnsupportedEncoding, "", "U+2192"},
		{"the same by pattern", "caf\xE9 b", Substitution{Old: "b", New: "\u2192", Regex: true}, facade.CodeUnsupportedEncoding, "", "U+2192"},
		{"replacement character matches no byte", "\u00e9 \xFF", Substitution{Old: "\uFFFD", New: "x"}, facade.CodeNoMatch, "old_content", "does not occur"},
		{"pattern over an invalid byte", "\u00e9\n\xFF\n", Substitution{Old: `^.$`, New: "x", Regex: true, All: true}, facade.CodeUnsupportedEncoding, "", "line 2 covers bytes"},
		{"bad pattern", "a", Substitution{Old: "a(", New: "x", Regex: true}, facade.CodeInvalidArgument, "old_content", "missing closing ): in a("},
		{"long pattern", "a", Substitution{Old: strings.Repeat("a", maxRegex+1), New: "x", Regex: true}, facade.CodeInvalidArgument, "old_content", "limit"},
		{"compile bomb", "a", Substitution{Old: "((a{100}){100}){100}", New: "x", Regex: true}, facade.CodeInvalidArgument, "old_content", "bad regular expression"},
		{"pattern occurs twice", "a\nb\n", Substitution{Old: `\w`, New: "x", Regex: true}, facade.CodeAmbiguousMatch, "old_content", "the pattern occurs 2 times"},
		{"pattern occurs never", "a\n", Substitution{Old: `\d`, New: "x", Regex: true}, facade.CodeNoMatch, "old_content", "the pattern does not occur"},
		{"pattern changes nothing", "a\n", Substitution{Old: `(a)`, New: "$1", Regex: true}, facade.CodeInvalidArgument, "new_content", "nothing would change"},
		{"long old", "a", Substitution{Old: strings.Repeat("a", 1<<20+1), New: "x"}, facade.CodeTooLarge, "old_content", "limit"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := replace(t, tt.raw, tt.s)
			if err == nil {
				t.Fatalf("no error; the result is %q", got)
			}
			wantError(t, err, tt.code, tt.field, strings.ReplaceAll(tt.part, "): in", ") in"))
		})
	}
}

func TestReplaceLimits(t *testing.T) {
	raw := []byte(strings.Repeat("a\n", 3000))
	d := textenc.Detect(raw)
	for name, s := range map[string]Substitution{
		"literal": {Old: "a", New: "bbbb", All: true},
		"pattern": {Old: "a", New: "bbbb", All: true, Regex: true},
	} {
		if _, err := Replace(context.Background(), raw, d, s, &Options{MaxMatches: 2999}); facade.CodeOf(err) != facade.CodeTooLarge {
			t.Errorf("%s: 3000 matches of 2999: %v", name, err)
		}
		if _, err := Replace(context.Background(), raw, d, s, &Options{MaxOutput: 11999}); facade.CodeOf(err) != facade.CodeTooLarge {
			t.Errorf("%s: 12000 bytes of 11999: %v", name, err)
		}
		if p, err := Replace(context.Background(), raw, d, s, &Options{MaxMatches: 3000, MaxOutput: 12000}); err != nil || p.Count != 3000 {
			t.Errorf("%s: at the limits: %d, %v", name, p.Count, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := Replace(ctx, raw, d, s, nil); facade.CodeOf(err) != facade.CodeCanceled {
			t.Errorf("%s: canceled: %v", name, err)
		}
	}
	_, err := Replace(context.Background(), raw, d, Substitution{Old: "a", New: "x"}, nil)
	wantError(t, err, facade.CodeAmbiguousMatch, "old_content", "3000 times", "and 2950 more")
}

// A pattern tried on pieces finds what it finds on the whole.
func TestRegexPieces(t *testing.T) {
	text := strings.Repeat("word and word\n\nlast \n", 13_000)
	for _, source := range []string{`^`, `$`, `\bword$`, `^$`, `\s+$`, `[^\w\n]+`, `x*`, `\B`, `\Aword|(l)a`} {
		p, err := compile(source)
		if err != nil {
			t.Fatal(err)
		}
		x := expander{pattern: p, text: []byte(text), limit: 1 << 30, matches: 1 << 30}
		if err := x.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		whole := p.re.FindAllIndex([]byte(text), -1)
		if len(whole) != len(x.spans) {
			t.Fatalf("%s: %d matches in pieces, %d in the whole", source, len(x.spans), len(whole))
		}
		for i, m := range whole {
			if m[0] != x.spans[i].Start || m[1] != x.spans[i].End {
				t.Fatalf("%s: match %d at %v, whole has %v", source, i, x.spans[i], m)
			}
		}
	}
}

// Work on large content gives way before it is done.
func TestAside(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	hold := make(chan struct{})
	defer close(hold)
	_, err := aside(ctx, true, func() (int, error) {
		cancel()
		<-hold
		return 1, nil
	})
	if facade.CodeOf(err) != facade.CodeCanceled {
		t.Errorf("error %v", err)
	}
	if _, err := aside(ctx, false, func() (int, error) { return 1, nil }); facade.CodeOf(err) != facade.CodeCanceled {
		t.Errorf("small content: %v", err)
	}
}

// A pattern is as large as what its repetitions stand for.
func TestLargePattern(t *testing.T) {
	defer settle()
	raw := []byte(strings.Repeat("a", 8_000))
	began := time.Now()
	_, err := Replace(t.Context(), raw, textenc.Detect(raw), Substitution{Old: strings.Repeat("(?:a?){1000}", 100), New: "x", Regex: true}, nil)
	e, ok := errors.AsType[*facade.Error](err)
	if took := time.Since(began); !ok || e.Code != facade.CodeInvalidArgument || !strings.Contains(e.Hint, "lower the counts") || took > time.Second {
		t.Errorf("error %v after %v", err, took)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	began = time.Now()
	_, err = Replace(ctx, raw, textenc.Detect(raw), Substitution{Old: strings.Repeat("(?:a?){1000}", 4) + "[bc]", New: "x", Regex: true}, nil)
	if took := time.Since(began); facade.CodeOf(err) != facade.CodeTimeout || took > 500*time.Millisecond {
		t.Errorf("error %v after %v", err, took)
	}
}

// settle waits for searches that were begun and left alone to end.
func settle() {
	stacks := make([]byte, 1<<20)
	for range 1200 {
		if !bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte("edit.aside[")) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// A long search over one line gives way to the context at once.
func TestRegexCancel(t *testing.T) {
	defer settle()
	raw := []byte(strings.Repeat("abcdefghij", 200_000))
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	d := textenc.Detect(raw)
	began := time.Now()
	_, err := Replace(ctx, raw, d, Substitution{Old: `(?is)[a-z]+(x|y)+.*q\z`, New: "x", Regex: true}, nil)
	if facade.CodeOf(err) != facade.CodeTimeout {
		t.Fatalf("error %v", err)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("gave way after %v", took)
	}
}

// TestDiagnosePassage has texts that are like a part of a line, but not like
// a whole one.
func TestDiagnosePassage(t *testing.T) {
	text := "package main\n\tprintln(\"Hello, wörld\")\nanother line of no interest whatsoever\n"
	tests := []struct{ old, want string }{
		{"Helo", "the closest text, in line 2, is 75 % alike (→ is a tab, · a blank):\nfile     2: Hello\nold      1: Helo"},
		{"Hello,world", "the closest text, in line 2, is 72 % alike (→ is a tab, · a blank):\nfile     2: Hello,·wörld\nold      1: Hello,world"},
		{"interst what", "the closest text, in line 3, is 91 % alike (→ is a tab, · a blank):\nfile     3: interest·what\nold      1: interst·what"},
		{"xrld", "the closest text, in line 2, is 75 % alike (→ is a tab, · a blank):\nfile     2: örld\nold      1: xrld"},
		{", wx", "the closest text, in line 2, is 75 % alike (→ is a tab, · a blank):\nfile     2: ,·wö\nold      1: ,·wx"},
		{"QQQQ ZZZZ", "read the file again and copy the text to replace from it"},
	}
	for _, tt := range tests {
		if got := Diagnose(t.Context(), []byte(text), tt.old); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.old, got, tt.want)
		}
	}
}
