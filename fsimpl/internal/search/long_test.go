package search_test

import (
	"io"
	"math/rand/v2"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/fsimpl/internal/search"
)

// TestLongLines has lines of several pieces with matches near the edges of
// the pieces, the lines around them, and more lines after them.
func TestLongLines(t *testing.T) {
	const piece, shared = 1 << 20, 64 << 10
	r := rand.New(rand.NewPCG(1, 1))
	for _, expr := range []string{"needle", "(?i)Needle", `n[e]+dle\b`, `\bneedle`, "needle$", "^needle", "needle|nothing", `[n]e{2}d\w+`} {
		re := regexp.MustCompile(expr)
		p := compile(t, nil, expr)
		for _, at := range []int{0, 1, 100, piece - shared - 3, piece - 6, piece, 2*piece - shared - 2, 2*piece + 1000} {
			fill := "-"
			if r.IntN(2) == 0 {
				fill = "z" // no word boundary
			}
			long := strings.Repeat(fill, at) + "needle" + strings.Repeat(fill, r.IntN(3)*(piece/2))
			content := "above needle\n" + long + "\nbelow\nneedle\nneedless to say\nlast"
			got, _ := searchText(t, search.NewSearcher(p, &search.Scope{Context: 1, MaxContent: 40}), content, 0)
			want := oracle(re, content, 1)
			if len(got) != len(want) {
				t.Errorf("%q at %d of %q: %d matches, want %d", expr, at, fill, len(got), len(want))
				continue
			}
			for i := range want {
				g, w := got[i], want[i]
				if len(w.Content) > 40 {
					w.Content = g.Content
					if len(g.Content) > 40 || !strings.Contains(g.Content, g.Match) {
						t.Errorf("%q at %d: content %q", expr, at, g.Content)
					}
				}
				w.Match = w.Match[:min(len(w.Match), 40)]
				for _, around := range [][]string{w.Before, w.After} {
					for j := range around {
						around[j] = around[j][:min(40, len(around[j]))]
					}
				}
				if diff := cmp.Diff(w, g); diff != "" {
					t.Errorf("%q at %d of %q, match %d (-want +got):\n%s", expr, at, fill, i, diff)
				}
			}
		}
	}
}

// repeated is a file of n times a text, then an end.
type repeated struct {
	text string
	n    int
	end  string
}

func (f repeated) Open() (io.ReadCloser, error) {
	var parts []io.Reader
	for range f.n {
		parts = append(parts, strings.NewReader(f.text))
	}
	return io.NopCloser(io.MultiReader(append(parts, strings.NewReader(f.end))...)), nil
}

// TestMemory searches a line of 64 MiB, and as much in short lines, with few
// megabytes.
func TestMemory(t *testing.T) {
	block := strings.Repeat("0123456789abcde ", 1<<16) // 1 MiB
	lines := strings.ReplaceAll(block, " ", "\n")
	for _, tt := range []struct {
		name    string
		file    repeated
		line    int64
		column  int
		options search.Options
	}{
		{"one line", repeated{block, 64, "needle\n"}, 1, 64<<20 + 1, search.Options{}},
		{"short lines", repeated{lines, 64, "needle"}, 64<<16 + 1, 1, search.Options{}},
		{"multiline, one line", repeated{block, 64, "needle\n"}, 1, 64<<20 + 1, search.Options{Multiline: true}},
		{"multiline, short lines", repeated{lines, 64, "needle"}, 64<<16 + 1, 1, search.Options{Multiline: true}},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var got []search.Match
		s := search.NewSearcher(compile(t, &tt.options, `nee[d]le`), nil)
		_, err := s.Search(t.Context(), tt.file, func(p search.Part) bool {
			got = append(got, p.Matches...)
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if len(got) != 1 || got[0].Line != tt.line || got[0].Column != tt.column || got[0].Match != "needle" || len(got[0].Content) > 500 {
			t.Errorf("%s: %+v, want line %d, column %d", tt.name, got, tt.line, tt.column)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 12<<20 {
			t.Errorf("%s: %d KiB were allocated", tt.name, used>>10)
		}
	}
}

// oracleMultiline finds the same as a multiline search, in the simplest way.
func oracleMultiline(re *regexp.Regexp, content string) []search.Match {
	content = strings.ReplaceAll(content, "\r\n", "\n")
	var want []search.Match
	for pos := 0; pos < len(content); {
		loc := []int(nil)
		for _, l := range re.FindAllStringIndex(content, -1) {
			if l[0] >= pos && loc == nil {
				loc = l
			}
		}
		if loc == nil || loc[0] == len(content) && strings.HasSuffix(content, "\n") {
			break
		}
		start := strings.LastIndexByte(content[:loc[0]], '\n') + 1
		last := max(loc[0], loc[1]-1)
		end, next := len(content), len(content)
		if n := strings.IndexByte(content[last:], '\n'); n >= 0 {
			end, next = last+n, last+n+1
		}
		want = append(want, search.Match{
			Line: int64(strings.Count(content[:start], "\n")) + 1, Column: loc[0] - start + 1,
			Content: content[start:end], Match: content[loc[0]:min(loc[1], end)],
		})
		pos = next
	}
	return want
}

func TestMultiline(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, expr := range []string{`foo\nbar`, `foo\s+bar`, `(?s)foo.*?bar`, `^foo$`, `^$`, `o\n`, `\Afoo`, `o\z`, `[^a]x`, `foo|bar`, `a\n\n*b`} {
		p := compile(t, &search.Options{Multiline: true}, expr)
		re := regexp.MustCompile("(?m:" + expr + ")")
		for range 60 {
			content := strings.ReplaceAll(randomText(r, r.IntN(200), false), "\r\r", "")
			if strings.ContainsAny(strings.ReplaceAll(content, "\r\n", ""), "\r") {
				continue
			}
			got, _ := searchText(t, search.NewSearcher(p, &search.Scope{MaxContent: 1 << 20}), content, 1+r.IntN(50))
			if diff := cmp.Diff(oracleMultiline(re, content), got); diff != "" {
				t.Errorf("%q in %q (-want +got):\n%s", expr, content, diff)
			}
		}
	}
}

// TestMultilineWindows has matches at the edges of the windows of a large file.
func TestMultilineWindows(t *testing.T) {
	const window, shared = 2 << 20, 512 << 10
	p := compile(t, &search.Options{Multiline: true}, `begin\n(?:mid\n)*end`)
	for _, at := range []int{0, window - shared - 6, window - shared, window - 10, window, 2 * window} {
		filler := strings.Repeat("some filler text\n", at/17)
		content := filler + "begin\nmid\nmid\nend here\n" + filler + "begin\nend"
		got, _ := searchText(t, search.NewSearcher(p, &search.Scope{Context: 1}), content, 0)
		line := int64(at/17) + 1
		if len(got) != 2 || got[0].Line != line || got[1].Line != 2*line+3 || got[0].Content != "begin\nmid\nmid\nend here" || got[1].Match != "begin\nend" {
			t.Errorf("at %d: %+v", at, got)
		}
		if at > 0 && len(got) == 2 && (len(got[0].After) != 1 || got[0].After[0] != "some filler text") {
			t.Errorf("at %d: lines after: %q", at, got[0].After)
		}
	}
}
