package facadetest

import (
	"path"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// secret is the content of every file outside the root.
const secret = "TOP-SECRET-CONTENT"

// refusals are the codes of a path that leads outside. A path that is taken to
// be inside after all, as /etc/passwd below the root, is simply not found.
const refusals = "outside_root|not_found|invalid_argument|permission_denied|not_regular|not_directory|already_exists|is_directory"

// attempts calls every action that the implementation has with p as the path,
// and checks that nothing outside is read or changed. codes are what actions
// may fail with; "" takes success too.
func (f *filesTest) attempts(p, codes string) {
	f.Helper()
	before := f.outsideOnly()
	for _, a := range f.attacks(p) {
		r := f.call(a.action, a.kv...)
		if reply := r.Text + string(r.JSON()); strings.Contains(reply, secret) {
			f.Errorf("%s%v shows what is outside the root: %s", a.action, a.kv, r.Text)
		}
		switch {
		case codes == "":
		case r.Error == nil:
			f.Errorf("%s%v succeeded, want %s; it said: %s", a.action, a.kv, codes, r.Text)
		case !strings.Contains("|"+codes+"|", "|"+string(r.Error.Code)+"|"):
			f.Errorf("%s%v: code %q, want %s: %s", a.action, a.kv, r.Error.Code, codes, r.Error.Message)
		}
		f.same(before, f.outsideOnly())
	}
}

// outsideOnly is the snapshot of what lies outside the root.
func (f *filesTest) outsideOnly() map[string]string {
	f.Helper()
	out := map[string]string{}
	for p, what := range f.snapshot() {
		if strings.HasPrefix(p, "../") {
			out[p] = what
		}
	}
	return out
}

type attack struct {
	action facade.FileAction
	kv     []any
}

// attacks lists a call of each action that would reach p.
func (f *filesTest) attacks(p string) []attack {
	all := []attack{
		{"read", []any{"path", p}},
		{"list", []any{"path", p}},
		{"find", []any{"path", p, "keywords_file_content", []string{"SECRET"}}},
		{"grep", []any{"path", p, "pattern", "SECRET"}},
		{"info", []any{"path", p}},
		{"cd", []any{"path", p}},
		{"create", []any{"paths", []string{p + "/made"}}},
		{"write", []any{"path", p, "content", "x"}},
		{"write", []any{"path", p, "content", "x", "append", true}},
		{"modify", []any{"path", p, "start_offset_inclusive", 0, "end_offset_inclusive", -1, "new_content", "x"}},
		{"replace", []any{"path", p, "old_content", "SECRET", "new_content", "x"}},
		{"edit", []any{"path", p, "edits", []any{map[string]any{"old_text": "SECRET", "new_text": "x"}}}},
		{"patch", []any{"patch", "--- a/" + p + "\n+++ b/" + p + "\n@@ -1 +1 @@\n-" + secret + "\n+x\n"}},
		{"copy", []any{"source", p, "destination", "stolen"}},
		{"copy", []any{"source", "bait", "destination", p, "overwrite", true}},
		{"move", []any{"source", "bait", "destination", p, "overwrite", true}},
		{"move", []any{"source", p, "destination", "stolen"}},
		{"delete", []any{"paths", []string{p}, "recursive", true}},
	}
	have := map[string]bool{}
	for _, a := range f.tool.Actions() {
		have[a.Name] = true
	}
	var out []attack
	for _, a := range all {
		if have[string(a.action)] {
			out = append(out, a)
		}
	}
	return out
}

// plant puts secrets outside the root, where the store has an outside, and
// something inside.
func (f *filesTest) plant() OutsideStore {
	f.Helper()
	f.seed("bait", "bait\n", "sub/x.txt", "inside\n")
	o, ok := f.Store.(OutsideStore)
	if !ok {
		return nil
	}
	for _, p := range []string{"secret.txt", "dir/secret.txt", o.RootName() + "-evil/secret.txt"} {
		f.must(o.Outside().WriteFile(p, []byte(secret+"\n"), 0o666))
	}
	return o
}

func confineRules() []filesRule {
	return []filesRule{
		{
			Name:        "confine/dotdot",
			Explanation: "'..' out of the root is outside_root for every action; nothing outside is read, written or named.",
			Run: func(f *filesTest) {
				f.plant()
				for _, p := range []string{"..", "../secret.txt", "../dir", "sub/../../secret.txt", "./../secret.txt", "../../nothing"} {
					f.attempts(p, "outside_root")
				}
				f.holds("bait", "bait\n")
			},
		},
		{
			Name: "confine/sibling", Needs: outside,
			Explanation: "A directory beside the root whose name starts with the root's name is outside, as is every absolute host path.",
			Run: func(f *filesTest) {
				o := f.plant()
				f.attempts("../"+o.RootName()+"-evil/secret.txt", "outside_root")
				f.attempts("../"+o.RootName()+"-evil", "outside_root")
				for _, p := range []string{path.Join(o.OutsidePath(), "secret.txt"), path.Join(o.OutsidePath(), o.RootName()+"-evil/secret.txt"), "/../secret.txt"} {
					f.attempts(p, "")
				}
				r := f.call("read", "path", path.Join(o.OutsidePath(), "secret.txt"))
				if r.Error == nil || !strings.Contains("|"+refusals+"|", "|"+string(r.Error.Code)+"|") {
					f.Errorf("an absolute path outside reads as %s", r.Text)
				}
			},
		},
	}
}

func linkRules() []filesRule {
	return []filesRule{
		{
			Name: "links/outside", Needs: confined,
			Explanation: "A symbolic link that leads outside the root, straight, through another link, absolute or dangling, is refused; nothing outside is read, written, made or named.",
			Run: func(f *filesTest) {
				o := f.plant()
				s := f.Store.(LinkStore)
				f.must(s.Symlink("../secret.txt", "file"))
				f.must(s.Symlink("../dir", "dir"))
				f.must(s.Symlink("..", "up"))
				f.must(s.Symlink("file", "chain"))
				f.must(s.Symlink(path.Join(o.OutsidePath(), "secret.txt"), "absolute"))
				f.must(s.Symlink("../created.txt", "dangling"))
				for _, p := range []string{"dir/secret.txt", "up/secret.txt", "up/dir", "dir/new.txt", "sub/../dir/secret.txt"} {
					f.attempts(p, "outside_root|not_found|permission_denied")
				}
				bad := []string{"file", "chain", "absolute", "dangling"}
				for _, p := range bad {
					f.fails("outside_root|not_found|permission_denied", "read", "path", p)
				}
				for _, p := range bad {
					f.attempts(p, "") // to delete, move or describe the link itself is fine
				}
			},
		},
		{
			Name: "links/walk", Needs: confined,
			Explanation: "list and find show a link as a symlink and never walk through it.",
			Run: func(f *filesTest) {
				f.plant()
				s := f.Store.(LinkStore)
				f.must(s.Symlink("../dir", "dir"))
				f.must(s.Symlink("../secret.txt", "sub/file"))
				f.must(s.Symlink("..", "sub/loop"))
				types := map[string]facade.EntryType{}
				for _, e := range data[facade.ListOutput](f, "list", "recursive", true).Entries {
					types[e.Path] = e.Type
				}
				equal(f, "type of dir", types["dir"], facade.TypeSymlink)
				equal(f, "type of sub/file", types["sub/file"], facade.TypeSymlink)
				equal(f, "number of entries", len(types), 6)
				equals(f, "content found", f.found("keywords_file_content", []string{"SECRET"}))
				equals(f, "names found", f.found("patterns", []string{"secret.txt"}))
			},
		},
		{
			Name: "links/inside", Needs: all(confined, writes),
			Explanation: "A link that stays inside the root is followed for reading and writing; a write changes its target and keeps the link; delete removes the link, not its target.",
			Run: func(f *filesTest) {
				f.seed("d/a.txt", "old\n")
				s := f.Store.(LinkStore)
				f.must(s.Symlink("d/a.txt", "file"))
				f.must(s.Symlink("d", "dir"))
				equal(f, "content", f.read("file").Content, "old\n")
				equal(f, "content below a link", f.read("dir/a.txt").Content, "old\n")
				f.ok("write", "path", "file", "content", "new\n")
				f.holds("d/a.txt", "new\n")
				equal(f, "the link", f.snapshot()["file"], "link d/a.txt")
				f.ok("delete", "paths", []string{"file", "dir"}, "recursive", true)
				f.gone("file", "dir")
				f.holds("d/a.txt", "new\n")
			},
		},
		{
			Name: "links/info", Needs: all(links, informs),
			Explanation: "info describes a link itself, with its target.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "x\n")
				f.must(f.Store.(LinkStore).Symlink("a.txt", "link"))
				out := data[facade.InfoOutput](f, "info", "path", "link")
				equal(f, "type", out.Type, facade.TypeSymlink)
				equal(f, "target", out.Target, "a.txt")
			},
		},
	}
}
