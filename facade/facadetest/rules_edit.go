package facadetest

import (
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// edit is one element of edits.
func edit(path, oldText, newText string) map[string]any {
	e := map[string]any{"old_text": oldText, "new_text": newText}
	if path != "" {
		e["path"] = path
	}
	return e
}

func editRules() []filesRule {
	return []filesRule{
		{
			Name: "edit/several", Needs: edits,
			Explanation: "edit applies edits in order to several files; path is the default for those without one; each file is reported with status, diff, etag and how each edit matched.",
			Run: func(f *filesTest) {
				f.seed("a", "one\ntwo\n", "b", "three\n")
				out := data[facade.EditOutput](f, "edit", "path", "a", "edits", []any{
					edit("", "one", "1"), edit("b", "three", "3"), edit("", "1\ntwo", "1\n2"),
				})
				f.holds("a", "1\n2\n")
				f.holds("b", "3\n")
				if len(out.Files) != 2 {
					f.Fatalf("files are %+v, want two", out.Files)
				}
				a := out.Files[0]
				equal(f, "path", a.Path, "a")
				equal(f, "status", a.Status, "modified")
				equal(f, "etag", a.ETag, f.etag("a"))
				if len(a.Matches) != 2 || a.Matches[0].Strategy != "exact" || a.Matches[0].Confidence != 1 || !strings.Contains(a.Diff, "\n+2") {
					f.Errorf("the first file is %+v, want two exact matches and a diff", a)
				}
			},
		},
		{
			Name: "edit/all-or-nothing", Needs: edits,
			Explanation: "One edit that fails leaves every file as it was and emits no event of a change.",
			Run: func(f *filesTest) {
				f.seed("a", "one\n", "b", "x\nx\n")
				f.events.Reset()
				f.unchanged(func() {
					f.fails("no_match", "edit", "edits", []any{edit("a", "one", "1"), edit("b", "zzz", "y")})
					f.says(f.fails("ambiguous_match", "edit", "edits", []any{edit("a", "one", "1"), edit("b", "x", "y")}), "1", "2")
					f.fails("not_found", "edit", "edits", []any{edit("a", "one", "1"), edit("nothing-like-it", "x", "y")})
					f.fails("invalid_argument", "edit", "edits", []any{edit("a", "", "y")})
					f.fails("invalid_argument", "edit", "edits", []any{edit("a", "one", "one")})
					f.fails("invalid_argument", "edit", "edits", []any{edit("", "one", "1")})
					f.fails("outside_root", "edit", "edits", []any{edit("a", "one", "1"), edit("../b", "x", "y")})
				})
				if got := f.events.Of(facade.EventFileModified); len(got) > 0 {
					f.Errorf("events %+v though nothing changed", got)
				}
			},
		},
		{
			Name: "edit/ladder", Needs: edits,
			Explanation: "Old text may differ in trailing blanks, indentation (new text is re-indented) and Unicode punctuation when the match is unique; the strategy is told.",
			Run: func(f *filesTest) {
				for _, c := range []struct{ strategy, before, old, text, after string }{
					{"trailing_blanks", "a  \nb\n", "a\nb", "x\nb", "x\nb\n"},
					{"indentation", "if x {\n\t\tone()\n\t\ttwo()\n}\n", "one()\ntwo()\n", "one()\nif y {\n\ttwo()\n}\n", "if x {\n\t\tone()\n\t\tif y {\n\t\t\ttwo()\n\t\t}\n}\n"},
					{"punctuation", "say “hi” – now\n", "say \"hi\" - now", "bye", "bye\n"},
					{"line_ending", "a\r\nb\r\n", "a\nb", "x\ny", "x\r\ny\r\n"},
				} {
					f.seed("f", c.before)
					out := data[facade.EditOutput](f, "edit", "path", "f", "edits", []any{edit("", c.old, c.text)})
					f.holds("f", c.after)
					if len(out.Files) != 1 || len(out.Files[0].Matches) != 1 || out.Files[0].Matches[0].Strategy != c.strategy {
						f.Errorf("files are %+v, want strategy %s", out.Files, c.strategy)
					}
				}
			},
		},
		{
			Name: "edit/strict", Needs: edits,
			Explanation: "Similar text alone is no match; tolerance can be switched off; a tolerant match that is not unique is ambiguous.",
			Run: func(f *filesTest) {
				f.seed("f", "func total(a int) int {\n\treturn a\n}\n", "g", "\tx = 1\n\t\tx = 1\n")
				f.unchanged(func() {
					f.says(f.fails("no_match", "edit", "path", "f", "edits", []any{edit("", "func totl(a int) int {", "q")}), "total(a")
					f.fails("no_match", "edit", "path", "f", "partial_match", false, "edits", []any{edit("", "  return a\n}", "q")})
					f.fails("ambiguous_match", "edit", "path", "g", "edits", []any{edit("", "  x = 1\n", "y = 2\n")})
				})
			},
		},
		{
			Name: "edit/dry-run", Needs: edits,
			Explanation: "dry_run shows the same diff and changes nothing; replace_all changes every occurrence.",
			Run: func(f *filesTest) {
				f.seed("f", "x\nx\n")
				args := []any{"path", "f", "edits", []any{map[string]any{"old_text": "x", "new_text": "y", "replace_all": true}}}
				var dry facade.EditOutput
				f.unchanged(func() { dry = data[facade.EditOutput](f, "edit", append(args, "dry_run", true)...) })
				wet := data[facade.EditOutput](f, "edit", args...)
				f.holds("f", "y\ny\n")
				equal(f, "dry_run", dry.DryRun, true)
				if len(dry.Files) != 1 || len(wet.Files) != 1 || dry.Files[0].Diff != wet.Files[0].Diff {
					f.Errorf("the dry run shows %+v, the run %+v", dry.Files, wet.Files)
				}
			},
		},
	}
}

func patchRules() []filesRule {
	const patch = `--- a/mod.txt
+++ b/mod.txt
@@ -1,3 +1,3 @@
 a
-b
+B
 c
--- /dev/null
+++ b/sub/new.txt
@@ -0,0 +1,2 @@
+n1
+n2
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
`
	const rename = `diff --git a/from.txt b/to.txt
similarity index 50%
rename from from.txt
rename to to.txt
--- a/from.txt
+++ b/to.txt
@@ -1,2 +1,2 @@
 one
-two
+2
`
	return []filesRule{
		{
			Name: "patch/several", Needs: edits,
			Explanation: "patch applies a unified diff of several files, creating and deleting; each file is reported with its status.",
			Run: func(f *filesTest) {
				f.seed("mod.txt", "a\nb\nc\n", "old.txt", "gone\n")
				f.unchanged(func() { f.ok("patch", "patch", patch, "dry_run", true) })
				out := data[facade.EditOutput](f, "patch", "patch", patch)
				f.holds("mod.txt", "a\nB\nc\n")
				f.holds("sub/new.txt", "n1\nn2\n")
				f.gone("old.txt")
				var got []string
				for _, e := range out.Files {
					got = append(got, e.Path+" "+e.Status)
				}
				sameSet(f, "files", got, "mod.txt modified", "sub/new.txt created", "old.txt deleted")
			},
		},
		{
			Name: "patch/rename", Needs: edits,
			Explanation: "patch follows a rename and applies its hunks.",
			Run: func(f *filesTest) {
				f.seed("from.txt", "one\ntwo\n")
				out := data[facade.EditOutput](f, "patch", "patch", rename)
				f.gone("from.txt")
				f.holds("to.txt", "one\n2\n")
				if len(out.Files) != 1 || out.Files[0].Status != "renamed" || out.Files[0].OldPath != "from.txt" || out.Files[0].Path != "to.txt" {
					f.Errorf("files are %+v, want to.txt renamed from from.txt", out.Files)
				}
			},
		},
		{
			Name: "patch/all-or-nothing", Needs: edits,
			Explanation: "A hunk that does not fit is no_match and leaves every file as it was; what is no diff is invalid_argument.",
			Run: func(f *filesTest) {
				f.seed("mod.txt", "a\nb\nc\n", "old.txt", "something else\n")
				f.unchanged(func() {
					f.fails("no_match", "patch", "patch", patch)
					f.fails("invalid_argument", "patch", "patch", "this is no diff")
					f.fails("not_found|no_match", "patch", "patch", rename)
				})
			},
		},
	}
}
