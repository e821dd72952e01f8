package facadetest

import (
	"path"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// plant puts a secret outside the root, where the store has an outside.
func (d *documentTest) plant() OutsideStore {
	d.Helper()
	d.seed("sub/x.txt", "inside\n")
	o, ok := d.Store.(OutsideStore)
	if !ok {
		return nil
	}
	for _, p := range []string{"secret.txt", "dir/secret.txt", o.RootName() + "-evil/secret.txt"} {
		d.must(o.Outside().WriteFile(p, []byte(secret+"\n"), 0o666))
	}
	return o
}

// reaches calls every action with a path that leads outside, and checks that
// each fails with one of codes and shows nothing.
func (d *documentTest) reaches(p, codes string) {
	d.Helper()
	for _, a := range d.takingPaths() {
		if e := d.fails(codes, a, "path", p); strings.Contains(e.Text(), secret) {
			d.Errorf("%s of %q shows what is outside the root: %s", a, p, e.Text())
		}
	}
}

// documentConfineRules are about what lies outside the root.
func documentConfineRules() []documentRule {
	return []documentRule{
		{
			Name:        "confine/dotdot",
			Explanation: "'..' out of the root is outside_root for every action, whether something is there or not.",
			Run: func(d *documentTest) {
				d.plant()
				for _, p := range []string{"..", "../secret.txt", "../dir", "sub/../../secret.txt", "../../nothing", "../*.txt"} {
					d.reaches(p, "outside_root")
				}
			},
		},
		{
			Name: "confine/sibling",
			Needs: func(f *DocumentFixture) string {
				if _, ok := f.Store.(OutsideStore); !ok {
					return "the store has nothing outside the root"
				}
				return ""
			},
			Explanation: "A directory beside the root whose name begins with the root's is outside, as is every absolute path of the host.",
			Run: func(d *documentTest) {
				o := d.plant()
				d.reaches("../"+o.RootName()+"-evil/secret.txt", "outside_root")
				d.reaches(path.Join(o.OutsidePath(), o.RootName()+"-evil", "secret.txt"), "outside_root|not_found")
				d.reaches(path.Join(o.OutsidePath(), "secret.txt"), "outside_root|not_found")
			},
		},
		{
			Name: "confine/links",
			Needs: func(f *DocumentFixture) string {
				if !f.Confined {
					return "the implementation does not promise confinement"
				}
				probe := &FilesFixture{Store: f.Store, Confined: true}
				return confined(probe)
			},
			Explanation: "A link that leads outside is refused, whichever action takes it; index does not follow links, and nothing outside is ever found.",
			Run: func(d *documentTest) {
				o := d.plant()
				s := d.Store.(LinkStore)
				for link, target := range map[string]string{
					"file.txt": "../secret.txt", "dir": "../dir", "absolute.txt": path.Join(o.OutsidePath(), "secret.txt"), "sub/loop": "..", "gone.txt": "../none",
				} {
					d.must(s.Symlink(target, link))
				}
				for _, p := range []string{"file.txt", "dir/secret.txt", "absolute.txt", "gone.txt"} {
					d.reaches(p, "outside_root|not_found|permission_denied|not_regular")
				}
				if indexes(d.DocumentFixture) != "" {
					return
				}
				if b := d.index("."); b.Documents != 1 {
					d.Errorf("index takes %+v, want sub/x.txt alone", b)
				}
				d.finds(secret)
				d.finds("inside", "sub/x.txt")
			},
		},
	}
}

// documentNameRules are about names that are hard to show.
func documentNameRules() []documentRule {
	names := func(f *DocumentFixture) string { return badNames(&FilesFixture{Store: f.Store}) }
	return []documentRule{
		{
			Name: "names/not-utf8", Needs: names,
			Explanation: "A name that is not UTF-8 is returned with an escape that can be sent back unchanged; two names never look alike.",
			Run: func(d *documentTest) {
				d.seed("d/a\xff.txt", "first\n", "d/a\xfe.txt", "second\n")
				if indexes(d.DocumentFixture) != "" {
					d.Skip("names come from index only")
				}
				d.index("d")
				for _, word := range []string{"first", "second"} {
					found := d.found(word)
					if len(found) != 1 {
						d.Fatalf("%q is found in %q", word, found)
					}
					if out := d.read(found[0]); out.Source.Path != found[0] || strings.TrimSpace(out.Content) != word {
						d.Errorf("the found path %q reads as %+v", found[0], out.Source)
					}
				}
			},
		},
		{
			Name: "names/newline", Needs: names,
			Explanation: "A newline in a name cannot forge a line of a reply's text.",
			Run: func(d *documentTest) {
				const name = "a\nforged.txt: words"
				d.seed(name, "needle\n", "bad\nforged.bin", "\x00\x01\xff\x00")
				results := []*facade.Result{d.call("read", "path", name)}
				if indexes(d.DocumentFixture) == "" {
					results = append(results, d.ok("index", "path", "."), d.ok("search", "query", "needle"))
				}
				for _, r := range results {
					for line := range strings.Lines(r.Text) {
						if strings.HasPrefix(line, "forged") {
							d.Errorf("a name forges the line %q", line)
						}
					}
				}
				if results[0].Error != nil {
					d.Errorf("the file is not read: %v", results[0].Error)
				}
			},
		},
	}
}
