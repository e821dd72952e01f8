package gitimpl

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Conflicts implements [facade.GitConflictLister].
func (x *Extended) Conflicts(ctx context.Context, in facade.GitConflictsInput) (facade.GitConflictsOutput, error) {
	in = facade.Defaulted(in)
	r, err := x.open(ctx, in.RepoPath, false)
	if err != nil {
		return facade.GitConflictsOutput{}, err
	}
	defer r.close()
	paths, err := r.pathList("files", in.Files)
	if err != nil {
		return facade.GitConflictsOutput{}, err
	}
	if in.Ref != "" {
		return r.foresee(ctx, in.Ref, paths)
	}
	out := facade.GitConflictsOutput{Operation: r.operation()}
	out.Conflicts, out.Hidden, err = r.conflicts(ctx, paths, gitrule.NewRoom(ctx, gitrule.MostRoom))
	return out, err
}

// foresee merges in memory. The objects that come of it go to a private
// directory that is removed at once, so that looking changes nothing.
func (r *repo) foresee(ctx context.Context, ref string, paths []relPath) (facade.GitConflictsOutput, error) {
	ids, err := r.resolve(ctx, "ref", "HEAD", ref)
	if err != nil {
		return facade.GitConflictsOutput{}, err
	}
	base, err := r.g.temp.get()
	if err != nil {
		return facade.GitConflictsOutput{}, err
	}
	dir, err := os.MkdirTemp(base, "objects-")
	if err != nil {
		return facade.GitConflictsOutput{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	p := mergeParser{}
	err = r.git("merge-tree", "--write-tree", "-z", "--messages").oids(ids...).
		with("GIT_OBJECT_DIRECTORY="+dir, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+strconv.Quote(filepath.Join(r.common, "objects"))).
		stream(ctx, p.parse)
	if err != nil && !exitedWith1(err) {
		return facade.GitConflictsOutput{}, r.explain(err)
	}
	out := facade.GitConflictsOutput{Operation: "foreseen", Messages: p.messages}
	var list []facade.GitConflict
	for _, c := range p.conflicts.finish() {
		if len(paths) == 0 || covered(relPath(decode(c.Path)), paths) {
			list = append(list, c)
		}
	}
	out.Conflicts, out.Hidden = gitrule.Fit(gitrule.NewRoom(ctx, gitrule.MostRoom), list)
	return out, nil
}

// covered reports whether p is one of paths or below one.
func covered(p relPath, paths []relPath) bool {
	for _, dir := range paths {
		if dir == "." || p == dir || len(p) > len(dir) && p[:len(dir)] == dir && p[len(dir)] == '/' {
			return true
		}
	}
	return false
}

// mergeParser reads git merge-tree -z: a tree, the versions of conflicting
// files, an empty field, then messages.
type mergeParser struct {
	conflicts conflictParser
	messages  []string
}

func (p *mergeParser) parse(r *bufio.Reader) error {
	if _, err := field(r); err != nil {
		return errField
	}
	for {
		item, err := field(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(item) == 0 {
			return p.words(r)
		}
		if err := p.conflicts.record(item); err != nil {
			return err
		}
	}
}

// words reads messages: the number of paths, the paths, a kind and the text.
func (p *mergeParser) words(r *bufio.Reader) error {
	const most = 50
	for {
		count, err := field(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(string(count))
		if err != nil || n < 0 {
			return errField
		}
		var item []byte
		for range n + 2 {
			if item, err = field(r); err != nil {
				return errField
			}
		}
		if text := gitrule.Text(item); len(p.messages) < most && text != "" {
			p.messages = append(p.messages, oneLine(text))
		}
	}
}

func oneLine(s string) string {
	if n := len(s); n > 0 && s[n-1] == '\n' {
		return s[:n-1]
	}
	return s
}
