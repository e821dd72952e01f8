package facadetest

import (
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

func infoRules() []filesRule {
	return []filesRule{
		{
			Name: "info/file", Needs: informs,
			Explanation: "info describes a file as read does: type, size, mode, time, encoding, lines and the same etag.",
			Run: func(f *filesTest) {
				f.seed("d/a.txt", "one\ntwo\n")
				when := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
				f.must(f.Store.Chtimes("d/a.txt", when))
				out := data[facade.InfoOutput](f, "info", "path", "d/a.txt")
				equal(f, "path", out.Path, "d/a.txt")
				equal(f, "type", out.Type, facade.TypeFile)
				equal(f, "size", out.Size, 8)
				equal(f, "etag", out.ETag, f.etag("d/a.txt"))
				equal(f, "encoding", strings.ToLower(out.Encoding), "utf-8")
				if out.Lines == nil || *out.Lines != 2 || !out.Modified.Equal(when) || !strings.HasPrefix(out.Mode, "-r") {
					f.Errorf("info is %+v, want 2 lines, modified %v and a mode like -rw-r--r--", out, when)
				}
			},
		},
		{
			Name: "info/others", Needs: informs,
			Explanation: "info describes directories, the root too, and says binary of what is not text; a missing path is not_found.",
			Run: func(f *filesTest) {
				f.seed("d/blob", "\x00\x01\xff")
				equal(f, "type", data[facade.InfoOutput](f, "info", "path", "d").Type, facade.TypeDirectory)
				equal(f, "type of the root", data[facade.InfoOutput](f, "info", "path", ".").Type, facade.TypeDirectory)
				equal(f, "encoding", data[facade.InfoOutput](f, "info", "path", "d/blob").Encoding, "binary")
				f.fails("not_found", "info", "path", "nothing-like-it")
			},
		},
	}
}

// place normalises how the root is written.
func place(p string) string {
	p = strings.Trim(p, "/")
	if p == "" {
		return "."
	}
	return p
}

func navigateRules() []filesRule {
	return []filesRule{
		{
			Name: "cd/relative", Needs: navigates,
			Explanation: "cd changes where relative paths start; results stay relative to the root; '..' goes up within the root and no further.",
			Run: func(f *filesTest) {
				f.seed("a/b/x.txt", "x\n", "top.txt", "t\n")
				out := data[facade.CdOutput](f, "cd", "path", "a")
				equal(f, "previous", place(out.Previous), ".")
				equal(f, "current", place(out.Current), "a")
				equal(f, "path read", f.read("b/x.txt").Path, "a/b/x.txt")
				equal(f, "above", f.read("../top.txt").Content, "t\n")
				equal(f, "absolute", f.read(f.HostPath+"/top.txt").Content, "t\n")
				equals(f, "list", paths(data[facade.ListOutput](f, "list").Entries), "a/b")
				equal(f, "current below", place(data[facade.CdOutput](f, "cd", "path", "b").Current), "a/b")
				pwd := data[facade.PwdOutput](f, "pwd")
				equal(f, "pwd", place(pwd.Current), "a/b")
				equal(f, "start", place(pwd.Start), ".")
				equal(f, "back at the root", place(data[facade.CdOutput](f, "cd", "path", "../..").Current), ".")
				f.fails("outside_root", "cd", "path", "..")
				equal(f, "pwd after a refusal", place(data[facade.PwdOutput](f, "pwd").Current), ".")
			},
		},
		{
			Name: "cd/sessions", Needs: navigates,
			Explanation: "The current directory belongs to the session.",
			Run: func(f *filesTest) {
				f.seed("a/x.txt", "in a\n", "x.txt", "top\n")
				one, two := f.as("one"), f.as("two")
				one.ok("cd", "path", "a")
				equal(f, "of the first session", one.read("x.txt").Content, "in a\n")
				equal(f, "of the second session", two.read("x.txt").Content, "top\n")
				equal(f, "pwd of the second session", place(data[facade.PwdOutput](two, "pwd").Current), ".")
				equal(f, "pwd of no session", place(data[facade.PwdOutput](f, "pwd").Current), ".")
			},
		},
		{
			Name: "cd/errors", Needs: navigates,
			Explanation: "A file is not_directory, a missing path not_found; the directory stays.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "x")
				f.fails("not_directory", "cd", "path", "a.txt")
				f.fails("not_found", "cd", "path", "nothing-like-it")
				equal(f, "pwd", place(data[facade.PwdOutput](f, "pwd").Current), ".")
			},
		},
		{
			Name: "roots/listed", Needs: navigates,
			Explanation: "roots lists what paths may reach, by the names that paths use.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "x")
				roots := data[facade.RootsOutput](f, "roots").Roots
				if len(roots) == 0 {
					f.Fatalf("no root is listed")
				}
				for _, r := range roots {
					f.ok("list", "path", r.Name)
				}
				if _, ok := f.Tools.(facade.FileWriter); ok && !roots[0].Writable {
					f.Errorf("the root is listed as %+v though the tool writes", roots[0])
				}
			},
		},
	}
}
