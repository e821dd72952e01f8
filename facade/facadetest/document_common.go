package facadetest

import (
	"path"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// documentCommonRules are about arguments and paths in general.
func documentCommonRules() []documentRule {
	return []documentRule{
		{
			Name:        "common/arguments",
			Explanation: "A field of another action, an unknown field, a case variant, a wrong type or a missing field is invalid_argument and names the field.",
			Run: func(d *documentTest) {
				d.seed("a.txt", "words\n")
				d.refuses("invalid_argument", "query", "read", "path", "a.txt", "query", "x")
				d.refuses("invalid_argument", "PATH", "read", "path", "a.txt", "PATH", "x")
				d.refuses("invalid_argument", "max_chars", "read", "path", "a.txt", "max_chars", 0)
				d.refuses("invalid_argument", "extract_tables", "read", "path", "a.txt", "extract_tables", "perhaps")
				d.refuses("invalid_argument", "extraction_template", "read", "path", "a.txt", "extraction_template", "total")
				d.refuses("invalid_argument", "path", "read")
				d.refuses("unknown_action", "valid actions: read", "raed", "path", "a.txt")
			},
		},
		{
			Name:        "common/lenient",
			Explanation: "Numbers and booleans in quotes are taken, and the result notes it.",
			Run: func(d *documentTest) {
				d.seed("t.csv", "name,n\nx,12\n")
				r := d.ok("read", "path", "t.csv", "max_chars", "1000", "extract_tables", "false")
				if len(r.Notes) != 2 || !strings.Contains(r.Text, "12") {
					d.Errorf("notes are %q with %s", r.Notes, r.Text)
				}
			},
		},
		{
			Name:        "common/go-defaults",
			Explanation: "A Go caller's zero fields mean the documented defaults: Markdown with tables, ten hits, the default backend.",
			Run: func(d *documentTest) {
				d.seed("t.csv", "name,n\nx,12\n")
				out, err := d.Tools.Read(direct(), facade.DocumentReadInput{Path: "t.csv"})
				if err != nil || len(out.Tables) != 1 || !strings.Contains(out.Content, "| x | 12 |") {
					d.Errorf("Read with a path only is %+v, %v", out, err)
				}
				x, ok := d.Tools.(facade.DocumentIndexer)
				if !ok {
					return
				}
				for i := range 15 {
					d.seed(path.Join("many", string(rune('a'+i))+".txt"), "needle\n")
				}
				if done, err := x.Index(direct(), facade.DocumentIndexInput{Path: "many"}); err != nil || len(done.Backends) != 1 || done.Backends[0].Documents != 15 {
					d.Errorf("Index with a path only is %+v, %v", done, err)
				}
				if found, err := x.Search(direct(), facade.DocumentSearchInput{Query: "needle"}); err != nil || len(found.Hits) != 10 {
					d.Errorf("Search with a query only has %d hits, %v; want 10", len(found.Hits), err)
				}
			},
		},
		{
			Name:        "common/paths",
			Explanation: "A path is relative or absolute inside the root; '.' and '..' within the root are resolved; results are relative to the root.",
			Run: func(d *documentTest) {
				d.seed("d/a.txt", "words\n")
				for _, p := range []string{"d/a.txt", d.HostPath + "/d/a.txt", "./d/a.txt", "d/../d/a.txt", "d//a.txt", "d/./a.txt"} {
					if out := d.read(p); out.Source.Path != "d/a.txt" || strings.TrimSpace(out.Content) != "words" {
						d.Errorf("read of %q is %+v", p, out.Source)
					}
				}
			},
		},
		{
			Name:        "common/bad-path",
			Explanation: "An empty path, one with a NUL byte and one of absurd length are invalid_argument for every action.",
			Run: func(d *documentTest) {
				d.seed("a", "x\n")
				for _, p := range []string{"", "a\x00b", strings.Repeat("a/", 5000) + "a"} {
					for _, a := range d.takingPaths() {
						if e := d.fails("invalid_argument", a, "path", p); e.Field != "path" && !strings.Contains(e.Message, "path") {
							d.Errorf("%s of a bad path does not name the field: %+v", a, e)
						}
					}
				}
			},
		},
		{
			Name:        "common/nearest",
			Explanation: "not_found names the nearest existing name in its hint, for every action.",
			Run: func(d *documentTest) {
				d.seed("docs/report.txt", "x\n", "docs/other.txt", "y\n")
				for _, a := range d.takingPaths() {
					d.refuses("not_found", "docs/report.txt", a, "path", "docs/reprot.txt")
					d.fails("not_found", a, "path", "none/at/all.txt")
				}
			},
		},
		{
			Name:        "common/unchanged",
			Explanation: "No action changes a file below the root.",
			Run: func(d *documentTest) {
				d.seed("a.md", sampleDocument, "t.csv", "a,b\n1,2\n", "p.png", string(grayPNG(d, 20, 10)))
				before, err := d.Store.Snapshot()
				d.must(err)
				for _, a := range d.takingPaths() {
					for _, p := range []string{"a.md", "t.csv", "p.png", "."} {
						d.call(a, "path", p)
					}
				}
				after, err := d.Store.Snapshot()
				d.must(err)
				if len(before) != len(after) {
					d.Errorf("there are %d files, before there were %d", len(after), len(before))
				}
				for p, what := range before {
					if after[p] != what {
						d.Errorf("%s became %.40q from %.40q", p, after[p], what)
					}
				}
				d.ok("read", "path", "a.md")
			},
		},
		{
			Name: "common/fifo",
			Needs: func(f *DocumentFixture) string {
				if _, ok := f.Store.(FIFOStore); !ok {
					return "the store has no named pipes"
				}
				return ""
			},
			Explanation: "A named pipe is not_regular: no action waits for it, and index goes past it.",
			Run: func(d *documentTest) {
				d.must(d.Store.(FIFOStore).Mkfifo("pipe"))
				d.seed("a.txt", "words\n")
				start := time.Now()
				d.fails("not_regular", "read", "path", "pipe")
				if indexes(d.DocumentFixture) == "" {
					d.fails("not_regular", "index", "path", "pipe")
					if b := d.index("."); b.Documents != 1 {
						d.Errorf("beside a pipe index takes %+v", b)
					}
				}
				if readsImages(d.DocumentFixture) == "" {
					d.fails("not_regular", "read_image", "path", "pipe")
				}
				if took := time.Since(start); took > callLimit/2 {
					d.Errorf("the pipe held the calls up for %v", took)
				}
			},
		},
	}
}

// takingPaths lists the actions of the implementation that take a path.
func (d *documentTest) takingPaths() []facade.DocumentAction {
	actions := []facade.DocumentAction{facade.DocumentRead}
	if indexes(d.DocumentFixture) == "" {
		actions = append(actions, facade.DocumentIndex)
	}
	if readsImages(d.DocumentFixture) == "" {
		actions = append(actions, facade.DocumentReadImage)
	}
	return actions
}
