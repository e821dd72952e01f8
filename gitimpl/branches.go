package gitimpl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Branches implements [facade.GitBrancher].
func (x *Extended) Branches(ctx context.Context, in facade.GitBranchesInput) (facade.GitBranchesOutput, error) {
	in = facade.Defaulted(in)
	r, err := x.open(ctx, in.RepoPath, false)
	if err != nil {
		return facade.GitBranchesOutput{}, err
	}
	defer r.close()
	current, err := r.currentBranch(ctx)
	if err != nil {
		return facade.GitBranchesOutput{}, err
	}
	p := branchParser{in: in, room: gitrule.NewRoom(ctx, gitrule.MostRoom)}
	p.out = facade.GitBranchesOutput{Current: current, Branches: []facade.GitBranchInfo{}}
	c := r.git("for-each-ref", "--sort=-committerdate",
		"--format=%(refname)%00%(objectname)%00%(upstream:short)%00%(upstream:track,nobracket)%00%(committerdate:iso-strict)%00%(subject)%00%(symref)%00",
		"refs/heads")
	if in.IncludeRemote {
		c.flags("refs/remotes")
	}
	err = c.stream(ctx, p.parse)
	return p.out, r.explain(err)
}

// currentBranch is "" when no branch is.
func (r *repo) currentBranch(ctx context.Context) (string, error) {
	if branch, id := r.quickHead(); branch != "" || id != "" {
		return shown([]byte(branch)), nil
	}
	head, err := r.head(ctx)
	return head.Branch, err
}

type branchParser struct {
	in   facade.GitBranchesInput
	out  facade.GitBranchesOutput
	room *gitrule.Room
}

func (p *branchParser) parse(r *bufio.Reader) error {
	for {
		var f [7]string
		for i := range f {
			raw, err := field(r)
			if i == 0 && (errors.Is(err, io.EOF) || len(raw) == 0 && err == nil) {
				return nil
			}
			if i == 0 && errors.Is(err, errField) { // the last line end
				return nil
			}
			if err != nil {
				return errField
			}
			f[i] = shown(bytes.TrimPrefix(raw, []byte("\n")))
		}
		if f[6] == "" {
			p.add(f)
		}
	}
}

func (p *branchParser) add(f [7]string) {
	b := facade.GitBranchInfo{Name: refName(f[0]).short(), OID: f[1], Remote: strings.HasPrefix(f[0], "refs/remotes/"), Subject: f[5]}
	if !strings.Contains(b.Name, p.in.Pattern) {
		return
	}
	b.Time, _ = time.Parse(time.RFC3339, f[4])
	if f[2] != "" {
		b.Upstream = upstream(f[2], f[3])
	}
	if p.out.Hidden > 0 || p.in.Limit > 0 && len(p.out.Branches) >= p.in.Limit || !p.room.Take(b) {
		p.out.Hidden++
		return
	}
	p.out.Branches = append(p.out.Branches, b)
}

var trackCount = regexp.MustCompile(`(ahead|behind) (\d+)`)

// upstream reads "ahead 1, behind 2", "gone" or "".
func upstream(ref, track string) *facade.GitUpstream {
	u := &facade.GitUpstream{Ref: ref, Gone: track == "gone"}
	for _, m := range trackCount.FindAllStringSubmatch(track, -1) {
		n, _ := strconv.Atoi(m[2])
		if m[1] == "ahead" {
			u.Ahead = n
		} else {
			u.Behind = n
		}
	}
	return u
}

