package gitimpl

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Stash implements [facade.GitStasher].
func (x *Extended) Stash(ctx context.Context, in facade.GitStashInput) (facade.GitStashOutput, error) {
	in = facade.Defaulted(in)
	r, err := x.open(ctx, in.RepoPath, in.Operation != "list")
	if err != nil {
		return facade.GitStashOutput{}, err
	}
	defer r.close()
	out := facade.GitStashOutput{}
	entries, err := r.stashes(ctx)
	if err != nil {
		return out, err
	}
	switch in.Operation {
	case "list":
		out.Entries = entries
		return out, nil
	case "push":
		err = r.stashPush(ctx, in, &out)
	default:
		if in.Entry >= len(entries) {
			e := fail(facade.CodeNotFound, ErrUnknownRevision, "the stash has %d entries; there is no entry %d", len(entries), in.Entry)
			e.Field, e.Hint = "entry", "operation=list tells what there is"
			return facade.GitStashOutput{}, e
		}
		err = r.stashEntry(ctx, in, oid(entries[in.Entry].OID), &out)
	}
	if err != nil && len(out.Conflicts) == 0 {
		return facade.GitStashOutput{}, err
	}
	after, lerr := r.stashes(ctx)
	out.Entries = after
	out.Did(in.Operation)
	return out, errors.Join(err, lerr)
}

// stashes lists the entries, the latest first.
func (r *repo) stashes(ctx context.Context) ([]facade.GitStashEntry, error) {
	list := []facade.GitStashEntry{}
	latest, err := r.tryResolve(ctx, "refs/stash")
	if err != nil || latest == "" {
		return list, err
	}
	c := r.git("log", "--walk-reflogs", "-z", "--format=%H%x00%gs%x00%cI", "--no-color", "--no-show-signature", "--no-notes", "--no-patch", "refs/stash", "--")
	err = c.stream(ctx, func(out *bufio.Reader) error {
		m := gitrule.NewRoom(ctx, gitrule.HalfRoom)
		for {
			var f [3]string
			for i := range f {
				raw, err := field(out)
				if errors.Is(err, io.EOF) && i == 0 {
					return nil
				}
				if err != nil {
					return errField
				}
				f[i] = gitrule.Text(raw)
			}
			e := facade.GitStashEntry{Entry: len(list), OID: f[0], Message: f[1]}
			e.Time, _ = time.Parse(time.RFC3339, f[2])
			if !m.Take(e) {
				return errEnough
			}
			list = append(list, e)
		}
	})
	return list, r.explain(err)
}

// stashPush puts changes aside.
func (r *repo) stashPush(ctx context.Context, in facade.GitStashInput, out *facade.GitStashOutput) error {
	paths, err := r.pathList("files", in.Files)
	if err != nil {
		return err
	}
	absent, err := r.missing(ctx, paths, in.IncludeUntracked, "")
	if err != nil {
		return err
	}
	if len(absent) > 0 {
		return r.pathError(ctx, "files", absent)
	}
	before, err := r.tryResolve(ctx, "refs/stash")
	if err != nil {
		return err
	}
	c := r.git("stash", "push", "--quiet", "--no-keep-index")
	if in.Message != "" {
		c.value("--message=", strings.Join(strings.Fields(in.Message), " "))
	}
	if in.IncludeUntracked {
		c.flags("--include-untracked")
	}
	if len(paths) > 0 {
		c.pathsFrom(paths)
	}
	if err := c.run(ctx); err != nil {
		return r.commitError(ctx, err)
	}
	after, err := r.tryResolve(ctx, "refs/stash")
	if err != nil {
		return err
	}
	if after == before {
		return fail(facade.CodeInvalidArgument, ErrNothingToCommit, "nothing to put aside: no tracked file differs").
			WithHint("include_untracked=true puts new files aside too")
	}
	return r.stashFiles(ctx, after, out)
}

// stashFiles lists the files of an entry: those that differ from the commit it
// was made on, and those of its third parent, which holds untracked ones.
func (r *repo) stashFiles(ctx context.Context, entry oid, out *facade.GitStashOutput) error {
	info, err := r.commitAt(ctx, entry)
	if err != nil {
		return err
	}
	const untrackedParent = 2
	if len(info.Parents) == 0 {
		return errField
	}
	m := gitrule.NewRoom(ctx, gitrule.HalfRoom)
	changed, _, err := r.changesBetween(ctx, oid(info.Parents[0]), entry, m)
	if err != nil {
		return err
	}
	for _, f := range changed {
		out.Files = append(out.Files, f.Path)
	}
	if len(info.Parents) > untrackedParent {
		raw, err := r.git("ls-tree", "-r", "-z", "--name-only", "--full-tree").oids(oid(info.Parents[untrackedParent])).output(ctx)
		if err != nil {
			return r.explain(err)
		}
		more, _ := gitrule.Fit(m, names(raw))
		out.Files = append(out.Files, more...)
	}
	return nil
}

// stashEntry brings an entry back, or drops it.
func (r *repo) stashEntry(ctx context.Context, in facade.GitStashInput, entry oid, out *facade.GitStashOutput) error {
	if err := r.stashFiles(ctx, entry, out); err != nil {
		return err
	}
	verbs := map[string]lit{"apply": "apply", "pop": "pop", "drop": "drop"}
	c := r.git("stash", verbs[in.Operation], "--quiet")
	c.args = append(c.args, "stash@{"+strconv.Itoa(in.Entry)+"}")
	err := c.run(ctx)
	ge := gitError(err)
	if ge == nil {
		return err
	}
	var cerr error
	if out.Conflicts, _, cerr = r.conflicts(ctx, nil, gitrule.NewRoom(ctx, gitrule.HalfRoom)); cerr != nil {
		return cerr
	}
	if len(out.Conflicts) > 0 {
		return cause(facade.Errorf(facade.CodeConflict, "bringing the changes back conflicts in %d file(s)", len(out.Conflicts)).
			WithHint("resolve and stage them; the entry is still in the stash"), ErrConflict, ge)
	}
	return r.overwriteError(ctx, ge)
}
