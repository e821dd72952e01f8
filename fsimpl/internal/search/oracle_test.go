package search_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"golang.org/x/text/transform"

	"github.com/toolfacade/toolfacade/fsimpl/internal/search"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// text is a file in memory that is read in pieces of at most size bytes.
type text struct {
	content string
	size    int
}

func (f text) Open() (io.ReadCloser, error) {
	return &textReader{strings.NewReader(f.content), f.size}, nil
}

type textReader struct {
	*strings.Reader
	size int
}

func (r *textReader) Read(p []byte) (int, error) {
	if r.size > 0 {
		p = p[:min(len(p), r.size)]
	}
	return r.Reader.Read(p)
}

func (r *textReader) Close() error   { return nil }
func (r *textReader) Regular() error { return nil }

// searchText returns the matches in a text.
func searchText(t testing.TB, s *search.Searcher, content string, size int) ([]search.Match, search.Result) {
	t.Helper()
	var got []search.Match
	count := 0
	result, err := s.Search(context.Background(), text{content, size}, func(p search.Part) bool {
		got = append(got, p.Matches...)
		count += p.Count
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if count != result.Count {
		t.Errorf("the parts count %d matches, the result %d", count, result.Count)
	}
	return got, result
}

// splitLines returns the lines of a text without their endings.
func splitLines(content string) []string {
	var lines []string
	for line := range strings.SplitAfterSeq(content, "\n") {
		if line == "" {
			continue
		}
		if body, ok := strings.CutSuffix(line, "\n"); ok {
			line = strings.TrimSuffix(body, "\r")
		}
		lines = append(lines, line)
	}
	return lines
}

// oracle finds the same in the simplest way.
func oracle(re *regexp.Regexp, content string, around int) []search.Match {
	var want []search.Match
	lines := splitLines(content)
	for i, line := range lines {
		loc := re.FindStringIndex(line)
		if loc == nil {
			continue
		}
		m := search.Match{Line: int64(i + 1), Column: loc[0] + 1, Content: line, Match: line[loc[0]:loc[1]]}
		if around > 0 {
			m.Before = append(m.Before, lines[max(0, i-around):i]...)
			m.After = append(m.After, lines[i+1:min(len(lines), i+1+around)]...)
		}
		want = append(want, m)
	}
	return want
}

// expressions cover literals, classes, anchors, alternations, empty matches
// and case folding.
var expressions = []string{
	"a", "foo", "foobar", "o", "foo|bar", "foo|foobar|bar", "bar|foo|o", "(?i)foo", "(?i)FOO|bar", "(?i)kiss", "(?i)sk", "(?i)mask", "(?i)o",
	"fo+", "fo*", "o?", "a*", "", "^", "$", "^$", "^foo", "foo$", "^foo$", "^ *$", `\bfoo\b`, `\Boo`, `\w+`, `\w+_irq\(`, `\s`, `\s+$`, `^\s+`,
	"[^a]", "[^a]+", "[a-c]x", "[fb][oa][or]", `\d{2,}`, "[A-Z]{3,}_[0-9]{2,}", "f.o", "f..", ".", ".*", ".+", "(foo)", "(?:foo|bar)baz", "x(foo|bar)+y",
	"é", "[é]", "caf.", "caf\u00e9", "(?i)É", `\x{1F600}`, `[\x{80}-\x{10FFFF}]`, `\pL+`, `\PL`, `\W`, `[^\x00-\x7f]`, "\uFFFD", `\r`, `\r$`, "a\rb", `\t`, `foo\tbar`,
	"(a|b)*c", "(a+)+$", "(|a)+", `\Afoo`, `foo\z`, `(?m)^foo$`, `(?s)f.o`, "static\\s+inline", "foo.*bar", "bar.*foo", "(foo|ba)r?", "[f]oo", "f[o]{2}", "EINVAL|ENOMEM|EIO|EAGAIN",
	`a{3}`, `foo\s+bar\s+(baz|qux)`, `(?i)foo.*BAR.*b[ao]`, `foo(bar)+ba.*foo`, `(?:ab){2}`, "a|^$", "o$|^f", `\bb`, `r\b`, `(?i:f)oo`, `f(?i)OO`, "[[:upper:]]", "foo(bar)?", "(foo|)bar", "z*foo", "(?i)straße", "ss", "(?i)ſ",
}

// words is what random texts are made of.
var words = []string{
	"foo", "foobar", "bar", "FOO", "Foo", "o", "a", "b", "c", "x", "y", "aaa", "abab", " ", " ", "\t", "é", "café", "CAFÉ", "\u212Aiss", "kiss", "mas\u212A", "\u017F", "s", "straße", "STRASSE",
	"\U0001F600", "_irq(", "foo_irq(", "ABC_123", "12", "\r", "static inline", "static  inline int", "EINVAL", "-EIO", "(", "\u4e16\u754c", "\n", "\n", "\n", "\r\n", "\n\n", "\r\r\n", "z",
}

func randomText(r *rand.Rand, n int, invalid bool) string {
	var b strings.Builder
	for b.Len() < n {
		if invalid && r.IntN(30) == 0 {
			b.WriteByte(byte(0x80 + r.IntN(0x80)))
		}
		b.WriteString(words[r.IntN(len(words))])
	}
	return b.String()
}

func TestAgainstOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, expr := range expressions {
		if expr == "" {
			continue // refused; "a*" matches as much
		}
		p, err := search.Compile("pattern", []string{expr}, nil)
		if err != nil {
			t.Fatalf("%q: %v", expr, err)
		}
		re := regexp.MustCompile(expr)
		for around := range 3 {
			s := search.NewSearcher(p, &search.Scope{Context: around, MaxContent: 1 << 20})
			for range 12 {
				content := randomText(r, r.IntN(300), false)
				got, _ := searchText(t, s, content, 1+r.IntN(100))
				if diff := cmp.Diff(oracle(re, content, around), got); diff != "" {
					t.Errorf("%q in %q, %d lines around (-want +got):\n%s", expr, content, around, diff)
				}
			}
		}
	}
}

// TestLargeAgainstOracle crosses the limits of the buffer at many places.
func TestLargeAgainstOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, expr := range []string{"foo", "(?i)foobar", "foo|bar", `\w+_irq\(`, "^foo", "bar$", `[A-Z]{3,}_[0-9]{2,}`, "^$", `\s$`, "a.*b"} {
		p, err := search.Compile("pattern", []string{expr}, nil)
		if err != nil {
			t.Fatal(err)
		}
		re := regexp.MustCompile(expr)
		for around := range 3 {
			s := search.NewSearcher(p, &search.Scope{Context: around, MaxContent: 1 << 20})
			content := randomText(r, 200<<10+r.IntN(1000), false) + "\n" + strings.Repeat("x", 70<<10) + "foo_irq(" + strings.Repeat("y ", 70<<10) + "\nfoo"
			got, _ := searchText(t, s, content, 0)
			want := oracle(re, content, around)
			if len(got) != len(want) {
				t.Fatalf("%q: %d matches, want %d", expr, len(got), len(want))
			}
			for i := range want {
				if diff := cmp.Diff(want[i], got[i]); diff != "" {
					t.Fatalf("%q: match %d (-want +got):\n%s", expr, i, diff)
				}
			}
		}
	}
}

