package gitimpl

import (
	"context"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// pushJob is one branch on its way to one remote.
type pushJob struct {
	remote *remote
	ref    refName
	id     oid
	// lease is the id that the remote branch must have to be overwritten.
	lease string
	in    facade.GitPushInput
}

// Push implements [facade.GitRemote].
func (g *Git) Push(ctx context.Context, in facade.GitPushInput) (facade.GitPushOutput, error) {
	in = facade.Defaulted(in)
	r, err := g.open(ctx, in.RepoPath, true)
	if err != nil {
		return facade.GitPushOutput{}, err
	}
	defer r.close()
	job, err := r.pushable(ctx, in)
	if err != nil {
		return facade.GitPushOutput{}, err
	}
	var out facade.GitPushOutput
	if g.push != nil {
		out, err = r.pushByScript(ctx, job)
	} else {
		out, err = r.pushNative(ctx, job)
	}
	out.DryRun = in.DryRun && len(out.Refs) > 0
	if err == nil && in.SetUpstream && !in.DryRun {
		err = r.follow(ctx, job.ref, job.remote.name, job.ref)
		out.Upstream = job.remote.name + "/" + job.ref.short()
	}
	return out, err
}

// pushable finds out what to push, and checks it.
func (r *repo) pushable(ctx context.Context, in facade.GitPushInput) (*pushJob, error) {
	m, err := r.remote(in.Remote)
	if err != nil {
		return nil, err
	}
	branch := in.Branch
	if branch == "" {
		head, err := r.head(ctx)
		if err != nil {
			return nil, err
		}
		if head.Detached {
			return nil, facade.InvalidArgument("branch", "HEAD is detached: there is no branch to push").
				WithHint("switch to a branch, or give 'branch'")
		}
		branch = head.Branch
	}
	ref, err := branchRef(branch)
	if err != nil {
		return nil, err
	}
	ids, err := r.resolve(ctx, "branch", string(ref))
	if err != nil {
		if isNotFound(err) {
			e := fail(facade.CodeNotFound, ErrUnknownRevision, "there is no branch '%s' with commits", branch)
			e.Field, e.Hint = "branch", r.branchHint(ctx, branch)
			return nil, e
		}
		return nil, err
	}
	job := &pushJob{remote: m, ref: ref, id: ids[0], in: in}
	if in.Force {
		known, err := r.tryResolve(ctx, string(m.tracking(ref)))
		if err != nil {
			return nil, err
		}
		job.lease = string(ref) + ":" + string(known)
	}
	return job, nil
}

// refspec names both sides in full.
func (j *pushJob) refspec() string { return string(j.ref) + ":" + string(j.ref) }

func (r *repo) pushNative(ctx context.Context, j *pushJob) (facade.GitPushOutput, error) {
	c := r.git("push", "--porcelain", "--progress", "--no-follow-tags", "--recurse-submodules=no")
	if r.g.opts.Trust == Untrusted {
		c.flags("--no-verify", "--no-signed")
		c.flags(choose(j.remote.inside, hardenedReceive, "--receive-pack=git-receive-pack"))
	}
	if j.in.DryRun {
		c.flags("--dry-run")
	}
	if j.lease != "" {
		c.value("--force-with-lease=", j.lease)
	}
	if err := r.reach(ctx, c, j.remote, true); err != nil {
		return facade.GitPushOutput{}, err
	}
	events := gitrule.NewProgress(ctx)
	c.stderr = events.Write
	c.flags("--end-of-options")
	c.args = append(c.args, j.remote.name, j.refspec())
	raw, err := c.output(ctx)
	if err != nil && gitError(err) == nil {
		return facade.GitPushOutput{}, err
	}
	refs, perr := r.pushedRefs(ctx, raw, j)
	if perr != nil {
		return facade.GitPushOutput{}, perr
	}
	out := facade.GitPushOutput{Refs: refs, RemoteMessages: r.mask.clean(events.Said.String())}
	return out, r.pushError(err, refs)
}

// pushError turns a rejected ref into an error that says what to do.
func (r *repo) pushError(err error, refs []facade.GitPushedRef) error {
	i := slices.IndexFunc(refs, func(p facade.GitPushedRef) bool { return p.Status == "rejected" })
	if err == nil || i < 0 {
		return r.explain(err)
	}
	ge, ref := gitError(err), refs[i]
	switch ref.Reason {
	case "non_fast_forward", "fetch_first":
		return cause(facade.Errorf(facade.CodeConflict, "the remote has commits that %s lacks", refName(ref.Local).short()).
			WithHint("pull first; force=true would drop them"), ErrRejected, ge)
	case "stale":
		return cause(facade.Errorf(facade.CodeStale, "the remote branch has changed since the last fetch").
			WithHint("fetch, look at what is new, then decide"), ErrRejected, ge)
	}
	return cause(facade.Errorf(facade.CodePermissionDenied, "the remote refused %s: %s", refName(ref.Remote).short(), ref.Reason), ErrRejected, ge)
}

// pushedRefs reads git's lines "<flag>\t<from>:<to>\t<summary> (<reason>)".
func (r *repo) pushedRefs(ctx context.Context, raw []byte, j *pushJob) ([]facade.GitPushedRef, error) {
	refs := []facade.GitPushedRef{}
	for line := range strings.Lines(string(raw)) {
		f := strings.SplitN(strings.TrimRight(line, "\n"), "\t", 3)
		if len(f) != 3 || len(f[0]) != 1 {
			continue
		}
		local, remote, _ := strings.Cut(f[1], ":")
		p := facade.GitPushedRef{Local: shown([]byte(local)), Remote: shown([]byte(remote)), New: string(j.id)}
		switch f[0] {
		case " ":
			p.Status = "ok"
		case "+":
			p.Status = "forced"
		case "*":
			p.Status = "new"
		case "=":
			p.Status, p.Old = "up_to_date", p.New
		default:
			p.Status, p.Reason = "rejected", r.pushReason(f[2])
		}
		if p.Status == "ok" || p.Status == "forced" {
			old, err := r.tryResolve(ctx, f[2][:max(0, strings.Index(f[2], ".."))])
			if err != nil && facade.CodeOf(err) != facade.CodeInvalidArgument {
				return nil, err
			}
			p.Old = string(old)
		}
		refs = append(refs, p)
	}
	return refs, nil
}

// pushReason reads "[rejected] (fetch first)".
func (r *repo) pushReason(summary string) string {
	kind, reason, _ := strings.Cut(summary, "] ")
	reason = strings.TrimSuffix(strings.TrimPrefix(reason, "("), ")")
	if kind == "[rejected" {
		switch reason {
		case "non-fast-forward":
			return "non_fast_forward"
		case "fetch first", "needs force":
			return "fetch_first"
		case "stale info", "remote ref updated since checkout":
			return "stale"
		}
	}
	return r.mask.clean(reason)
}
