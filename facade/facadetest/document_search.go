package facadetest

import (
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// documentSearchRules are about index and search.
func documentSearchRules() []documentRule {
	return []documentRule{
		{
			Name: "search/find", Needs: indexes,
			Explanation: "search finds words of indexed documents, the best first, with path, heading, snippet and block; nothing is found before index.",
			Run: func(d *documentTest) {
				d.seed("a.md", "# Ducks\n\nA duck swims in the lake.\n\n# Geese\n\nA goose flies.\n", "sub/b.txt", "The lake is deep.\n")
				if out := documentData[facade.DocumentSearchOutput](d, "search", "query", "lake"); len(out.Hits) != 0 {
					d.Errorf("before index there are hits: %+v", out.Hits)
				}
				done := documentData[facade.DocumentIndexOutput](d, "index", "path", ".")
				if b := done.Backends; len(b) != 1 || b[0].Documents != 2 || b[0].Chunks < 2 || b[0].Error != nil {
					d.Fatalf("index returns %+v", b)
				}
				hits := documentData[facade.DocumentSearchOutput](d, "search", "query", "DUCK lake").Hits
				if len(hits) != 2 || hits[0].Path != "a.md" || hits[0].Heading != "Ducks" || hits[0].Block == "" || !strings.Contains(hits[0].Snippet, "duck swims") {
					d.Errorf("the hits are %+v", hits)
				}
				if hits := documentData[facade.DocumentSearchOutput](d, "search", "query", `"lake is"`).Hits; len(hits) != 1 || hits[0].Path != "sub/b.txt" {
					d.Errorf("the phrase is in %+v", hits)
				}
			},
		},
		{
			Name: "search/filter", Needs: indexes,
			Explanation: "A filter by path, format or heading narrows the search; limit bounds it.",
			Run: func(d *documentTest) {
				d.seed("a.md", "# One\n\nword\n\n# Two\n\nword\n", "sub/b.txt", "word\n")
				d.ok("index", "path", ".")
				for _, tt := range []struct {
					filter map[string]any
					want   int
				}{
					{map[string]any{"path": "sub"}, 1},
					{map[string]any{"path": "**/*.md"}, 2},
					{map[string]any{"format": "txt"}, 1},
					{map[string]any{"heading": "two"}, 1},
					{map[string]any{"path": "none"}, 0},
				} {
					if out := documentData[facade.DocumentSearchOutput](d, "search", "query", "word", "filter", tt.filter); len(out.Hits) != tt.want {
						d.Errorf("filter %v finds %+v, want %d", tt.filter, out.Hits, tt.want)
					}
				}
				if out := documentData[facade.DocumentSearchOutput](d, "search", "query", "word", "limit", 2); len(out.Hits) != 2 {
					d.Errorf("limit 2 returns %d hits", len(out.Hits))
				}
			},
		},
		{
			Name: "search/again", Needs: indexes,
			Explanation: "Indexing the same content again changes nothing; changed content replaces the old.",
			Run: func(d *documentTest) {
				d.seed("a.txt", "old words\n")
				d.ok("index", "path", "a.txt")
				if b := d.index("a.txt"); b.Documents != 0 || b.Unchanged != 1 {
					d.Errorf("the second time it returns %+v", b)
				}
				d.seed("a.txt", "new words\n")
				d.ok("index", "path", "a.txt")
				if out := documentData[facade.DocumentSearchOutput](d, "search", "query", "old"); len(out.Hits) != 0 {
					d.Errorf("the old content is still found: %+v", out.Hits)
				}
				if out := documentData[facade.DocumentSearchOutput](d, "search", "query", "words"); len(out.Hits) != 1 {
					d.Errorf("the new content is found as %+v", out.Hits)
				}
			},
		},
		{
			Name: "search/refusals", Needs: indexes,
			Explanation: "A directory's unreadable files are named and do not fail the rest; bad arguments are errors.",
			Run: func(d *documentTest) {
				d.seed("good.txt", "fine\n", "bad.bin", "\x00\x01\x02\xff\x00\x00\x00")
				b := d.index("*")
				if b.Documents != 1 || len(b.Skipped) != 1 || b.Skipped[0].Path != "bad.bin" || b.Skipped[0].Reason == "" {
					d.Errorf("index returns %+v", b)
				}
				d.fails("unsupported_format", "index", "path", "bad.bin")
				d.fails("not_found", "index", "path", "none")
				d.fails("not_found", "index", "path", "none/*.md")
				d.fails("outside_root", "index", "path", "..")
				d.fails("invalid_argument", "index", "path", ".", "storage_backends", []string{"none"})
				d.fails("invalid_argument", "search", "query", "x", "storage_backends", []string{"none"})
				d.fails("invalid_argument", "search", "query", "?!")
			},
		},
	}
}