// Switch implements [facade.GitBrancher].
func (x *Extended) Switch(ctx context.Context, in facade.GitSwitchInput) (facade.GitSwitchOutput, error) {
	in = facade.Defaulted(in)
	r, err := x.open(ctx, in.RepoPath, true)
	if err != nil {
		return facade.GitSwitchOutput{}, err
	}
	defer r.close()
	out := facade.GitSwitchOutput{Created: in.Create}
	if out.Before, err = r.head(ctx); err != nil {
		return facade.GitSwitchOutput{}, err
	}
	c, err := r.switchTo(ctx, in, out.Before)
	if err != nil {
		return facade.GitSwitchOutput{}, err
	}
	if err := c.run(ctx); err != nil {
		if ge := gitError(err); ge != nil {
			err = r.overwriteError(ctx, ge)
		}
		return facade.GitSwitchOutput{}, err
	}
	if in.Create {
		if err := r.track(ctx, in); err != nil {
			return facade.GitSwitchOutput{}, err
		}
	}
	out.Head, err = r.head(ctx)
	return out, err
}

// switchTo builds the command, after everything it names was found.
func (r *repo) switchTo(ctx context.Context, in facade.GitSwitchInput, head facade.GitHead) (*command, error) {
	c := r.git("switch", "--quiet", "--no-guess", "--no-recurse-submodules", "--no-progress")
	if in.Detach {
		ids, err := r.resolve(ctx, "ref", in.Ref)
		if err != nil {
			return nil, err
		}
		return c.flags("--detach").oids(ids...), nil
	}
	ref, err := branchRef(in.Branch)
	if err != nil {
		return nil, err
	}
	name := strings.TrimPrefix(string(ref), "refs/heads/")
	exists, err := r.tryResolve(ctx, string(ref))
	switch {
	case err != nil:
		return nil, err
	case in.Create && exists != "":
		return nil, facade.Errorf(facade.CodeAlreadyExists, "the branch '%s' exists already", in.Branch).WithHint("leave out create to switch to it")
	case in.Create && head.Unborn && in.Ref == "HEAD":
		return c.value("--create=", name), nil
	case in.Create:
		ids, err := r.resolve(ctx, "ref", in.Ref)
		if err != nil {
			return nil, err
		}
		return c.value("--create=", name).flags("--no-track").oids(ids...), nil
	case exists == "":
		return nil, r.noBranch(ctx, in.Branch, name)
	}
	c.args = append(c.args, name)
	return c, nil
}

// noBranch reports a branch that does not exist, with the one of a remote that
// it could start at, or the nearest name.
func (r *repo) noBranch(ctx context.Context, shown, name string) error {
	e := fail(facade.CodeNotFound, ErrUnknownRevision, "there is no branch '%s'", shown)
	e.Field, e.Hint = "branch", "create=true makes a new branch"
	for _, remote := range r.remoteNames() {
		id, err := r.tryResolve(ctx, "refs/remotes/"+remote+"/"+name)
		if err == nil && id != "" {
			return e.WithHint("create=true with ref='%s/%s' makes one that follows the remote's", remote, shown)
		}
	}
	if hint := r.branchHint(ctx, shown); hint != "" {
		e.Hint = hint + " " + e.Hint
	}
	return e
}

// branchHint asks whether a branch of a similar name was meant; "" when there
// is none.
func (r *repo) branchHint(ctx context.Context, shown string) string {
	out, err := r.git("for-each-ref", "--format=%(refname:short)", "--count=1000", "refs/heads").output(ctx)
	if err != nil {
		return ""
	}
	if near := facade.Nearest(shown, strings.Fields(string(out))); near != "" {
		return "did you mean '" + near + "'?"
	}
	return ""
}

// track makes a branch that starts at a remote-tracking one follow it, as git
// does by default.
func (r *repo) track(ctx context.Context, in facade.GitSwitchInput) error {
	for _, name := range r.remoteNames() {
		branch, ok := strings.CutPrefix(in.Ref, name+"/")
		if !ok || !gitrule.ValidBranch(branch) {
			continue
		}
		id, err := r.tryResolve(ctx, "refs/remotes/"+name+"/"+branch)
		if err != nil || id == "" {
			return err
		}
		return r.follow(ctx, refName("refs/heads/"+in.Branch), name, refName("refs/heads/"+branch))
	}
	return nil
}
