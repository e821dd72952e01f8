package gitimpl_test

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
)

func TestBranchesAndSwitch(t *testing.T) {
	l := newLab(t)
	ctx := t.Context()
	l.git(".", "init", "-q", "--bare", "remote.git")
	l.repo("r", "a", "1\n")
	l.git("r", "remote", "add", "origin", l.path("remote.git"))
	l.git("r", "push", "-q", "origin", "main", "main:feature/x")
	x := l.open("r", nil).Extended()
	out := must[facade.GitSwitchOutput](t)(x.Switch(ctx, facade.GitSwitchInput{Branch: "mine", Create: true, Ref: "origin/feature/x"}))
	if out.Head.Branch != "mine" || out.Before.Branch != "main" || !out.Created {
		t.Errorf("%+v", out)
	}
	if got := l.git("r", "rev-parse", "--abbrev-ref", "@{upstream}"); got != "origin/feature/x\n" {
		t.Errorf("upstream is %q", got)
	}
	_, err := x.Switch(ctx, facade.GitSwitchInput{Branch: "main", Create: true})
	wantError(t, err, facade.CodeAlreadyExists, nil)
	l.git("r", "commit", "-q", "--allow-empty", "-m", "ahead")
	list := must[facade.GitBranchesOutput](t)(x.Branches(ctx, facade.GitBranchesInput{IncludeRemote: true}))
	var names []string
	for _, b := range list.Branches {
		names = append(names, b.Name)
		if b.Name == "mine" && !cmp.Equal(b.Upstream, &facade.GitUpstream{Ref: "origin/feature/x", Ahead: 1}) {
			t.Errorf("upstream of mine: %+v", b.Upstream)
		}
	}
	slices.Sort(names)
	if diff := cmp.Diff([]string{"main", "mine", "origin/feature/x", "origin/main"}, names); diff != "" || list.Current != "mine" {
		t.Errorf("current %q, branches: %s", list.Current, diff)
	}
	l.write("r/a", "2\n")
	l.git("r", "commit", "-qam", "two")
	l.write("r/a", "3\n")
	_, err = x.Switch(ctx, facade.GitSwitchInput{Branch: "main"})
	wantError(t, err, facade.CodeConflict, gitimpl.ErrDirty)
	if got := l.read("r/a"); got != "3\n" {
		t.Errorf("the change is gone: %q", got)
	}
	detached := must[facade.GitSwitchOutput](t)(x.Switch(ctx, facade.GitSwitchInput{Detach: true}))
	if !detached.Head.Detached {
		t.Errorf("%+v", detached)
	}
}

// TestStashConflict keeps an entry that cannot be brought back cleanly.
func TestStashConflict(t *testing.T) {
	l := newLab(t)
	ctx := t.Context()
	l.repo("r", "a", "1\n")
	x := l.open("r", nil).Extended()
	_, err := x.Stash(ctx, facade.GitStashInput{Operation: "push"})
	wantError(t, err, facade.CodeInvalidArgument, gitimpl.ErrNothingToCommit)
	l.write("r/a", "mine\n")
	l.write("r/new", "1\n")
	out := must[facade.GitStashOutput](t)(x.Stash(ctx, facade.GitStashInput{Operation: "push", Message: "work in\nprogress", IncludeUntracked: true}))
	if !cmp.Equal(out.Files, []string{"a", "new"}) || len(out.Entries) != 1 || !strings.HasSuffix(out.Entries[0].Message, "work in progress") {
		t.Errorf("%+v", out)
	}
	l.write("r/a", "theirs\n")
	l.git("r", "commit", "-qam", "theirs")
	out, err = x.Stash(ctx, facade.GitStashInput{Operation: "pop"})
	wantError(t, err, facade.CodeConflict, gitimpl.ErrConflict)
	if len(out.Conflicts) != 1 || len(out.Entries) != 1 {
		t.Errorf("%+v", out)
	}
	dropped := must[facade.GitStashOutput](t)(x.Stash(ctx, facade.GitStashInput{Operation: "drop"}))
	if len(dropped.Entries) != 0 {
		t.Errorf("%+v", dropped)
	}
}

// TestForeseenConflicts holds that looking ahead changes nothing.
func TestForeseenConflicts(t *testing.T) {
	l := newLab(t)
	l.repo("r", "a", "1\n", "b", "1\n")
	l.conflictIn("a")
	before := l.git("r", "count-objects")
	out := must[facade.GitConflictsOutput](t)(l.open("r", nil).Extended().Conflicts(t.Context(), facade.GitConflictsInput{Ref: "side"}))
	if len(out.Conflicts) != 1 || out.Conflicts[0].Path != "a" || out.Conflicts[0].Kind != "both_modified" || len(out.Messages) == 0 {
		t.Errorf("%+v", out)
	}
	if after := l.git("r", "count-objects"); after != before {
		t.Errorf("objects: %s, were %s", after, before)
	}
}

// TestCredentials sends the host's answer to the remote, and shows it nowhere.
func TestCredentials(t *testing.T) {
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("Authorization"))
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	l := newLab(t)
	l.repo("r", "a", "1\n")
	l.git("r", "remote", "add", "origin", strings.Replace(server.URL, "://", "://user:oldsecret@", 1)+"/x.git")
	var asked gitimpl.CredentialRequest
	g := l.open("r", &gitimpl.Options{InsecureHTTP: true, Credentials: func(_ context.Context, req gitimpl.CredentialRequest) (gitimpl.Credential, error) {
		asked = req
		return gitimpl.Credential{Username: "me", Password: "s3cret"}, nil
	}})
	_, err := g.Fetch(t.Context(), facade.GitFetchInput{})
	wantError(t, err, facade.CodePermissionDenied, gitimpl.ErrAuth)
	if asked.Remote != "origin" || asked.URL != server.URL+"/x.git" || asked.Push {
		t.Errorf("asked for %+v", asked)
	}
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte("me:s3cret"))
	if !slices.Contains(seen, want) {
		t.Errorf("the remote saw %q", seen)
	}
	text := err.Error() + detail(err)
	if e, ok := errors.AsType[*facade.Error](err); ok {
		text += e.Text()
	}
	remotes := must[facade.GitRemotesOutput](t)(g.Extended().Remotes(t.Context(), facade.GitRemotesInput{}))
	for _, secret := range []string{"s3cret", "oldsecret", base64.StdEncoding.EncodeToString([]byte("me:s3cret"))} {
		if strings.Contains(text+remotes.Remotes[0].URL, secret) {
			t.Errorf("%q is shown: %s %s", secret, text, remotes.Remotes[0].URL)
		}
	}
}

// TestProgress hears of the transfer while it runs.
func TestProgress(t *testing.T) {
	l := newLab(t)
	l.git(".", "init", "-q", "--bare", "remote.git")
	l.repo("r", "a", "1\n", "b", "2\n", "c", "3\n")
	l.git("r", "remote", "add", "origin", l.path("remote.git"))
	var events []facade.Event
	ctx := facade.WithSession(t.Context(), "", func(e facade.Event) { events = append(events, e) })
	must[facade.GitPushOutput](t)(l.open("r", &gitimpl.Options{FileRemotes: true}).Push(ctx, facade.GitPushInput{}))
	if !slices.ContainsFunc(events, func(e facade.Event) bool {
		return e.Type == facade.EventProgress && e.Message == "Writing objects" && e.Total > 0 && e.Current == e.Total
	}) {
		t.Errorf("events are %+v", events)
	}
}
