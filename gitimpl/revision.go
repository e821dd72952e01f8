package gitimpl

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// resolve turns revisions into ids of commits, all in one process. Git reads
// them from standard input, where none can be taken for an option.
func (r *repo) resolve(ctx context.Context, field string, revs ...string) ([]oid, error) {
	const longest = 1 << 10
	var in strings.Builder
	for _, rev := range revs {
		if rev == "" || len(rev) > longest || strings.ContainsFunc(rev, func(c rune) bool { return c < ' ' || c == 0x7f }) {
			return nil, facade.InvalidArgument(field, "'%s' is not a revision", gitrule.Clip(rev, shownRevision))
		}
		in.WriteString(rev + "^{commit}\n")
	}
	var ids []oid
	err := r.git("cat-file", "--batch-check").input([]byte(in.String())).stream(ctx, func(out *bufio.Reader) error {
		for range revs {
			line, err := out.ReadString('\n')
			if err != nil {
				return err
			}
			id, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if !gitrule.IsOID(id) || strings.HasSuffix(rest, "missing") || strings.HasSuffix(rest, "ambiguous") {
				id = ""
			}
			ids = append(ids, oid(id))
		}
		return nil
	})
	if err != nil {
		return nil, r.explain(err)
	}
	for i, id := range ids {
		if id == "" {
			return nil, r.unknown(ctx, field, revs[i])
		}
	}
	return ids, nil
}

// shownRevision is how much of a revision an error repeats, in bytes.
const shownRevision = 100

// unknown reports a revision that names no commit.
func (r *repo) unknown(ctx context.Context, field, rev string) error {
	if rev == "HEAD" || rev == "@" {
		e := fail(facade.CodeNotFound, ErrUnbornHead, "the current branch has no commits yet")
		e.Field, e.Hint = field, "stage files and commit them first"
		return e
	}
	e := fail(facade.CodeNotFound, ErrUnknownRevision, "'%s' is no commit of this repository", gitrule.Clip(rev, shownRevision))
	e.Field, e.Hint = field, revisionHint(field, rev)
	out, err := r.git("for-each-ref", "--format=%(refname:short)", "--count=1000").output(ctx)
	if err == nil && !strings.ContainsAny(rev, ":") && !strings.Contains(rev, "..") {
		if near := facade.Nearest(rev, strings.Fields(string(out))); near != "" {
			e.Hint = "did you mean '" + near + "'?"
		}
	}
	return e
}

// tryResolve returns "" for a revision that names no commit.
func (r *repo) tryResolve(ctx context.Context, rev string) (oid, error) {
	ids, err := r.resolve(ctx, "ref", rev)
	if errors.Is(err, ErrUnbornHead) || errors.Is(err, ErrUnknownRevision) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// head tells the current commit and branch.
func (r *repo) head(ctx context.Context) (facade.GitHead, error) {
	var h facade.GitHead
	if branch, id := r.quickHead(); id != "" {
		return facade.GitHead{Branch: shown([]byte(branch)), Detached: branch == "", OID: string(id)}, nil
	}
	ref, err := r.git("symbolic-ref", "--quiet", "HEAD").line(ctx)
	switch {
	case exitedWith1(err):
		h.Detached = true
	case err != nil:
		return h, r.explain(err)
	default:
		h.Branch = refName(ref).short()
	}
	id, err := r.tryResolve(ctx, "HEAD")
	h.OID, h.Unborn = string(id), id == ""
	return h, err
}

// explain turns an error of a command into one for the model.
func (r *repo) explain(err error) error {
	if _, ok := errors.AsType[*facade.Error](err); ok || err == nil {
		return err
	}
	if ge := gitError(err); ge != nil {
		return r.failed(ge)
	}
	return err
}

// operation tells what waits to be continued or aborted.
func (r *repo) operation() string {
	for _, s := range []struct{ file, name string }{
		{"rebase-merge", "rebase"},
		{"rebase-apply/applying", "am"},
		{"rebase-apply", "rebase"},
		{"MERGE_HEAD", "merge"},
		{"CHERRY_PICK_HEAD", "cherry-pick"},
		{"REVERT_HEAD", "revert"},
		{"sequencer", "cherry-pick"},
		{"BISECT_LOG", "bisect"},
	} {
		if _, err := os.Lstat(filepath.Join(r.gitDir, filepath.FromSlash(s.file))); err != nil {
			continue
		}
		if s.file == "sequencer" && r.sequencerReverts() {
			return "revert"
		}
		return s.name
	}
	return "none"
}

// sequencerReverts tells a stopped series of reverts from one of picks.
func (r *repo) sequencerReverts() bool {
	const longest = 1 << 20
	todo, err := readRegular(filepath.Join(r.gitDir, "sequencer", "todo"), longest)
	return err == nil && strings.HasPrefix(string(todo), "revert")
}
