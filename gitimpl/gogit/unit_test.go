package gogit

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

func TestDate(t *testing.T) {
	now := time.Date(2026, 5, 31, 12, 30, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"2026-01-31":                "2026-01-31T12:30:00Z",
		"2026-01-31T15:04:05Z":      "2026-01-31T15:04:05Z",
		"2026-01-31 15:04":          "2026-01-31T15:04:00Z",
		"2026-01-31 15:04:05 +0200": "2026-01-31T15:04:05+02:00",
		"now":                       "2026-05-31T12:30:00Z",
		"Yesterday":                 "2026-05-30T12:30:00Z",
		"2 weeks ago":               "2026-05-17T12:30:00Z",
		"3.days":                    "2026-05-28T12:30:00Z",
		"an hour ago":               "2026-05-31T11:30:00Z",
		"last year":                 "2025-05-31T12:30:00Z",
	} {
		got, err := date("since", text, now)
		if err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%q: %v %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "soon", "2026-13-01", "99999999999 days ago", "--all"} {
		if _, err := date("since", text, now); facade.CodeOf(err) != facade.CodeInvalidArgument {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestRevisions resolves what git resolves, and nothing else.
func TestRevisions(t *testing.T) {
	fsys := afero.NewMemMapFs()
	InitForTest(t, fsys, "/", false)
	if err := afero.WriteFile(fsys, "/.git/config", []byte("[user]\n\tname = A\n\temail = a@b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := New(fsys, nil)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for range 3 {
		out, err := g.Commit(t.Context(), facade.GitCommitInput{Message: "m", AllowEmpty: true})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, out.OID)
	}
	r, err := g.open(t.Context(), ".", false)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	for rev, want := range map[string]string{
		"HEAD": ids[2], "@": ids[2], "main": ids[2], "heads/main": ids[2], "refs/heads/main": ids[2], ids[1]: ids[1], ids[1][:8]: ids[1],
		"HEAD~": ids[1], "HEAD~2": ids[0], "HEAD^": ids[1], "main^^": ids[0], "HEAD^0": ids[2], "HEAD^{commit}~1": ids[1], "HEAD^{}": ids[2],
	} {
		c, err := r.resolve(t.Context(), "ref", rev)
		if err != nil || c.Hash.String() != want {
			t.Errorf("%q: %v %v, want %s", rev, c, err, want)
		}
	}
	for _, rev := range []string{
		"", "~1", "^", "^main", "HEAD~3", "HEAD^2", "HEAD~99999999999999999999", "HEAD^x", "HEAD~1x", "HEAD^{tree}", "nowhere", "../HEAD", "--all", ids[0][:3], strings.Repeat("f", 40), ":a", "@{1}",
	} {
		if c, err := r.resolve(t.Context(), "ref", rev); err == nil {
			t.Errorf("%q is %v", rev, c.Hash)
		}
	}
}

func TestGitNames(t *testing.T) {
	for name, want := range map[string]bool{
		".git": true, "a/.GIT/b": true, ".git ": true, ".git.": true, "GIT~1": true, ".gi\u200dt": true, ".git:x": true,
		".gitignore": false, ".github": false, "git": false, "a.git": false, ".git-x": false,
	} {
		if got := isGitName(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// FuzzAddress holds that an address is never used for more than it is: a
// directory stays below the root, and everything else is https or ssh.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{"https://x/y", "ssh://a@b/c", "a@b:c", "../../etc", "file:///x", "ext::sh", "C:\\x", "-x:y", "http://x", "//x", "https://-x/"} {
		f.Add(s)
	}
	fsys := afero.NewMemMapFs()
	InitForTest(f, fsys, "/remote.git", true)
	g, err := New(fsys, nil)
	if err != nil {
		f.Fatal(err)
	}
	r := &repo{g: g, top: "/work"}
	f.Fuzz(func(t *testing.T, text string) {
		a, reason := r.judge(text)
		switch {
		case reason != "":
		case a.url == nil && a.dir != "/remote.git":
			t.Errorf("%q is the directory %q", text, a.dir)
		case a.url != nil && (a.url.Scheme != "https" && a.url.Scheme != "ssh" || a.url.Host == "" || strings.HasPrefix(a.url.Host, "-")):
			t.Errorf("%q is %v", text, a.url)
		}
	})
}
