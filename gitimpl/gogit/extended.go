package gogit

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Show implements [facade.GitInspector].
func (x *Extended) Show(ctx context.Context, in facade.GitShowInput) (facade.GitShowOutput, error) {
	in = facade.Defaulted(in)
	out := facade.GitShowOutput{}
	r, err := x.open(ctx, in.RepoPath, false)
	if err != nil {
		return out, err
	}
	defer r.close()
	c, err := r.resolve(ctx, "ref", in.Ref)
	if err != nil {
		return out, err
	}
	names, err := r.decorations()
	if err != nil {
		return out, err
	}
	if out.Commit, err = r.info(c, names, false); err != nil {
		return facade.GitShowOutput{}, err
	}
	if in.Path != "" {
		out.File, err = r.fileAt(c, in.Path, gitrule.PatchRoom(ctx, in.MaxBytes))
		return out, err
	}
	paths, err := r.pathList("files", in.Files)
	if err != nil {
		return facade.GitShowOutput{}, err
	}
	d := r.differ(paths)
	d.context, d.output, d.patchRoom, d.room = *in.Context, in.Output, gitrule.PatchRoom(ctx, in.MaxBytes), gitrule.NewRoom(ctx, gitrule.HalfRoom)
	var parent plumbing.Hash
	if len(c.ParentHashes) > 0 {
		parent = c.ParentHashes[0]
	}
	diff, err := d.between(ctx, parent, c.Hash)
	out.Diff = &diff
	return out, err
}

// fileAt reads a file as a commit has it.
func (r *repo) fileAt(c *object.Commit, text string, limit int) (*facade.GitFileAt, error) {
	name, err := r.path("path", text)
	if err != nil {
		return nil, err
	}
	tree, err := c.Tree()
	if err != nil {
		return nil, broken(err)
	}
	e, err := tree.FindEntry(name)
	if err != nil {
		return nil, fail(facade.CodeNotFound, gitimpl.ErrPathNotFound, "the commit has no file '%s'", shown(name)).WithPath(shown(name))
	}
	if !e.Mode.IsFile() {
		return nil, facade.Errorf(facade.CodeIsDirectory, "'%s' is no file in the commit", shown(name)).WithPath(shown(name))
	}
	b, err := object.GetBlob(r.store, e.Hash)
	if err != nil {
		return nil, broken(err)
	}
	in, err := b.Reader()
	if err != nil {
		return nil, broken(err)
	}
	defer in.Close()
	content, err := io.ReadAll(io.LimitReader(in, int64(limit)))
	if err != nil {
		return nil, broken(err)
	}
	const sniff = 8000 // bytes in which git looks for a NUL
	f := &facade.GitFileAt{Path: shown(name), OID: e.Hash.String(), Size: b.Size, Truncated: b.Size > int64(len(content))}
	if bytes.IndexByte(content[:min(len(content), sniff)], 0) >= 0 {
		f.Binary, f.Truncated = true, false
	} else {
		f.Content = gitrule.Text(content)
	}
	return f, nil
}

// Remotes implements [facade.GitRemoteLister].
func (x *Extended) Remotes(ctx context.Context, in facade.GitRemotesInput) (facade.GitRemotesOutput, error) {
	in = facade.Defaulted(in)
	r, err := x.open(ctx, in.RepoPath, false)
	if err != nil {
		return facade.GitRemotesOutput{}, err
	}
	defer r.close()
	out := facade.GitRemotesOutput{Remotes: []facade.GitRemoteInfo{}}
	for _, name := range r.remoteNames() {
		m := facade.GitRemoteInfo{Name: shown(name)}
		a, reason := r.judge(r.config.Remotes[name].URLs[0])
		m.Usable, m.Reason = reason == "", reason
		switch {
		case a.url != nil:
			a.url.User = nil
			m.URL = a.url.String()
		case a.dir != "":
			m.URL = shown(strings.TrimSuffix(a.dir, "/.git"))
		default:
			m.URL = "an address that is not used"
		}
		out.Remotes = append(out.Remotes, m)
	}
	return out, nil
}

// Branches implements [facade.GitBrancher].
func (x *Extended) Branches(ctx context.Context, in facade.GitBranchesInput) (facade.GitBranchesOutput, error) {
	in = facade.Defaulted(in)
	r, err := x.open(ctx, in.RepoPath, false)
	if err != nil {
		return facade.GitBranchesOutput{}, err
	}
	defer r.close()
	h, err := r.head()
	if err != nil {
		return facade.GitBranchesOutput{}, err
	}
	prefixes := []string{"refs/heads/"}
	if in.IncludeRemote {
		prefixes = append(prefixes, "refs/remotes/")
	}
	refs, err := r.refs(prefixes...)
	if err != nil {
		return facade.GitBranchesOutput{}, err
	}
	var list []facade.GitBranchInfo
	for name, hash := range refs {
		b, err := r.branch(ctx, plumbing.ReferenceName(name), hash)
		if err != nil {
			return facade.GitBranchesOutput{}, err
		}
		if b != nil && strings.Contains(b.Name, in.Pattern) {
			list = append(list, *b)
		}
	}
	slices.SortFunc(list, func(a, b facade.GitBranchInfo) int {
		if c := b.Time.Compare(a.Time); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	out := facade.GitBranchesOutput{Current: h.Branch}
	shownList := list
	if in.Limit > 0 {
		shownList = list[:min(len(list), in.Limit)]
	}
	out.Branches, _ = gitrule.Fit(gitrule.NewRoom(ctx, gitrule.MostRoom), shownList)
	out.Hidden = len(list) - len(out.Branches)
	return out, nil
}

// branch describes a branch; nil when it marks no commit.
func (r *repo) branch(ctx context.Context, ref plumbing.ReferenceName, hash plumbing.Hash) (*facade.GitBranchInfo, error) {
	c, err := object.GetCommit(r.store, hash)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, broken(err)
	}
	b := &facade.GitBranchInfo{Name: shown(ref.Short()), OID: hash.String(), Remote: ref.IsRemote(), Time: c.Committer.When}
	b.Subject, _ = gitrule.SplitMessage(gitrule.Text([]byte(c.Message)))
	if !b.Remote {
		b.Upstream, err = r.upstream(ctx, ref.Short(), hash)
	}
	return b, err
}