func FuzzOracle(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, expr := range expressions {
		f.Add(expr, []byte(randomText(r, 60, true)), false)
	}
	f.Add("foo", []byte("Foo\r\nfoo"), true)
	f.Fuzz(func(t *testing.T, expr string, content []byte, fold bool) {
		if len(expr) > 100 || len(content) > 2000 || bytes.IndexByte(content, 0) >= 0 {
			return
		}
		p, err := search.Compile("pattern", []string{expr}, &search.Options{FoldCase: fold})
		if err != nil {
			return
		}
		if fold {
			expr = "(?i:" + expr + ")"
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			return
		}
		keep := func([]byte) (transform.Transformer, bool) { return nil, false }
		s := search.NewSearcher(p, &search.Scope{MaxContent: 4096, Detect: keep})
		got, _ := searchText(t, s, string(content), 7)
		want := oracle(re, strings.TrimPrefix(string(content), "\xef\xbb\xbf"), 0)
		for i := range want {
			want[i].Content, want[i].Match = valid(want[i]), strings.ToValidUTF8(want[i].Match, "\uFFFD")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q in %q (-want +got):\n%s", expr, content, diff)
		}
	})
}

// valid is the content of a match as it is shown.
func valid(m search.Match) string {
	before, after := m.Content[:m.Column-1], m.Content[m.Column-1+len(m.Match):]
	return strings.ToValidUTF8(before, "\uFFFD") + strings.ToValidUTF8(m.Match, "\uFFFD") + strings.ToValidUTF8(after, "\uFFFD")
}
