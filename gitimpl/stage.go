package gitimpl

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Stage implements [facade.GitWriter].
func (g *Git) Stage(ctx context.Context, in facade.GitStageInput) (facade.GitStageOutput, error) {
	in = facade.Defaulted(in)
	r, err := g.open(ctx, in.RepoPath, true)
	if err != nil {
		return facade.GitStageOutput{}, err
	}
	defer r.close()
	paths, err := r.pathList("files", in.Files)
	if err != nil {
		return facade.GitStageOutput{}, err
	}
	return r.stage(ctx, paths)
}

// stage puts paths into the index, or everything when there are none.
func (r *repo) stage(ctx context.Context, paths []relPath) (facade.GitStageOutput, error) {
	out := facade.GitStageOutput{Staged: []string{}, Ignored: []string{}, Missing: []string{}}
	paths, err := r.stageable(ctx, paths, &out)
	if err != nil {
		return out, err
	}
	before, err := r.stagedNow(ctx, paths)
	if err != nil {
		return facade.GitStageOutput{}, err
	}
	c := r.git("add", "--all")
	if len(paths) > 0 {
		c.pathsFrom(paths)
	}
	if err := c.run(ctx); err != nil {
		return facade.GitStageOutput{}, r.explain(err)
	}
	after, err := r.stagedNow(ctx, paths)
	if err != nil {
		return facade.GitStageOutput{}, err
	}
	changed := after.changedSince(before)
	if out.Unfiltered, err = r.unfiltered(ctx, changed); err != nil {
		return out, err
	}
	out.Staged, out.Hidden = gitrule.Fit(gitrule.NewRoom(ctx, gitrule.HalfRoom), changed)
	return out, nil
}

// stageable checks paths before anything changes. It notes in out those that
// do not exist, which is an error, and leaves out those that are ignored.
func (r *repo) stageable(ctx context.Context, paths []relPath, out *facade.GitStageOutput) ([]relPath, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	absent, err := r.missing(ctx, paths, true, "")
	if err != nil {
		return nil, err
	}
	if len(absent) > 0 {
		out.Missing = encodeAll(absent)
		return nil, r.pathError(ctx, "files", absent)
	}
	ignored, err := r.ignored(ctx, paths)
	if err != nil {
		return nil, err
	}
	out.Ignored = append(out.Ignored, encodeAll(ignored)...)
	paths = slices.DeleteFunc(slices.Clone(paths), func(p relPath) bool { return slices.Contains(ignored, p) })
	if len(paths) == 0 {
		e := facade.InvalidArgument("files", "ignore rules exclude every one of the files: %s", strings.Join(out.Ignored, ", "))
		return nil, e.WithHint("change .gitignore if they belong into the repository")
	}
	return paths, nil
}

// ignored picks the paths that ignore rules exclude. Tracked files are never
// ignored. This command does not know literal paths, but it expands no
// patterns either; "./" keeps a leading colon from being magic.
func (r *repo) ignored(ctx context.Context, paths []relPath) ([]relPath, error) {
	dotted := make([]relPath, len(paths))
	for i, p := range paths {
		dotted[i] = "./" + p
	}
	out, err := r.git("check-ignore", "--stdin", "-z").with("GIT_LITERAL_PATHSPECS=0").input(nulJoined(dotted)).output(ctx)
	if err != nil && !exitedWith1(err) {
		return nil, r.explain(err)
	}
	var list []relPath
	out = append([]byte{0}, out...)
	for i, p := range paths {
		if bytes.Contains(out, []byte("\x00"+string(dotted[i])+"\x00")) {
			list = append(list, p)
		}
	}
	return list, nil
}

// unfiltered picks the paths whose attributes name a filter that an untrusted
// repository does not get.
func (r *repo) unfiltered(ctx context.Context, changed []string) ([]string, error) {
	if r.g.opts.Trust == TrustConfig || len(changed) == 0 {
		return nil, nil
	}
	paths := make([]relPath, len(changed))
	for i, name := range changed {
		paths[i] = relPath(decode(name))
	}
	out, err := r.git("check-attr", "--stdin", "-z", "filter").input(nulJoined(paths)).output(ctx)
	if err != nil {
		return nil, r.explain(err)
	}
	var list []string
	const fields = 3 // path, attribute, value
	all := names(out)
	for i := 0; i+fields <= len(all); i += fields {
		if v := all[i+2]; v != "unspecified" && v != "unset" && v != "set" {
			list = append(list, all[i])
		}
	}
	const most = 50
	return list[:min(len(list), most)], nil
}

// Unstage implements [facade.GitWriter].
func (g *Git) Unstage(ctx context.Context, in facade.GitUnstageInput) (facade.GitUnstageOutput, error) {
	in = facade.Defaulted(in)
	out := facade.GitUnstageOutput{Unstaged: []string{}, Missing: []string{}}
	r, err := g.open(ctx, in.RepoPath, true)
	if err != nil {
		return facade.GitUnstageOutput{}, err
	}
	defer r.close()
	paths, err := r.pathList("files", in.Files)
	if err != nil {
		return facade.GitUnstageOutput{}, err
	}
	if len(paths) == 0 {
		paths = []relPath{"."}
	}
	head, err := r.tryResolve(ctx, "HEAD")
	if err != nil {
		return facade.GitUnstageOutput{}, err
	}
	absent, err := r.missing(ctx, paths, false, head)
	if err != nil {
		return facade.GitUnstageOutput{}, err
	}
	if len(absent) > 0 {
		out.Missing = encodeAll(absent)
		return out, r.pathError(ctx, "files", absent)
	}
	changed, err := r.reset(ctx, paths)
	if err != nil {
		return facade.GitUnstageOutput{}, err
	}
	out.Unstaged, out.Hidden = gitrule.Fit(gitrule.NewRoom(ctx, gitrule.MostRoom), changed)
	return out, nil
}

// reset sets index entries back to HEAD and tells which changed. Paths are
// always given: without them reset would also forget a merge in progress.
func (r *repo) reset(ctx context.Context, paths []relPath) ([]string, error) {
	before, err := r.stagedNow(ctx, paths)
	if err != nil {
		return nil, err
	}
	if err := r.git("reset", "--quiet").pathsFrom(paths).run(ctx); err != nil {
		return nil, r.explain(err)
	}
	after, err := r.stagedNow(ctx, paths)
	if err != nil {
		return nil, err
	}
	return after.changedSince(before), nil
}
