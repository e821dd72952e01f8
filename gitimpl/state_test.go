package gitimpl_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
)

// TestStates walks the library through the states a repository can be in, and
// compares it with plain git in each.
func TestStates(t *testing.T) {
	for _, c := range []struct {
		name  string
		dir   string
		setup func(*lab)
		check func(*testing.T, facade.GitStatusOutput)
	}{
		{
			"unborn", "r", func(l *lab) { l.git(".", "init", "-q", "r"); l.write("r/a", "1\n"); l.git("r", "add", "a") },
			func(t *testing.T, o facade.GitStatusOutput) {
				if !o.Head.Unborn || o.Head.Branch != "main" || o.Counts.Staged != 1 {
					t.Errorf("%+v", o)
				}
			},
		},
		{
			"detached", "r", func(l *lab) { l.repo("r", "a", "1\n"); l.git("r", "switch", "-q", "--detach") },
			func(t *testing.T, o facade.GitStatusOutput) {
				if !o.Head.Detached || o.Head.Branch != "" || !o.Clean {
					t.Errorf("%+v", o)
				}
			},
		},
		{"linked work tree", "wt", func(l *lab) {
			l.repo("r", "a", "1\n")
			l.git("r", "worktree", "add", "-q", "-b", "side", l.path("wt"))
			l.write("wt/a", "2\n")
		}, func(t *testing.T, o facade.GitStatusOutput) {
			if o.Head.Branch != "side" || o.Counts.Unstaged != 1 {
				t.Errorf("%+v", o)
			}
		}},
		{"sparse", "r", func(l *lab) {
			l.repo("r", "in/a", "1\n", "out/b", "1\n", "c", "1\n")
			l.git("r", "sparse-checkout", "set", "in")
			l.write("r/in/a", "2\n")
		}, func(t *testing.T, o facade.GitStatusOutput) {
			if len(o.Entries) != 1 {
				t.Errorf("%+v", o.Entries)
			}
		}},
		{"renamed and binary", "r", func(l *lab) {
			l.repo("r", "old name", "1\n2\n3\n4\n5\n", "bin", "\x00\x01")
			l.git("r", "mv", "old name", "new name")
			l.write("r/bin", "\x00\x02")
		}, func(t *testing.T, o facade.GitStatusOutput) {
			if e := o.Entries[0]; o.Entries[1].Kind != "renamed" && e.Kind != "renamed" {
				t.Errorf("%+v", o.Entries)
			}
		}},
		{"gone upstream", "r", func(l *lab) {
			l.repo("r", "a", "1\n")
			l.git(".", "init", "-q", "--bare", "up.git")
			l.git("r", "remote", "add", "origin", l.path("up.git"))
			l.git("r", "push", "-qu", "origin", "main")
			l.git("r", "update-ref", "-d", "refs/remotes/origin/main")
		}, func(t *testing.T, o facade.GitStatusOutput) {
			if o.Upstream == nil || !o.Upstream.Gone {
				t.Errorf("%+v", o.Upstream)
			}
		}},
		{"cherry-pick", "r", func(l *lab) {
			l.repo("r", "a", "1\n")
			l.conflictIn("a")
			_, _ = l.tryGit("r", "cherry-pick", "side")
		}, func(t *testing.T, o facade.GitStatusOutput) {
			if o.Operation != "cherry-pick" || o.Counts.Unmerged != 1 {
				t.Errorf("%+v", o)
			}
		}},
		{"only looks changed", "r", func(l *lab) {
			l.repo("r", "a", "1\n")
			if err := os.Chtimes(l.path("r/a"), l.modTime("r/.git"), l.modTime("r/.git").Add(-1e12)); err != nil {
				l.Fatal(err)
			}
		}, func(t *testing.T, o facade.GitStatusOutput) {
			if !o.Clean {
				t.Errorf("%+v", o)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLab(t)
			c.setup(l)
			g := l.open(".", nil)
			o := must[facade.GitStatusOutput](t)(g.Status(t.Context(), facade.GitStatusInput{RepoPath: c.dir}))
			c.check(t, o)
			if diff := cmp.Diff(l.git(c.dir, "status", "--porcelain", "-z"), porcelain(o)); diff != "" {
				t.Errorf("status (-git +library):\n%s", diff)
			}
			d := must[facade.GitDiffOutput](t)(g.Diff(t.Context(), facade.GitDiffInput{RepoPath: c.dir}))
			if diff := cmp.Diff(l.git(c.dir, "diff", "--full-index"), d.Patch); diff != "" && o.Counts.Unmerged == 0 {
				t.Errorf("diff (-git +library):\n%s", diff)
			}
			if o.Clean && len(d.Files) > 0 {
				t.Errorf("a clean work tree differs: %+v", d.Files)
			}
		})
	}
}

// TestSubmodules reports a submodule with new commits, and never enters it.
func TestSubmodules(t *testing.T) {
	l := newLab(t)
	l.repo("lib", "a", "1\n")
	l.repo("r", "b", "1\n")
	l.git("r", "submodule", "--quiet", "add", l.path("lib"), "sub")
	l.git("r", "commit", "-qm", "sub")
	l.write("r/sub/a", "2\n")
	g := l.open("r", nil)
	if o := must[facade.GitStatusOutput](t)(g.Status(t.Context(), facade.GitStatusInput{})); !o.Clean {
		t.Errorf("changes inside a submodule are shown: %+v", o.Entries)
	}
	l.git("r/sub", "commit", "-qam", "two")
	o := must[facade.GitStatusOutput](t)(g.Status(t.Context(), facade.GitStatusInput{}))
	if len(o.Entries) != 1 || !o.Entries[0].Submodule {
		t.Errorf("%+v", o.Entries)
	}
	in := must[facade.GitStatusOutput](t)(g.Status(t.Context(), facade.GitStatusInput{RepoPath: "sub"}))
	if !in.Clean {
		t.Errorf("the submodule itself: %+v", in)
	}
}

func TestRefusals(t *testing.T) {
	l := newLab(t)
	ctx := t.Context()
	l.repo("r", "a", "1\n")
	l.write("plain/file", "1\n")
	l.git(".", "init", "-q", "--bare", "bare.git")
	l.git(".", "init", "-q", "unborn")
	g := l.open(".", nil)
	x := g.Extended()
	_, err := g.Status(ctx, facade.GitStatusInput{RepoPath: "plain"})
	wantError(t, err, facade.CodeNotFound, gitimpl.ErrNotRepository)
	_, err = g.Status(ctx, facade.GitStatusInput{RepoPath: "bare.git"})
	wantError(t, err, facade.CodeNotFound, gitimpl.ErrNotRepository)
	_, err = g.Status(ctx, facade.GitStatusInput{RepoPath: "r/a"})
	wantError(t, err, facade.CodeNotDirectory, gitimpl.ErrNotRepository)
	_, err = g.Stage(ctx, facade.GitStageInput{RepoPath: "r", Files: []string{"a", "missing"}})
	wantError(t, err, facade.CodeNotFound, gitimpl.ErrPathNotFound)
	_, err = g.Commit(ctx, facade.GitCommitInput{RepoPath: "r", Message: "m"})
	wantError(t, err, facade.CodeInvalidArgument, gitimpl.ErrNothingToCommit)
	_, err = g.Commit(ctx, facade.GitCommitInput{RepoPath: "unborn", Message: "m", Amend: true})
	wantError(t, err, facade.CodeNotFound, gitimpl.ErrUnbornHead)
	_, err = g.Commit(ctx, facade.GitCommitInput{RepoPath: "r", Message: "m", AllowEmpty: true, ExpectedHead: strings.Repeat("0", 40)})
	wantError(t, err, facade.CodeStale, gitimpl.ErrStaleHead)
	_, err = g.Diff(ctx, facade.GitDiffInput{RepoPath: "r", From: "mian"})
	wantError(t, err, facade.CodeNotFound, gitimpl.ErrUnknownRevision)
	_, err = g.Diff(ctx, facade.GitDiffInput{RepoPath: "r", From: "--output=x"})
	wantError(t, err, facade.CodeNotFound, gitimpl.ErrUnknownRevision)
	_, err = g.History(ctx, facade.GitHistoryInput{RepoPath: "r", Since: "soon"})
	wantError(t, err, facade.CodeInvalidArgument, nil)
	_, err = g.History(ctx, facade.GitHistoryInput{RepoPath: "r", Cursor: "0.--output=x"})
	wantError(t, err, facade.CodeInvalidArgument, nil)
	_, err = g.Fetch(ctx, facade.GitFetchInput{RepoPath: "r"})
	wantError(t, err, facade.CodeNotFound, gitimpl.ErrUnknownRemote)
	_, err = g.Push(ctx, facade.GitPushInput{RepoPath: "r", Remote: "https://example.org/x"})
	wantError(t, err, facade.CodeNotFound, gitimpl.ErrUnknownRemote)
	l.git("r", "remote", "add", "origin", l.path("bare.git"))
	for _, branch := range []string{"+main", ":main", "main:other", "-d", "@", "HEAD", "refs/../x", "a b", "x.lock"} {
		_, err = g.Push(ctx, facade.GitPushInput{RepoPath: "r", Branch: branch})
		wantError(t, err, facade.CodeInvalidArgument, nil)
		_, err = g.Fetch(ctx, facade.GitFetchInput{RepoPath: "r", Branch: branch})
		wantError(t, err, facade.CodeInvalidArgument, nil)
		_, err = x.Switch(ctx, facade.GitSwitchInput{RepoPath: "r", Branch: branch, Create: true})
		wantError(t, err, facade.CodeInvalidArgument, nil)
	}
	_, err = g.Fetch(ctx, facade.GitFetchInput{RepoPath: "r", Branch: "none"})
	wantError(t, err, facade.CodeNotFound, gitimpl.ErrUnknownRevision)
	_, err = x.Switch(ctx, facade.GitSwitchInput{RepoPath: "r", Branch: "none"})
	wantError(t, err, facade.CodeNotFound, gitimpl.ErrUnknownRevision)
	_, err = x.Stash(ctx, facade.GitStashInput{RepoPath: "r", Operation: "pop"})
	wantError(t, err, facade.CodeNotFound, nil)
	_, err = x.Blame(ctx, facade.GitBlameInput{RepoPath: "r", Path: "a", StartLine: 9})
	wantError(t, err, facade.CodeInvalidArgument, nil)
	outside := l.open("r", nil)
	_, err = outside.Fetch(ctx, facade.GitFetchInput{})
	wantError(t, err, facade.CodeDenied, nil)
}

// TestMissingProgram covers machines without git, or with an old one.
func TestMissingProgram(t *testing.T) {
	l := newLab(t)
	l.repo("r", "a", "1\n")
	for _, c := range []struct{ name, program string }{
		{"absent", l.path("no-git")},
		{"old", l.script("old-git", "echo git version 2.37.9")},
		{"silent", l.script("silent-git", "exit 0")},
	} {
		g := l.open("r", &gitimpl.Options{Program: c.program})
		_, err := g.Status(t.Context(), facade.GitStatusInput{})
		wantError(t, err, facade.CodeUnavailable, gitimpl.ErrNoGit)
	}
}

// TestFailedCommitKeepsIndex holds that staging is undone with a failed commit.
func TestFailedCommitKeepsIndex(t *testing.T) {
	l := newLab(t)
	l.repo("r", "a", "1\n", "b", "1\n")
	l.write("r/a", "2\n")
	l.git("r", "add", "a")
	l.write("r/new", "1\n")
	l.write("r/b", "2\n")
	before := l.git("r", "status", "--porcelain")
	config := l.path("nobody")
	l.write("nobody", "")
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	g := l.open("r", nil)
	for _, in := range []facade.GitCommitInput{{Message: "m", StageAll: true}, {Message: "m", Files: []string{"new", "b"}}} {
		_, err := g.Commit(t.Context(), in)
		wantError(t, err, facade.CodeUnavailable, gitimpl.ErrUnknownIdentity)
		if got := l.git("r", "status", "--porcelain"); got != before {
			t.Errorf("the index is\n%s, was\n%s", got, before)
		}
	}
	l.write("nobody", "[user]\n\tname = B\n\temail = b@c\n")
	out := must[facade.GitCommitOutput](t)(g.Commit(t.Context(), facade.GitCommitInput{Message: "m", Files: []string{"new", "b"}}))
	if got := l.git("r", "status", "--porcelain"); len(out.Files) != 2 || got != "M  a\n" {
		t.Errorf("committed %+v, left %q", out.Files, got)
	}
}

// TestTrustConfig holds that hooks and filters work when the host says so, and
// only then.
func TestTrustConfig(t *testing.T) {
	for _, trust := range []gitimpl.Trust{gitimpl.Untrusted, gitimpl.TrustConfig} {
		l := newLab(t)
		l.repo("r", "a", "1\n")
		l.script("r/.git/hooks/pre-commit", "echo ran > "+l.path("hook"))
		l.git("r", "config", "filter.up.clean", "tr a-z A-Z")
		l.write("r/.gitattributes", "*.up filter=up\n")
		l.write("r/x.up", "text\n")
		g := l.open("r", &gitimpl.Options{Trust: trust})
		staged := must[facade.GitStageOutput](t)(g.Stage(t.Context(), facade.GitStageInput{StageAll: true}))
		must[facade.GitCommitOutput](t)(g.Commit(t.Context(), facade.GitCommitInput{Message: "m"}))
		_, err := os.Stat(l.path("hook"))
		content := l.git("r", "cat-file", "-p", "HEAD:x.up")
		if trust == gitimpl.TrustConfig && (err != nil || content != "TEXT\n" || staged.Unfiltered != nil) {
			t.Errorf("trusted: hook %v, content %q, %v", err, content, staged.Unfiltered)
		}
		if trust == gitimpl.Untrusted && (err == nil || content != "text\n" || !cmp.Equal(staged.Unfiltered, []string{"x.up"})) {
			t.Errorf("untrusted: hook %v, content %q, %v", err, content, staged.Unfiltered)
		}
	}
}

// TestHugeMessage lists a commit whose message is larger than any reply.
func TestHugeMessage(t *testing.T) {
	l := newLab(t)
	l.repo("r", "a", "1\n")
	l.write("message", strings.Repeat("word ", 1<<19))
	l.git("r", "commit", "-q", "--allow-empty", "-F", l.path("message"))
	tool := facade.Git(l.open("r", nil).Extended())
	for _, args := range []string{`{"action":"history"}`, `{"action":"show"}`} {
		res, err := tool.Call(t.Context(), facade.Call{Args: []byte(args)})
		if err != nil || res.Error != nil {
			t.Fatalf("%s: %v %v", args, err, res.Error)
		}
		if n := len(res.JSON()); n > facade.DefaultOutputBudget || n < 1000 {
			t.Errorf("%s: %d bytes", args, n)
		}
	}
}

// TestAmendAndRefs checks an amended commit and the names that point to it.
func TestAmendAndRefs(t *testing.T) {
	l := newLab(t)
	l.repo("r", "a", "1\n")
	g := l.open("r", nil)
	out := must[facade.GitCommitOutput](t)(g.Commit(t.Context(), facade.GitCommitInput{
		Message: "better", Amend: true, Author: "Bob <bob@example.org>", ExpectedHead: "main",
	}))
	l.git("r", "tag", "v1")
	h := must[facade.GitHistoryOutput](t)(g.History(t.Context(), facade.GitHistoryInput{Ref: "v1"}))
	if len(h.Commits) != 1 || h.Commits[0].OID != out.OID || h.Commits[0].Author != "Bob <bob@example.org>" {
		t.Fatalf("%+v", h)
	}
	if diff := cmp.Diff([]string{"HEAD", "main", "tag: v1"}, h.Commits[0].Refs); diff != "" {
		t.Error(diff)
	}
}
