package gogit_test

import (
	"context"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/gitimpl/gogit"
)

// TestUnsupported holds that what only git can do is said to be so, and
// changes nothing.
func TestUnsupported(t *testing.T) {
	for name, setup := range map[string]func(*lab){
		"merge in progress": func(l *lab) { l.write(".git/MERGE_HEAD", strings.TrimSpace(l.git("rev-parse", "HEAD"))+"\n") },
		"rebase":            func(l *lab) { l.write(".git/rebase-merge/onto", "x") },
		"extension":         func(l *lab) { l.git("config", "extensions.worktreeConfig", "true") },
		"line ends":         func(l *lab) { l.git("config", "core.autocrlf", "true") },
		"linked work tree": func(l *lab) {
			if err := os.Rename(filepath.Join(l.dir, ".git"), filepath.Join(l.dir, "elsewhere")); err != nil {
				l.Fatal(err)
			}
			l.write(".git", "gitdir: elsewhere\n")
		},
		"broken index": func(l *lab) { l.write(".git/index", "DIRCgarbage") },
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.write("a", "1\n")
			l.git("add", "a")
			l.git("commit", "-qm", "one")
			setup(l)
			l.write("a", "2\n")
			_, err := l.Stage(t.Context(), facade.GitStageInput{StageAll: true})
			if facade.CodeOf(err) != facade.CodeUnsupported {
				t.Errorf("stage: %v", err)
			}
			_, err = l.MergeAbort(t.Context(), facade.GitMergeAbortInput{})
			if code := facade.CodeOf(err); code != facade.CodeUnsupported && name != "broken index" {
				t.Errorf("merge_abort: %v", err)
			}
		})
	}
	l := newLab(t)
	l.write("a", "1\n")
	_, err := l.Diff(t.Context(), facade.GitDiffInput{IgnoreSpace: true})
	if facade.CodeOf(err) != facade.CodeUnsupported {
		t.Errorf("ignore_space: %v", err)
	}
}

// TestUnconfined refuses file systems that follow links anywhere.
func TestUnconfined(t *testing.T) {
	for _, fsys := range []afero.Fs{nil, afero.NewOsFs(), afero.NewBasePathFs(afero.NewOsFs(), t.TempDir())} {
		if _, err := gogit.New(fsys, nil); err == nil {
			t.Errorf("%T is accepted", fsys)
		}
		if _, err := gogit.New(afero.NewMemMapFs(), &gogit.Options{Remotes: fsys}); err == nil && fsys != nil {
			t.Errorf("%T is accepted for remotes", fsys)
		}
	}
}

// TestHostileTrees holds that a commit cannot write what other programs obey,
// nor through a link.
func TestHostileTrees(t *testing.T) {
	for _, name := range []string{".git/hooks/pre-commit", ".GIT/config", "a/.git./x", "git~1/x", ".g\u200cit/x", ".git::$DATA/x"} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.write("a", "1\n")
			l.git("add", "a")
			l.git("commit", "-qm", "one")
			l.plant(name, "100644", "evil\n")
			before := l.git("config", "--list", "--local")
			_, err := l.Switch(t.Context(), facade.GitSwitchInput{Branch: "evil"})
			if facade.CodeOf(err) != facade.CodeProtectedPath {
				t.Errorf("switch: %v", err)
			}
			_, err = l.Restore(t.Context(), facade.GitRestoreInput{Files: []string{"."}, Source: "evil"})
			if facade.CodeOf(err) != facade.CodeProtectedPath {
				t.Errorf("restore: %v", err)
			}
			if after := l.git("config", "--list", "--local"); after != before {
				t.Errorf("the configuration is %q now", after)
			}
			if _, err := os.Stat(filepath.Join(l.dir, ".git/hooks/pre-commit")); err == nil {
				t.Error("a hook was written")
			}
		})
	}
	l := newLab(t)
	l.write("d/f", "1\n")
	l.git("add", "-A")
	l.git("commit", "-qm", "one")
	outside := t.TempDir()
	if err := os.RemoveAll(filepath.Join(l.dir, "d")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(l.dir, "d")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if _, err := l.Restore(t.Context(), facade.GitRestoreInput{Files: []string{"d/f"}}); err == nil {
		t.Error("restored through a link")
	}
	if list, _ := os.ReadDir(outside); len(list) > 0 {
		t.Errorf("written outside: %v", list)
	}
}

// plant makes a branch evil whose commit has a file of any name, which plain
// git refuses to stage.
func (l *lab) plant(name, mode, content string) {
	l.write("payload", content)
	id := strings.TrimSpace(l.git("hash-object", "-w", "payload"))
	if err := os.Remove(filepath.Join(l.dir, "payload")); err != nil {
		l.Fatal(err)
	}
	parts := strings.Split(name, "/")
	kind := "blob"
	for i := len(parts) - 1; i >= 0; i-- {
		cmd := exec.Command("git", "mktree")
		cmd.Dir, cmd.Stdin = l.dir, strings.NewReader(mode+" "+kind+" "+id+"\t"+parts[i]+"\n")
		out, err := cmd.Output()
		if err != nil {
			l.Fatal(err)
		}
		id, mode, kind = strings.TrimSpace(string(out)), "040000", "tree"
	}
	commit := strings.TrimSpace(l.git("commit-tree", "-p", "HEAD", "-m", "evil", id))
	l.git("update-ref", "refs/heads/evil", commit)
}

