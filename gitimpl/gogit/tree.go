package gogit

import (
	"context"
	"errors"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// blob is a file of a tree: what it is and where its content is.
type blob struct {
	mode filemode.FileMode
	hash plumbing.Hash
}

// files are the files of a tree or of the index by their paths, submodules
// included.
type files map[string]blob

// filesOf lists the files of a commit; the zero hash has none.
func (r *repo) filesOf(ctx context.Context, commit plumbing.Hash) (files, error) {
	out := files{}
	if commit.IsZero() {
		return out, nil
	}
	c, err := object.GetCommit(r.store, commit)
	if err != nil {
		return nil, broken(err)
	}
	tree, err := c.Tree()
	if err != nil {
		return nil, broken(err)
	}
	w := object.NewTreeWalker(tree, true, nil)
	w.SkipPathValidation() // names are judged when a file is written
	defer w.Close()
	for {
		name, e, err := w.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil || ctx.Err() != nil {
			return nil, or(ctx, err)
		}
		if e.Mode != filemode.Dir {
			out[name] = blob{mode: canonical(e.Mode), hash: e.Hash}
		}
	}
}

// canonical reduces a mode to those that git makes.
func canonical(m filemode.FileMode) filemode.FileMode {
	if m == filemode.Deprecated {
		return filemode.Regular
	}
	return m
}

// build stores files as tree objects and returns the top one.
func build(to storer.EncodedObjectStorer, f files) (plumbing.Hash, error) {
	names := make([]string, 0, len(f))
	for name := range f {
		names = append(names, name)
	}
	slices.Sort(names)
	return buildDir(to, f, names, "")
}

// buildDir stores the tree of the names, which are sorted and start with
// prefix.
func buildDir(to storer.EncodedObjectStorer, f files, names []string, prefix string) (plumbing.Hash, error) {
	var tree object.Tree
	for i := 0; i < len(names); {
		base, rest, deeper := strings.Cut(names[i][len(prefix):], "/")
		if !deeper {
			b := f[names[i]]
			tree.Entries = append(tree.Entries, object.TreeEntry{Name: base, Mode: b.mode, Hash: b.hash})
			i++
			continue
		}
		dir := names[i][:len(names[i])-len(rest)]
		end := i
		for end < len(names) && strings.HasPrefix(names[end], dir) {
			end++
		}
		hash, err := buildDir(to, f, names[i:end], dir)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		tree.Entries = append(tree.Entries, object.TreeEntry{Name: base, Mode: filemode.Dir, Hash: hash})
		i = end
	}
	sort.Sort(object.TreeEntrySorter(tree.Entries))
	obj := to.NewEncodedObject()
	if err := tree.Encode(obj); err != nil {
		return plumbing.ZeroHash, err
	}
	return to.SetEncodedObject(obj)
}

// changed lists the paths whose files differ, in order.
func (f files) changed(from files) []string {
	var list []string
	for name, b := range f {
		if from[name] != b {
			list = append(list, name)
		}
	}
	for name := range from {
		if _, ok := f[name]; !ok {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// has reports whether there is a file of that path or below it.
func (f files) has(path string) bool {
	if _, ok := f[path]; ok || path == "." {
		return true
	}
	for name := range f {
		if strings.HasPrefix(name, path+"/") {
			return true
		}
	}
	return false
}
