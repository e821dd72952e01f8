package search_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/search"
)

func compile(t testing.TB, opt *search.Options, patterns ...string) *search.Pattern {
	t.Helper()
	p, err := search.Compile("pattern", patterns, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// find returns the matches of one pattern in a text.
func find(t testing.TB, pattern, content string, scope *search.Scope) ([]search.Match, search.Result) {
	t.Helper()
	return searchText(t, search.NewSearcher(compile(t, nil, pattern), scope), content, 0)
}

func TestBadPatterns(t *testing.T) {
	tests := []struct {
		patterns     []string
		reason, hint string
	}{
		{[]string{"("}, "missing closing )", "literal=true"},
		{[]string{"fine", "["}, "missing closing ]", "literal=true"},
		{[]string{"a(?=b)"}, "invalid or unsupported Perl syntax: `(?=`", "no look-around"},
		{[]string{`(a)\1`}, "invalid escape sequence: `\\1`", "no backreferences"},
		{[]string{""}, "empty", ""},
		{[]string{"a\nb"}, "line break", "multiline=true"},
		{[]string{`a\nb`}, "line break", "multiline=true"},
		{[]string{"(a{1000}){1000}"}, "invalid repeat count", ""},
		{[]string{strings.Repeat("a", search.MaxPattern), "b"}, "longer than", ""},
		{[]string{strings.Repeat("(?:a?){1000}", 100)}, "too large", "lower the counts"},
		{[]string{strings.Repeat("(?:a?){1000}", 3), strings.Repeat("(?:b?){1000}", 3)}, "too large", "lower the counts"},
		{[]string{strings.Repeat("a?", 6000)}, "too large", "lower the counts"},
		{[]string{"\xff"}, "invalid UTF-8", ""},
		{[]string{"a)|(b", "c"}, "unexpected )", ""},
	}
	for _, tt := range tests {
		_, err := search.Compile("keywords", tt.patterns, nil)
		e, ok := errors.AsType[*facade.Error](err)
		if !ok || e.Code != facade.CodeInvalidArgument || e.Field != "keywords" ||
			!strings.Contains(e.Message, tt.reason) || !strings.Contains(e.Hint, tt.hint) {
			t.Errorf("%.20q: error %v, want %q with a hint about %q", tt.patterns, err, tt.reason, tt.hint)
		}
	}
}

func TestOptions(t *testing.T) {
	tests := []struct {
		name     string
		opt      search.Options
		patterns []string
		content  string
		want     string // the match
	}{
		{"literal", search.Options{Literal: true}, []string{"a.b("}, "axb( a.b(", "a.b("},
		{"literal fold", search.Options{Literal: true, FoldCase: true}, []string{"É.k"}, "é.k é.\u212A", "é.k"},
		{"any of several", search.Options{}, []string{"x+", "b|c"}, "abc", "b"},
		{"flags end with their pattern", search.Options{}, []string{"(?i)x", "b"}, "B b", "b"},
		{"fold", search.Options{FoldCase: true}, []string{"abc|d"}, "xABCd", "ABC"},
		{"case matters", search.Options{}, []string{"abc"}, "ABC abc", "abc"},
	}
	for _, tt := range tests {
		got, _ := searchText(t, search.NewSearcher(compile(t, &tt.opt, tt.patterns...), nil), tt.content, 0)
		if len(got) != 1 || got[0].Match != tt.want {
			t.Errorf("%s: %+v, want the match %q", tt.name, got, tt.want)
		}
	}
}

func TestEncodings(t *testing.T) {
	utf16 := func(bigEndian bool, s string) string {
		var b []byte
		for _, r := range s {
			if bigEndian {
				b = append(b, byte(r>>8), byte(r))
			} else {
				b = append(b, byte(r), byte(r>>8))
			}
		}
		return string(b)
	}
	text := "first line\r\nsecond café line\nthird caf\n"
	want := search.Match{Line: 2, Column: 8, Content: "second café line", Match: "café"}
	for name, content := range map[string]string{
		"UTF-8":              text,
		"UTF-8 with mark":    "\xef\xbb\xbf" + text,
		"UTF-16LE with mark": "\xff\xfe" + utf16(false, text),
		"UTF-16BE with mark": "\xfe\xff" + utf16(true, text),
		"UTF-16LE":           utf16(false, text),
		"UTF-16BE":           utf16(true, text),
		"Latin-1":            strings.ReplaceAll(text, "é", "\xe9"),
	} {
		for _, pattern := range []string{"café", "caf[^ ]", "(?i)CAFÉ", "caf[é]", `\bcaf\pL`} {
			got, result := find(t, pattern, content, nil)
			if diff := cmp.Diff([]search.Match{want}, got); diff != "" || result.Binary {
				t.Errorf("%s, %s: binary %v, matches (-want +got):\n%s", name, pattern, result.Binary, diff)
			}
		}
	}
	got, _ := find(t, "^x", "\xef\xbb\xbfx", nil)
	if len(got) != 1 || got[0].Column != 1 {
		t.Errorf("after a byte order mark: %+v", got)
	}
}

func TestBinary(t *testing.T) {
	late := strings.Repeat("text foo\n", 2000)
	tests := []struct {
		name, content string
		count         int
		binary        bool
	}{
		{"NUL at the start", "\x00foo\n", 0, true},
		{"NUL in the head", "foo\n" + strings.Repeat("x", 5000) + "\x00\x01\x02", 0, true},
		{"large", "foo\x00\n" + strings.Repeat("foo\n", 100_000), 0, true},
		{"NUL late, not in a match", late + "a\x00b\nfoo\n", 2001, false},
		{"NUL late, in a match", late + "foo\x00b\nfoo\n", 2000, true},
		{"no NUL", late, 2000, false},
		{"empty", "", 0, false},
	}
	for _, tt := range tests {
		multiline := search.NewSearcher(compile(t, &search.Options{Multiline: true}, "foo"), nil)
		if _, result := searchText(t, multiline, tt.content, 0); result.Count != tt.count || result.Binary != tt.binary {
			t.Errorf("%s, multiline: %+v, want %d matches, binary %v", tt.name, result, tt.count, tt.binary)
		}
		got, result := find(t, "foo", tt.content, nil)
		if result.Count != tt.count || len(got) != tt.count || result.Binary != tt.binary || result.More {
			t.Errorf("%s: %+v, want %d matches, binary %v", tt.name, result, tt.count, tt.binary)
		}
	}
}

func TestScope(t *testing.T) {
	content := "foo 1\nx\nfoo 3\nfoo 4\ny\nz\nfoo 7\nend\n"
	lines := func(matches []search.Match) (n []int64) {
		for _, m := range matches {
			n = append(n, m.Line)
		}
		return n
	}
	tests := []struct {
		name  string
		scope search.Scope
		lines []int64
		count int
		more  bool
	}{
		{"all", search.Scope{}, []int64{1, 3, 4, 7}, 4, false},
		{"limit", search.Scope{MaxMatches: 2}, []int64{1, 3}, 2, true},
		{"after a line", search.Scope{AfterLine: 3}, []int64{4, 7}, 2, false},
		{"after a line with limit", search.Scope{AfterLine: 1, MaxMatches: 1}, []int64{3}, 1, true},
		{"count", search.Scope{Mode: search.Count}, nil, 4, false},
		{"files", search.Scope{Mode: search.Files}, nil, 1, true},
	}
	for _, tt := range tests {
		for _, multiline := range []bool{false, true} {
			p := compile(t, &search.Options{Multiline: multiline}, "foo")
			got, result := searchText(t, search.NewSearcher(p, &tt.scope), content, 3)
			if diff := cmp.Diff(tt.lines, lines(got)); diff != "" || result.Count != tt.count || result.More != tt.more {
				t.Errorf("%s, multiline %v: %+v, lines (-want +got):\n%s", tt.name, multiline, result, diff)
			}
		}
	}
	got, _ := find(t, "foo 3", content, &search.Scope{Context: 2, MaxMatches: 1})
	want := []search.Match{{Line: 3, Column: 1, Content: "foo 3", Match: "foo 3", Before: []string{"foo 1", "x"}, After: []string{"foo 4", "y"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines around the last match (-want +got):\n%s", diff)
	}
}

func TestCutContent(t *testing.T) {
	tests := []struct {
		name, content, pattern string
		want                   search.Match
	}{
		{
			"in the middle", strings.Repeat("a", 100) + "foo" + strings.Repeat("b", 100), "foo",
			search.Match{Column: 101, Content: strings.Repeat("a", 8) + "foo" + strings.Repeat("b", 9), Match: "foo"},
		},
		{"at the start", "foo" + strings.Repeat("b", 100), "foo", search.Match{Column: 1, Content: "foo" + strings.Repeat("b", 17), Match: "foo"}},
		{"at the end", strings.Repeat("a", 100) + "foo", "foo", search.Match{Column: 101, Content: strings.Repeat("a", 17) + "foo", Match: "foo"}},
		{"long match", strings.Repeat("a", 100), "a+", search.Match{Column: 1, Content: strings.Repeat("a", 20), Match: strings.Repeat("a", 20)}},
		{
			"wide characters", strings.Repeat("é", 50) + "foo" + strings.Repeat("世", 50), "foo",
			search.Match{Column: 101, Content: strings.Repeat("é", 4) + "foo" + strings.Repeat("世", 3), Match: "foo"},
		},
		{"empty match", strings.Repeat("é", 50), "$", search.Match{Column: 101, Content: strings.Repeat("é", 10), Match: ""}},
	}
	for _, tt := range tests {
		got, _ := find(t, tt.pattern, "x\n"+tt.content+"\n", &search.Scope{MaxContent: 20, AfterLine: 1})
		tt.want.Line = 2
		if diff := cmp.Diff([]search.Match{tt.want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestHostilePatterns has patterns that take exponential time with other
// engines, or many states with this one.
func TestHostilePatterns(t *testing.T) {
	content := strings.Repeat("a", 50_000) + "\n" + strings.Repeat(strings.Repeat("ab", 50)+"\n", 2000)
	for _, pattern := range []string{`(a+)+$x`, `(a|a)*b$c`, `(a*)*c`, `(.*a){20}x`, `a[ab]{40}c`, `(\w+\s?)+!$`, `(x+x+)+y`, `[ab]*a[ab]{25}$x`} {
		begin := time.Now()
		find(t, pattern, content, nil)
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%q took %v", pattern, took)
		}
	}
}

// endless is a file that never ends.
type endless struct{ line string }

func (e endless) Open() (io.ReadCloser, error) { return io.NopCloser(e), nil }

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], e.line)
	}
	return n, nil
}

func TestCancelFile(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, line := range []string{"some line\n", "one endless line "} {
		for _, opt := range []search.Options{{}, {Multiline: true}} {
			for _, pattern := range []string{"missing", `\d+x`, "(s|i)o+m$"} {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(20*time.Millisecond, cancel)
				begin := time.Now()
				s := search.NewSearcher(compile(t, &opt, pattern), nil)
				_, err := s.Search(ctx, endless{line}, func(search.Part) bool { return true })
				if took := time.Since(begin); !errors.Is(err, context.Canceled) || took > time.Second {
					t.Errorf("%q in %q, %+v: error %v after %v", pattern, line, opt, err, took)
				}
				cancel()
				if got, _ := searchText(t, s, "12x\nmissing\nsiom", 0); len(got) != 1 {
					t.Errorf("%q: after a canceled search: %+v", pattern, got)
				}
			}
		}
	}
	// A large pattern takes its time for a short line too.
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	defer cancel()
	begin := time.Now()
	s := search.NewSearcher(compile(t, nil, strings.Repeat("(?:a?){1000}", 4)+"[bc]"), nil)
	_, err := s.Search(ctx, endless{strings.Repeat("a", 8_000) + "\n"}, func(search.Part) bool { return true })
	if took := time.Since(begin); !errors.Is(err, context.Canceled) || took > 500*time.Millisecond {
		t.Errorf("a large pattern: error %v after %v", err, took)
	}
	// What a canceled search left behind ends by itself.
	for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

func TestReadFails(t *testing.T) {
	broken := errors.New("broken")
	s := search.NewSearcher(compile(t, nil, "foo"), nil)
	_, err := s.Search(t.Context(), failing{broken, true}, func(search.Part) bool { return true })
	if !errors.Is(err, broken) {
		t.Errorf("open: error %v", err)
	}
	_, err = s.Search(t.Context(), failing{broken, false}, func(search.Part) bool { return true })
	if !errors.Is(err, broken) {
		t.Errorf("read: error %v", err)
	}
	if got, _ := searchText(t, s, "foo", 0); len(got) != 1 {
		t.Errorf("after a failure: %+v", got)
	}
}

// failing is a file that cannot be opened, or not read to its end.
type failing struct {
	err  error
	open bool
}

func (f failing) Open() (io.ReadCloser, error) {
	if f.open {
		return nil, f.err
	}
	return io.NopCloser(io.MultiReader(strings.NewReader("foo\n"), f)), nil
}

func (f failing) Read([]byte) (int, error) { return 0, f.err }
