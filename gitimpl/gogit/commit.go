package gogit

import (
	"context"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
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
	h, old, err := r.committable(ctx, in)
	if err != nil {
		return facade.GitCommitOutput{}, err
	}
	var made *object.Commit
	err = r.changing(func(s *staging) error {
		content, err := r.toCommit(ctx, s, in, paths, h)
		if err != nil {
			return err
		}
		made, err = r.record(ctx, in, content, h, old)
		return err
	})
	if err != nil {
		return facade.GitCommitOutput{}, err
	}
	return r.committed(ctx, made, h)
}

// committable checks the state before anything changes. It returns HEAD, and
// the commit that is replaced, if any.
func (r *repo) committable(ctx context.Context, in facade.GitCommitInput) (head, *object.Commit, error) {
	h, err := r.head()
	if err != nil {
		return h, nil, err
	}
	if in.ExpectedHead != "" {
		want, err := r.resolve(ctx, "expected_head", in.ExpectedHead)
		if err != nil && facade.CodeOf(err) != facade.CodeNotFound {
			return h, nil, err
		}
		if err != nil || want.Hash != h.hash {
			return h, nil, inField(fail(facade.CodeStale, gitimpl.ErrStaleHead, "HEAD is '%s' now, not %s", h.OID, in.ExpectedHead).
				WithHint("look at history, then commit with expected_head=%s", h.OID), "expected_head")
		}
	}
	if !in.Amend {
		return h, nil, nil
	}
	if h.Unborn {
		return h, nil, inField(fail(facade.CodeNotFound, gitimpl.ErrUnbornHead, "there is no commit to amend"), "amend")
	}
	old, err := object.GetCommit(r.store, h.hash)
	return h, old, or(ctx, err)
}

// toCommit stages what is asked for and returns the files of the commit. With
// paths, these are the files of HEAD and the state of the paths, whatever else
// is staged.
func (r *repo) toCommit(ctx context.Context, s *staging, in facade.GitCommitInput, paths []string, h head) (files, error) {
	if !in.StageAll && len(paths) == 0 {
		return s.tree(), s.conflictError()
	}
	var out facade.GitStageOutput
	paths, err := r.stageable(ctx, s, paths, &out)
	if err != nil {
		return nil, err
	}
	if _, err := r.stage(ctx, s, paths); err != nil {
		return nil, err
	}
	if err := s.conflictError(); err != nil || in.StageAll {
		return s.tree(), err
	}
	only, err := r.filesOf(ctx, h.hash)
	if err != nil {
		return nil, err
	}
	staged := s.tree()
	for _, name := range staged.changed(only) {
		if !covered(name, paths) {
			continue
		}
		if b, ok := staged[name]; ok {
			only[name] = b
		} else {
			delete(only, name)
		}
	}
	return only, nil
}

// record makes the commit and moves the branch.
func (r *repo) record(ctx context.Context, in facade.GitCommitInput, content files, h head, old *object.Commit) (*object.Commit, error) {
	before, err := r.filesOf(ctx, h.hash)
	if err != nil {
		return nil, err
	}
	if old == nil && !in.AllowEmpty && len(content.changed(before)) == 0 {
		return nil, fail(facade.CodeInvalidArgument, gitimpl.ErrNothingToCommit, "nothing to commit: nothing is staged").
			WithHint("stage files first, or give files or stage_all=true")
	}
	committer, err := r.identity()
	if err != nil {
		return nil, err
	}
	tree, err := build(r.store, content)
	if err != nil {
		return nil, broken(err)
	}
	c := &object.Commit{Author: committer, Committer: committer, Message: in.Message, TreeHash: tree}
	if !strings.HasSuffix(c.Message, "\n") {
		c.Message += "\n"
	}
	switch {
	case old != nil:
		c.ParentHashes, c.Author = old.ParentHashes, old.Author
	case !h.Unborn:
		c.ParentHashes = []plumbing.Hash{h.hash}
	}
	if in.Author != "" {
		name, email, _ := strings.Cut(strings.TrimSuffix(in.Author, ">"), "<")
		c.Author.Name, c.Author.Email = strings.TrimSpace(name), email
	}
	obj := r.store.NewEncodedObject()
	if err := c.Encode(obj); err != nil {
		return nil, broken(err)
	}
	hash, err := r.store.SetEncodedObject(obj)
	if err != nil {
		return nil, broken(err)
	}
	if err := r.move(h.ref, h.hash, hash); err != nil {
		return nil, err
	}
	made, err := object.GetCommit(r.store, hash)
	return made, or(ctx, err)
}

// identity is who commits.
func (r *repo) identity() (object.Signature, error) {
	s := object.Signature{Name: r.config.User.Name, Email: r.config.User.Email, When: time.Now()}
	if id := r.g.opts.Identity; id != nil {
		s.Name, s.Email = id.Name, id.Email
	}
	if s.Name == "" || s.Email == "" {
		return s, fail(facade.CodeUnavailable, gitimpl.ErrUnknownIdentity, "git does not know who commits").
			WithHint("set user.name and user.email in the repository's configuration, or let the host give an identity")
	}
	s.Name, s.Email = plain.Replace(s.Name), plain.Replace(s.Email)
	return s, nil
}

// plain takes out what would end a name in a commit.
var plain = strings.NewReplacer("\n", " ", "\r", " ", "\x00", "", "<", "", ">", "")

// committed describes a commit that was just made.
func (r *repo) committed(ctx context.Context, c *object.Commit, h head) (facade.GitCommitOutput, error) {
	out := facade.GitCommitOutput{OID: c.Hash.String(), Parents: []string{}, Branch: h.Branch}
	out.Subject, _ = gitrule.SplitMessage(gitrule.Text([]byte(c.Message)))
	for _, p := range c.ParentHashes {
		out.Parents = append(out.Parents, p.String())
	}
	var parent plumbing.Hash
	if len(c.ParentHashes) > 0 {
		parent = c.ParentHashes[0]
	}
	var err error
	out.Files, out.Hidden, err = r.changesBetween(ctx, parent, c.Hash, gitrule.NewRoom(ctx, gitrule.MostRoom))
	return out, err
}
