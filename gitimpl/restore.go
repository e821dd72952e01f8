package gitimpl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Restore implements [facade.GitWriter].
func (g *Git) Restore(ctx context.Context, in facade.GitRestoreInput) (facade.GitRestoreOutput, error) {
	in = facade.Defaulted(in)
	r, err := g.open(ctx, in.RepoPath, !in.DryRun)
	if err != nil {
		return facade.GitRestoreOutput{}, err
	}
	defer r.close()
	paths, err := r.pathList("files", in.Files)
	if err != nil {
		return facade.GitRestoreOutput{}, err
	}
	source, err := r.restoreSource(ctx, in)
	if err != nil {
		return facade.GitRestoreOutput{}, err
	}
	absent, err := r.missing(ctx, paths, false, source)
	if err != nil {
		return facade.GitRestoreOutput{}, err
	}
	if len(absent) > 0 {
		return facade.GitRestoreOutput{}, r.pathError(ctx, "files", absent)
	}
	list, err := r.overwritten(ctx, in, source, paths)
	if err != nil {
		return facade.GitRestoreOutput{}, err
	}
	return r.restore(ctx, in, source, paths, list)
}

// restoreSource resolves the commit to restore from; "" stands for the index.
func (r *repo) restoreSource(ctx context.Context, in facade.GitRestoreInput) (oid, error) {
	rev := in.Source
	if rev == "" && !in.Staged {
		return "", nil
	}
	if rev == "" {
		rev = "HEAD"
	}
	ids, err := r.resolve(ctx, "source", rev)
	if err != nil {
		if errors.Is(err, ErrUnbornHead) {
			e := fail(facade.CodeNotFound, ErrUnbornHead, "the current branch has no commits yet to restore from")
			return "", e.WithHint("unstage takes files out of the index")
		}
		return "", err
	}
	return ids[0], nil
}

// loss is a file that a restore overwrites.
type loss struct {
	name   string // as in results
	staged bool   // the index entry is overwritten, whose content is blob
	blob   string
	inTree bool // the file is overwritten
	gone   bool // the work tree has no such file now
}

// overwritten lists what differs from the source.
func (r *repo) overwritten(ctx context.Context, in facade.GitRestoreInput, source oid, paths []relPath) ([]loss, error) {
	found := map[string]*loss{}
	var order []string
	at := func(name string) *loss {
		if found[name] == nil {
			found[name] = &loss{name: name}
			order = append(order, name)
		}
		return found[name]
	}
	if in.Staged {
		err := r.differing(ctx, true, source, paths, func(name string, f [][]byte) {
			l := at(name)
			l.staged, l.blob = true, string(f[3])
		})
		if err != nil {
			return nil, err
		}
	}
	if *in.Worktree {
		err := r.differing(ctx, false, source, paths, func(name string, f [][]byte) {
			l := at(name)
			l.inTree, l.gone = true, f[4][0] == 'D'
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(order)
	list := make([]loss, len(order))
	for i, name := range order {
		list[i] = *found[name]
	}
	return list, nil
}

// differing calls fn with the name and the fields of the raw record of each
// file that differs from source.
func (r *repo) differing(ctx context.Context, cached bool, source oid, paths []relPath, fn func(string, [][]byte)) error {
	c := r.git("diff", "--raw", "--numstat", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty")
	if cached {
		c.flags("--cached")
	}
	if source != "" {
		c.oids(source)
	}
	// Files that only look different have a record and no counts.
	records := map[string][][]byte{}
	var order []string
	err := c.paths(paths).stream(ctx, func(out *bufio.Reader) error {
		for {
			item, err := field(out)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if len(item) == 0 || item[0] != ':' {
				if f := bytes.SplitN(item, []byte("\t"), 3); len(f) == 3 {
					order = append(order, shown(f[2]))
				}
				continue
			}
			f := bytes.Fields(bytes.Clone(item[1:]))
			name, err := field(out)
			if err != nil || len(f) != 5 {
				return errField
			}
			records[shown(name)] = f
		}
	})
	if err != nil {
		return r.explain(err)
	}
	for _, name := range order {
		if f, ok := records[name]; ok {
			fn(name, f)
			delete(records, name)
		}
	}
	return nil
}

// restore keeps what will be lost, then lets git overwrite it.
func (r *repo) restore(ctx context.Context, in facade.GitRestoreInput, source oid, paths []relPath, list []loss) (facade.GitRestoreOutput, error) {
	out := facade.GitRestoreOutput{Restored: []string{}, Backup: []facade.GitBackup{}, DryRun: in.DryRun}
	restored := make([]string, len(list))
	for i, l := range list {
		restored[i] = l.name
	}
	m := gitrule.NewRoom(ctx, gitrule.MostRoom)
	out.Restored, out.Hidden = gitrule.Fit(m, restored)
	if in.DryRun || len(list) == 0 {
		return out, nil
	}
	kept, err := r.backup(ctx, list)
	if err != nil {
		return facade.GitRestoreOutput{}, err
	}
	out.Backup, _ = gitrule.Fit(m, kept)
	c := r.git("restore", "--quiet", "--no-recurse-submodules")
	if in.Staged {
		c.flags("--staged")
	}
	if *in.Worktree {
		c.flags("--worktree")
	}
	if source != "" {
		c.value("--source=", string(source))
	}
	if err := c.pathsFrom(paths).run(ctx); err != nil {
		return facade.GitRestoreOutput{}, r.restoreError(ctx, err, paths)
	}
	return out, nil
}

// restoreError explains the one refusal that state shows: conflicts.
func (r *repo) restoreError(ctx context.Context, err error, paths []relPath) error {
	ge := gitError(err)
	if ge == nil || r.lockHeld(ge) {
		return r.explain(err)
	}
	conflicts, cerr := r.unmerged(ctx, paths)
	if cerr != nil {
		return cerr
	}
	if len(conflicts) == 0 {
		return r.failed(ge)
	}
	return cause(facade.Errorf(facade.CodeConflict, "%s has conflicting versions in the index", conflicts[0].Path).
		WithHint("give source=HEAD for our version, or give up the merge with merge_abort"), ErrConflict, ge)
}

// backup stores the content that will be lost as blobs.
func (r *repo) backup(ctx context.Context, list []loss) ([]facade.GitBackup, error) {
	root, err := os.OpenRoot(r.top)
	if err != nil {
		return nil, fail(facade.CodeOf(err), err, "the work tree cannot be read")
	}
	defer func() { _ = root.Close() }()
	var (
		kept  []facade.GitBackup
		files []string
	)
	for _, l := range list {
		if l.staged && l.blob != "" && len(bytes.Trim([]byte(l.blob), "0")) > 0 {
			kept = append(kept, facade.GitBackup{Path: l.name, OID: l.blob, Staged: true})
		}
		if !l.inTree || l.gone {
			continue
		}
		fi, err := root.Lstat(filepath.FromSlash(decode(l.name)))
		if err == nil && fi.IsDir() {
			e := facade.Errorf(facade.CodeIsDirectory, "'%s' is a directory now, whose files would be lost", l.name).WithPath(l.name)
			return nil, e.WithHint("move the directory away first")
		}
		if err == nil {
			files = append(files, l.name)
		}
	}
	ids, err := r.store(ctx, root, files)
	if err != nil {
		return nil, err
	}
	for i, name := range files {
		if ids[i] != "" {
			kept = append(kept, facade.GitBackup{Path: name, OID: string(ids[i])})
		}
	}
	return kept, nil
}
