package facadetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// documentIndexRules are about what index takes.
func documentIndexRules() []documentRule {
	return []documentRule{
		{
			Name: "index/what", Needs: indexes,
			Explanation: "index takes a file, a directory with all below it, or a glob, one without a slash at any depth; other files stay out.",
			Run: func(d *documentTest) {
				for _, tt := range []struct {
					path string
					want []string
				}{
					{"a.md", []string{"a.md"}},
					{"sub", []string{"sub/b.txt", "sub/deep/c.md"}},
					{"./sub/", []string{"sub/b.txt", "sub/deep/c.md"}},
					{"*.md", []string{"a.md", "sub/deep/c.md"}},
					{"sub/*.txt", []string{"sub/b.txt"}},
					{"**/*.{md,csv}", []string{"a.md", "sub/deep/c.md", "t.csv"}},
				} {
					fresh := d.again()
					fresh.seed("a.md", "needle\n", "t.csv", "needle,x\n", "sub/b.txt", "needle\n", "sub/deep/c.md", "needle\n")
					if b := fresh.index(tt.path); b.Documents != len(tt.want) || len(b.Skipped) != 0 {
						d.Errorf("index of %q takes %+v, want %d documents", tt.path, b, len(tt.want))
					}
					got := fresh.found("needle")
					if slices.Sort(got); !slices.Equal(got, tt.want) {
						d.Errorf("after index of %q the word is found in %q, want %q", tt.path, got, tt.want)
					}
				}
			},
		},
		{
			Name: "index/nothing", Needs: indexes,
			Explanation: "An empty directory is no failure, and nothing that matches a glob is not_found.",
			Run: func(d *documentTest) {
				d.must(d.Store.MkdirAll("empty"))
				if b := d.index("empty"); b.Documents+b.Chunks+b.Unchanged+b.Removed != 0 || b.Skipped == nil {
					d.Errorf("an empty directory has %+v", b)
				}
				d.fails("not_found", "index", "path", "*.none")
				d.fails("invalid_argument", "index", "path", "[")
			},
		},
		{
			Name: "index/removed", Needs: indexes,
			Explanation: "A file that is gone, or can be read no more, is removed by the next index of its directory, and by no other.",
			Run: func(d *documentTest) {
				r, ok := d.Store.(interface{ Remove(path string) error })
				if !ok {
					d.Skip("the store removes nothing")
				}
				d.seed("one/a.txt", "needle\n", "one/b.txt", "needle\n", "two/c.txt", "needle\n")
				d.index(".")
				d.must(r.Remove("one/a.txt"))
				d.seed("one/b.txt", "\x00\x01\xff\xfe\x00\x00")
				if b := d.index("two"); b.Removed != 0 || b.Unchanged != 1 {
					d.Errorf("index of another directory says %+v", b)
				}
				d.finds("needle", "one/a.txt", "one/b.txt", "two/c.txt")
				if b := d.index("one"); b.Removed != 2 || len(b.Skipped) != 1 {
					d.Errorf("index of the directory says %+v", b)
				}
				d.finds("needle", "two/c.txt")
			},
		},
		{
			Name: "index/idempotent", Needs: indexes,
			Explanation: "Content that is stored stays as it is whatever path it is called by; a directory counts what is new and what is unchanged.",
			Run: func(d *documentTest) {
				d.seed("d/a.txt", "needle one\n", "d/b.txt", "needle two\n")
				d.index("d/a.txt")
				if b := d.index("d"); b.Documents != 1 || b.Unchanged != 1 {
					d.Errorf("the directory says %+v, want one new and one unchanged", b)
				}
				before := d.hits("needle")
				for _, p := range []string{"d", "./d/../d", "*.txt", "d/a.txt"} {
					if b := d.index(p); b.Documents != 0 || b.Chunks != 0 || b.Unchanged == 0 {
						d.Errorf("index of %q again says %+v", p, b)
					}
				}
				if after := d.hits("needle"); !slices.Equal(before, after) {
					d.Errorf("the hits became %+v from %+v", after, before)
				}
			},
		},
		{
			Name: "index/tables", Needs: indexes,
			Explanation: "With extract_tables=false the cells are not found; asked for again with them, they are.",
			Run: func(d *documentTest) {
				d.seed("r.md", "# Title\n\nwords\n\n| left | right |\n|---|---|\n| needle | x |\n")
				d.index("r.md", "extract_tables", false)
				d.finds("needle")
				d.finds("words", "r.md")
				if b := d.index("r.md"); b.Documents != 1 {
					d.Errorf("with tables it says %+v", b)
				}
				d.finds("needle", "r.md")
				if hits := d.hits("needle", "filter", map[string]any{"kind": "table"}); len(hits) != 1 {
					d.Errorf("as a table it is found in %+v", hits)
				}
			},
		},
		{
			Name: "index/large", Needs: indexes,
			Explanation: "A long document is found in pieces, each with a block that read knows; a long list of skipped files keeps to the budget.",
			Run: func(d *documentTest) {
				var text strings.Builder
				for i := range 400 {
					fmt.Fprintf(&text, "## Part %d\n\nThe word number%d is in this paragraph of the document.\n\n", i, i)
				}
				d.seed("long.md", text.String())
				if b := d.index("long.md"); b.Documents != 1 || b.Chunks < 50 {
					d.Errorf("index says %+v", b)
				}
				hits := d.hits("number317")
				if len(hits) != 1 || hits[0].Heading != "Part 317" || len(hits[0].Snippet) > 1000 {
					d.Fatalf("the hits are %+v", hits)
				}
				found := false
				d.each("long.md", func(out facade.DocumentReadOutput) {
					found = found || slices.ContainsFunc(out.Blocks, func(b facade.DocumentBlock) bool { return b.ID == hits[0].Block })
				}, "output", "blocks")
				if !found {
					d.Errorf("read has no block %q", hits[0].Block)
				}
				for i := range 700 {
					d.seed(fmt.Sprintf("bad/%s-%03d.bin", strings.Repeat("n", 100), i), "\x00\xff\x00\x01")
				}
				if b := d.index("bad"); len(b.Skipped) == 0 || b.Documents != 0 {
					d.Errorf("of files that cannot be read index says %+v", b)
				}
			},
		},
	}
}