// TestRemoteAddresses holds that only harmless addresses are used.
func TestRemoteAddresses(t *testing.T) {
	l := newLab(t)
	l.write("a", "1\n")
	l.git("add", "a")
	l.git("commit", "-qm", "one")
	l.git("remote", "add", "origin", "x")
	for _, address := range []string{
		"ext::touch pwned", "git://localhost/x", "http://localhost/x", "ftp://localhost/x", "/etc", "../../etc", "file:///etc", "ssh://-oProxyCommand=x/y", "-x:y", "https:///x", "missing",
	} {
		l.git("config", "remote.origin.url", address)
		_, err := l.Fetch(t.Context(), facade.GitFetchInput{})
		if facade.CodeOf(err) != facade.CodeDenied {
			t.Errorf("%s: %v", address, err)
		}
		info := must[facade.GitRemotesOutput](t)(l.Remotes(t.Context(), facade.GitRemotesInput{}))
		if info.Remotes[0].Usable {
			t.Errorf("%s is said to be usable", address)
		}
	}
}

// TestWire fetches from and pushes to a server that asks for a password.
func TestWire(t *testing.T) {
	l := newLab(t)
	ctx := t.Context()
	programs := strings.TrimSpace(l.git("--exec-path"))
	base := t.TempDir()
	l.git("init", "-q", "--bare", "-b", "main", base+"/x.git")
	l.git("-C", base+"/x.git", "config", "http.receivepack", "true")
	backend := &cgi.Handler{Path: programs + "/git-http-backend", Env: []string{"GIT_PROJECT_ROOT=" + base, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=ada"}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, password, _ := r.BasicAuth(); password != "s3cret" {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		backend.ServeHTTP(w, r)
	}))
	defer server.Close()
	defer http.DefaultClient.CloseIdleConnections()
	l.git("remote", "add", "origin", server.URL+"/x.git")
	l.write("a", "1\n")
	first := must[facade.GitCommitOutput](t)(l.Commit(ctx, facade.GitCommitInput{Message: "one", StageAll: true}))

	fsys, disk := l.reopen()
	defer disk()
	strangers := open(t, fsys, &gogit.Options{InsecureHTTP: true})
	_, err := strangers.Push(ctx, facade.GitPushInput{})
	if facade.CodeOf(err) != facade.CodePermissionDenied || strings.Contains(err.Error(), server.URL) {
		t.Errorf("without credentials: %v", err)
	}
	g := open(t, fsys, &gogit.Options{InsecureHTTP: true, Credentials: func(context.Context, gitimpl.CredentialRequest) (gitimpl.Credential, error) {
		return gitimpl.Credential{Username: "ada", Password: "s3cret"}, nil
	}})
	pushed := must[facade.GitPushOutput](t)(g.Push(ctx, facade.GitPushInput{SetUpstream: true}))
	if pushed.Refs[0].Status != "new" || l.git("rev-parse", "--abbrev-ref", "@{upstream}") != "origin/main\n" {
		t.Errorf("push: %+v", pushed)
	}
	if got := strings.TrimSpace(l.git("-C", base+"/x.git", "rev-parse", "main")); got != first.OID {
		t.Errorf("the remote has %s", got)
	}
	// Somebody else pushes; then this side is behind.
	l.git("clone", "-q", base+"/x.git", base+"/other")
	l.git("-C", base+"/other", "commit", "-q", "--allow-empty", "-m", "theirs")
	l.git("-C", base+"/other", "push", "-q")
	must[facade.GitCommitOutput](t)(g.Commit(ctx, facade.GitCommitInput{Message: "mine", AllowEmpty: true}))
	out, err := g.Push(ctx, facade.GitPushInput{})
	if facade.CodeOf(err) != facade.CodeConflict || out.Refs[0].Reason != "fetch_first" {
		t.Errorf("rejected push: %+v, %v", out, err)
	}
	fetched := must[facade.GitFetchOutput](t)(g.Fetch(ctx, facade.GitFetchInput{}))
	if len(fetched.Updates) != 1 || fetched.Updates[0].Kind != "fast_forward" {
		t.Errorf("fetch: %+v", fetched)
	}
	_, err = g.Pull(ctx, facade.GitPullInput{Mode: "merge"})
	if facade.CodeOf(err) != facade.CodeUnsupported {
		t.Errorf("merge: %v", err)
	}
	status := must[facade.GitStatusOutput](t)(g.Status(ctx, facade.GitStatusInput{}))
	if u := status.Upstream; u == nil || u.Ahead != 1 || u.Behind != 1 {
		t.Errorf("upstream: %+v", u)
	}
	forced := must[facade.GitPushOutput](t)(g.Push(ctx, facade.GitPushInput{Force: true}))
	if forced.Refs[0].Status != "forced" {
		t.Errorf("forced: %+v", forced)
	}
}
