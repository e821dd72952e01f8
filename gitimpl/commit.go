package gitimpl

import (
	"context"
	"errors"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Commit implements [facade.GitWriter].
func (g *Git) Commit(ctx context.Context, in facade.GitCommitInput) (facade.GitCommitOutput, error) {
	in = facade.Defaulted(in)
	r, err := g.open(ctx, in.RepoPath, true)
	if err != nil {
		return facade.GitCommitOutput{}, err
	}
	defer r.close()
	paths, err := r.pathList("files", in.Files)
	if err != nil {
		return facade.GitCommitOutput{}, err
	}
	before, err := r.committable(ctx, in)
	if err != nil {
		return facade.GitCommitOutput{}, err
	}
	if g.commit != nil {
		return r.commitByScript(ctx, in, paths, before)
	}
	if err := r.commitNative(ctx, in, paths); err != nil {
		return facade.GitCommitOutput{}, err
	}
	return r.committed(ctx, before)
}

// committable checks the state before anything changes, and returns HEAD.
func (r *repo) committable(ctx context.Context, in facade.GitCommitInput) (facade.GitHead, error) {
	head, err := r.head(ctx)
	if err != nil {
		return head, err
	}
	if in.ExpectedHead != "" {
		want, err := r.resolve(ctx, "expected_head", in.ExpectedHead)
		if err != nil && !isNotFound(err) {
			return head, err
		}
		if err != nil || string(want[0]) != head.OID {
			e := fail(facade.CodeStale, ErrStaleHead, "HEAD is %s now, not %s", orNone(head.OID), in.ExpectedHead).
				WithHint("look at history, then commit with expected_head=%s", head.OID)
			e.Field = "expected_head"
			return head, e
		}
	}
	if in.Amend && head.Unborn {
		e := fail(facade.CodeNotFound, ErrUnbornHead, "there is no commit to amend")
		e.Field = "amend"
		return head, e
	}
	return head, nil
}

func orNone(id string) string {
	if id == "" {
		return "without commits"
	}
	return id
}

// commitNative stages what is asked for and commits. After a failure the index
// is as before.
func (r *repo) commitNative(ctx context.Context, in facade.GitCommitInput, paths []relPath) (err error) {
	if in.StageAll || len(paths) > 0 {
		restore, serr := r.snapshot()
		if serr != nil {
			return serr
		}
		defer func() {
			if err == nil {
				return
			}
			if rerr := restore(); rerr != nil {
				err = errors.Join(err, rerr)
			}
		}()
		if paths, err = r.stageFor(ctx, paths); err != nil {
			return err
		}
	}
	message := in.Message
	if !strings.HasSuffix(message, "\n") {
		message += "\n"
	}
	file, remove, err := r.g.temp.file("message", message)
	if err != nil {
		return err
	}
	defer remove()
	c := r.git("commit", "--quiet", "--cleanup=verbatim", "--no-status", "--no-edit").value("--file=", file)
	for _, f := range []struct {
		on   bool
		flag lit
	}{{in.Amend, "--amend"}, {in.AllowEmpty, "--allow-empty"}, {r.g.opts.Trust == Untrusted, "--no-gpg-sign"}} {
		if f.on {
			c.flags(f.flag)
		}
	}
	if in.Author != "" {
		c.value("--author=", in.Author)
	}
	if len(paths) > 0 {
		c.flags("--only").pathsFrom(paths)
	}
	err = c.run(ctx)
	if ge := gitError(err); ge != nil && ge.ExitCode == 1 && in.Amend && r.likeParent(ctx) {
		return cause(facade.Errorf(facade.CodeInvalidArgument, "amended so, the commit would change nothing").
			WithHint("set allow_empty to keep it nevertheless"), ErrNothingToCommit, ge)
	}
	return r.commitError(ctx, err)
}

// likeParent reports whether the index is as the parent of HEAD.
func (r *repo) likeParent(ctx context.Context) bool {
	c := r.git("diff", "--cached", "--quiet", "--no-ext-diff", "--ignore-submodules=dirty")
	return c.revs([]revArg{"HEAD~1"}).run(ctx) == nil
}

// stageFor makes paths known to the index, as --only wants them, or stages
// everything when there are none.
func (r *repo) stageFor(ctx context.Context, paths []relPath) ([]relPath, error) {
	var out facade.GitStageOutput
	paths, err := r.stageable(ctx, paths, &out)
	if err != nil {
		return nil, err
	}
	c := r.git("add", "--all")
	if len(paths) > 0 {
		c.pathsFrom(paths)
	}
	return paths, r.explain(c.run(ctx))
}

// commitError finds out from the state why a commit failed.
func (r *repo) commitError(ctx context.Context, err error) error {
	ge := gitError(err)
	if ge == nil || r.lockHeld(ge) {
		return r.explain(err)
	}
	conflicts, cerr := r.unmerged(ctx, nil)
	switch {
	case cerr != nil:
		return cerr
	case len(conflicts) > 0:
		return cause(facade.Errorf(facade.CodeConflict, "%d file(s) still have conflicts, as %s", len(conflicts), conflicts[0].Path).
			WithHint("resolve them and stage them, or give up with merge_abort"), ErrConflict, ge)
	}
	if verr := r.git("var", "GIT_COMMITTER_IDENT").run(ctx); gitError(verr) != nil {
		r.g.user.forget()
		return cause(facade.Errorf(facade.CodeUnavailable, "git does not know who commits").
			WithHint("set user.name and user.email in git's configuration, or let the host give an identity"), ErrUnknownIdentity, ge)
	}
	if serr := r.git("diff", "--cached", "--quiet", "--no-ext-diff", "--ignore-submodules=dirty").run(ctx); serr == nil && ge.ExitCode == 1 {
		return cause(facade.Errorf(facade.CodeInvalidArgument, "nothing to commit: the index is the same as HEAD").
			WithHint("stage files first, give 'files' or stage_all, or set allow_empty"), ErrNothingToCommit, ge)
	}
	if r.operation() != "none" {
		return cause(facade.Errorf(facade.CodeConflict, "a %s is in progress: %s", r.operation(), lastLine(ge.Stderr)).
			WithHint("commit everything that is staged, without 'files' and 'amend'"), ErrConflict, ge)
	}
	return r.failed(ge)
}

// committed describes the commit that HEAD is now.
func (r *repo) committed(ctx context.Context, before facade.GitHead) (facade.GitCommitOutput, error) {
	info, err := r.commitAt(ctx, "HEAD")
	if err != nil {
		return facade.GitCommitOutput{}, err
	}
	out := facade.GitCommitOutput{OID: info.OID, Parents: info.Parents, Branch: before.Branch, Subject: info.Subject}
	parent := oid("")
	if len(info.Parents) > 0 {
		parent = oid(info.Parents[0])
	} else {
		out.Parents = []string{}
	}
	out.Files, out.Hidden, err = r.changesBetween(ctx, parent, oid(info.OID), gitrule.NewRoom(ctx, gitrule.HalfRoom))
	return out, err
}

// commitAt describes one commit.
func (r *repo) commitAt(ctx context.Context, id oid) (facade.GitCommitInfo, error) {
	p := logParser{room: gitrule.NewRoom(ctx, gitrule.HalfRoom), limit: 1}
	err := r.git("log", logFormat, "-z", "--max-count=1", "--no-patch", "--no-notes", "--no-color", "--no-mailmap", "--no-show-signature", "--decorate=short").
		oids(id).paths(nil).stream(ctx, p.parse)
	if err != nil {
		return facade.GitCommitInfo{}, r.explain(err)
	}
	if len(p.commits) == 0 {
		return facade.GitCommitInfo{}, errField
	}
	return p.commits[0], nil
}