// again is the test on a fixture of its own.
func (d *documentTest) again() *documentTest {
	d.Helper()
	f := d.fresh(d.TB)
	return &documentTest{TB: d.TB, DocumentFixture: f, tool: facade.Document(f.Tools), events: &Events{}, fresh: d.fresh}
}

// documentBackendRules are about several storage backends.
func documentBackendRules() []documentRule {
	several := func(f *DocumentFixture) string {
		if why := indexes(f); why != "" {
			return why
		}
		if len(f.Backends) < 2 {
			return "the fixture has one storage backend"
		}
		return ""
	}
	return []documentRule{
		{
			Name: "backends/apart", Needs: several,
			Explanation: "Each backend has what was indexed into it, with a result of its own, in the order asked for; without a name it is the first.",
			Run: func(d *documentTest) {
				one, two := d.Backends[0], d.Backends[1]
				d.seed("a.txt", "needle\n", "b.txt", "needle\n")
				d.index("a.txt")
				if hits := d.hits("needle", "storage_backends", []string{two}); len(hits) != 0 {
					d.Errorf("the second backend finds %+v before anything is in it", hits)
				}
				out := documentData[facade.DocumentIndexOutput](d, "index", "path", ".", "storage_backends", []string{two, one}).Backends
				if len(out) != 2 || out[0].Backend != two || out[0].Documents != 2 || out[1].Backend != one || out[1].Documents != 1 || out[1].Unchanged != 1 {
					d.Errorf("both backends say %+v", out)
				}
				for _, name := range []string{one, two} {
					for _, h := range d.hits("needle", "storage_backends", name) {
						if h.Backend != name {
							d.Errorf("a hit of %s is said to be of %s", name, h.Backend)
						}
					}
				}
			},
		},
		{
			Name: "backends/together", Needs: several,
			Explanation: "A search of several backends merges their hits, each once, within the limit; backends with the same documents find the same.",
			Run: func(d *documentTest) {
				for i := range 8 {
					d.seed(fmt.Sprintf("%d.txt", i), strings.Repeat("needle ", i+1)+strings.Repeat("hay ", 20-i)+"\n")
				}
				d.ok("index", "path", ".", "storage_backends", d.Backends)
				var first []string
				for _, name := range d.Backends {
					got := d.found("needle", "storage_backends", []string{name})
					if first == nil {
						first = got
					}
					if !slices.Equal(got, first) || len(got) != 8 {
						d.Errorf("%s finds %q, and the first backend %q", name, got, first)
					}
				}
				if got := d.found("needle", "storage_backends", d.Backends, "limit", 5); len(first) != 8 || !slices.Equal(got, first[:5]) {
					d.Errorf("together they find %q, one finds %q", got, first)
				}
			},
		},
		{
			Name: "backends/unknown",
			Needs: func(f *DocumentFixture) string {
				if indexes(f) != "" || len(f.Backends) == 0 {
					return "the fixture names no storage backends"
				}
				return ""
			},
			Explanation: "A backend that does not exist is invalid_argument, which names those that do; nothing is indexed anywhere.",
			Run: func(d *documentTest) {
				d.seed("a.txt", "needle\n")
				for _, names := range [][]string{{"none"}, {d.Backends[0], "none"}, {""}} {
					d.refuses("invalid_argument", d.Backends[0], "index", "path", ".", "storage_backends", names)
					d.refuses("invalid_argument", d.Backends[0], "search", "query", "needle", "storage_backends", names)
				}
				d.fails("invalid_argument", "index", "path", ".", "storage_backends", []string{})
				d.finds("needle")
				d.index(".")
				d.finds("needle", "a.txt")
			},
		},
		{
			Name: "backends/failing",
			Needs: func(f *DocumentFixture) string {
				if indexes(f) != "" || f.Failing == "" {
					return "the fixture has no storage backend that fails"
				}
				return ""
			},
			Explanation: "A backend that fails has its error in its result and does not fail the others; a search of it is unavailable.",
			Run: func(d *documentTest) {
				d.seed("a.txt", "needle\n")
				out := documentData[facade.DocumentIndexOutput](d, "index", "path", ".", "storage_backends", []string{d.Failing, d.Backends[0]}).Backends
				if len(out) != 2 || out[0].Error == nil || out[0].Documents != 0 || out[1].Error != nil || out[1].Documents != 1 {
					d.Errorf("the backends say %+v", out)
				}
				d.finds("needle", "a.txt")
				d.fails("unavailable|io", "search", "query", "needle", "storage_backends", d.Failing)
			},
		},
	}
}
