package facadetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// documentFilterRules are about queries, the order of hits and their number.
func documentFilterRules() []documentRule {
	return []documentRule{
		{
			Name: "search/words", Needs: indexes,
			Explanation: "Words are found in any case, with or without accents, whole only; one of them is enough, and signs between them mean nothing.",
			Run: func(d *documentTest) {
				d.seed("a.txt", "The Größe of a café, 東京 and e-mail.\n", "b.txt", "Nothing of that kind.\n")
				d.index(".")
				for query, want := range map[string][]string{
					"GRÖSSE cafe": {"a.txt"}, "größe": {"a.txt"}, "CAFÉ": {"a.txt"}, "東": {"a.txt"}, "mail": {"a.txt"}, "e-mail": {"a.txt"}, "caf": {},
					"absent kind": {"b.txt"}, "café OR kind": {"a.txt", "b.txt"}, "kind)": {"b.txt"}, "kind*": {"b.txt"}, `kind "`: {"b.txt"}, "x' OR 1=1": {}, "-kind": {"b.txt"},
				} {
					d.finds(query, want...)
				}
			},
		},
		{
			Name: "search/phrase", Needs: indexes,
			Explanation: "A phrase in double quotes has to be there as it is, beside whatever words.",
			Run: func(d *documentTest) {
				d.seed("a.txt", "the quick brown fox\n", "b.txt", "brown and quick is the fox\n")
				d.index(".")
				d.finds(`"quick brown"`, "a.txt")
				d.finds(`"Quick, brown!" fox`, "a.txt")
				d.finds(`"brown quick"`)
				d.finds("quick brown", "a.txt", "b.txt")
			},
		},
		{
			Name: "search/order", Needs: indexes,
			Explanation: "The best come first: with more of the words, with the rarer word; scores fall, and the same search has the same answer.",
			Run: func(d *documentTest) {
				for i := range 12 {
					d.seed(fmt.Sprintf("common%02d.txt", i), "common words and some more of them\n")
				}
				d.seed("rare.txt", "rare words and some more of them\n", "both.txt", "rare common and some more of them\n")
				d.index(".")
				hits := d.hits("rare common", "limit", 20)
				if len(hits) != 14 || hits[0].Path != "both.txt" || hits[1].Path != "rare.txt" {
					d.Fatalf("the hits are %+v", hits)
				}
				for i := range hits[1:] {
					if hits[i+1].Score > hits[i].Score {
						d.Errorf("hit %d scores more than the one before: %+v", i+1, hits)
					}
				}
				if !slices.Equal(hits, d.hits("rare common", "limit", 20)) {
					d.Errorf("the second answer is another")
				}
			},
		},
		{
			Name: "search/limit", Needs: indexes,
			Explanation: "There are ten hits by default and up to limit, which is from 1 to 100; the fewer are the first of the more.",
			Run: func(d *documentTest) {
				for i := range 120 {
					d.seed(fmt.Sprintf("%03d.txt", i), strings.Repeat("needle ", 1+i%7)+"hay\n")
				}
				d.index(".")
				all := d.found("needle", "limit", 100)
				if len(all) != 100 {
					d.Fatalf("limit 100 returns %d", len(all))
				}
				if got := d.found("needle"); !slices.Equal(got, all[:10]) {
					d.Errorf("without limit it is %q", got)
				}
				for _, n := range []int{1, 2, 37} {
					if got := d.found("needle", "limit", n); !slices.Equal(got, all[:n]) {
						d.Errorf("limit %d returns %q", n, got)
					}
				}
				for _, n := range []int{0, -1, 101, 1 << 30} {
					d.refuses("invalid_argument", "limit", "search", "query", "needle", "limit", n)
				}
			},
		},
		{
			Name: "search/filters", Needs: indexes,
			Explanation: "The members of a filter all have to fit; an unknown one is invalid_argument, and one that nothing fits finds nothing.",
			Run: func(d *documentTest) {
				d.seed("a.md", "# Alpha\n\nneedle\n\n- needle\n", "d/b.md", "# Beta\n\nneedle\n", "d/c.csv", "x,y\nneedle,1\n")
				d.index(".")
				for _, tt := range []struct {
					filter map[string]any
					want   int
				}{
					{map[string]any{}, 3},
					{map[string]any{"path": "d"}, 2},
					{map[string]any{"path": "d/"}, 2},
					{map[string]any{"path": "d/b.md"}, 1},
					{map[string]any{"path": "*.md"}, 2},
					{map[string]any{"path": "d", "format": "md"}, 1},
					{map[string]any{"format": "MD"}, 2},
					{map[string]any{"kind": "table"}, 1},
					{map[string]any{"heading": "alpha", "path": "d"}, 0},
					{map[string]any{"heading": "ALPH"}, 1},
					{map[string]any{"path": "D"}, 0},
				} {
					if hits := d.hits("needle", "filter", tt.filter); len(hits) != tt.want {
						d.Errorf("filter %v finds %+v, want %d", tt.filter, hits, tt.want)
					}
				}
				d.refuses("invalid_argument", "filter.author", "search", "query", "needle", "filter", map[string]any{"author": "x"})
				d.refuses("invalid_argument", "filter.page", "search", "query", "needle", "filter", map[string]any{"page": 0})
			},
		},
		{
			Name: "search/none", Needs: indexes,
			Explanation: "No hits are no failure: the reply tells whether anything is indexed, and what to do. A query without words is invalid_argument.",
			Run: func(d *documentTest) {
				if r := d.ok("search", "query", "needle"); !strings.Contains(r.Text, "index") {
					d.Errorf("before index the text is %q", r.Text)
				}
				d.seed("a.txt", "hay\n", "b.txt", "hay\n")
				d.index(".")
				out := documentData[facade.DocumentSearchOutput](d, "search", "query", "needle")
				if out.Hits == nil || len(out.Hits) != 0 || out.Indexed != 2 {
					d.Errorf("the reply is %+v, want no hits among two documents", out)
				}
				for _, query := range []string{"", "   ", "?!", `""`} {
					d.refuses("invalid_argument", "query", "search", "query", query)
				}
			},
		},
		{
			Name: "search/budget", Needs: indexes,
			Explanation: "Hits with long headings and snippets keep to the budget; snippets show the words.",
			Run: func(d *documentTest) {
				title := strings.Repeat("a \"long\" heading of the document ", 60)
				for i := range 60 {
					d.seed(fmt.Sprintf("%02d.md", i), "# "+title+"\n\n"+strings.Repeat("filler ", 100)+"needle"+strings.Repeat(" filler", 100)+"\n")
				}
				d.index(".")
				hits := d.hits("needle", "limit", 100)
				if len(hits) < 10 {
					d.Errorf("%d hits are left", len(hits))
				}
				for _, h := range hits {
					if !strings.Contains(h.Snippet, "needle") {
						d.Errorf("a snippet shows something else: %q", h.Snippet)
					}
				}
			},
		},
	}
}
