package gitimpl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// The versions of a file that a merge leaves in the index.
const (
	stageBase = 1 << iota
	stageOurs
	stageTheirs
)

// conflictKinds tells what happened on both sides from the versions there are.
var conflictKinds = map[int]string{
	stageBase:                           "both_deleted",
	stageOurs:                           "added_by_us",
	stageTheirs:                         "added_by_them",
	stageBase | stageOurs:               "deleted_by_them",
	stageBase | stageTheirs:             "deleted_by_us",
	stageOurs | stageTheirs:             "both_added",
	stageBase | stageOurs | stageTheirs: "both_modified",
}

// unmerged lists the files that have conflicting versions in the index.
func (r *repo) unmerged(ctx context.Context, paths []relPath) ([]facade.GitConflict, error) {
	p := conflictParser{}
	err := r.git("ls-files", "--unmerged", "-z").paths(paths).stream(ctx, p.parse)
	return p.finish(), r.explain(err)
}

// conflictParser reads "<mode> <id> <stage>\t<path>" records, which come
// sorted by path.
type conflictParser struct {
	list   []facade.GitConflict
	stages int
}

func (p *conflictParser) parse(out *bufio.Reader) error {
	for {
		item, err := field(out)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := p.record(item); err != nil {
			return err
		}
	}
}

func (p *conflictParser) record(item []byte) error {
	meta, name, ok := bytes.Cut(item, []byte("\t"))
	f := bytes.Fields(meta)
	if !ok || len(f) != 3 {
		return errField
	}
	path := shown(name)
	if n := len(p.list); n == 0 || p.list[n-1].Path != path {
		p.list = append(p.finish(), facade.GitConflict{Path: path})
		p.stages = 0
	}
	c := &p.list[len(p.list)-1]
	switch string(f[2]) {
	case "1":
		c.Base = string(f[1])
		p.stages |= stageBase
	case "2":
		c.Ours = string(f[1])
		p.stages |= stageOurs
	case "3":
		c.Theirs = string(f[1])
		p.stages |= stageTheirs
	}
	return nil
}

// finish names the kind of the last conflict and returns the list.
func (p *conflictParser) finish() []facade.GitConflict {
	if n := len(p.list); n > 0 {
		p.list[n-1].Kind = conflictKinds[p.stages]
	}
	return p.list
}

// conflicts lists unresolved files with the places to resolve in each.
func (r *repo) conflicts(ctx context.Context, paths []relPath, m *gitrule.Room) (list []facade.GitConflict, hidden int, err error) {
	list, err = r.unmerged(ctx, paths)
	if err != nil {
		return nil, 0, err
	}
	root, err := os.OpenRoot(r.top)
	if err != nil {
		return nil, 0, fail(facade.CodeOf(err), err, "the work tree cannot be read")
	}
	defer func() { _ = root.Close() }()
	for i := range list {
		list[i].Markers = markersIn(root, decode(list[i].Path))
	}
	list, hidden = gitrule.Fit(m, list)
	return list, hidden, nil
}

// markersIn finds the conflicts in a file's text. A file that cannot be read,
// or is no regular file, has none.
func markersIn(root *os.Root, name string) []facade.GitMarker {
	const (
		longest = 8 << 20
		most    = 100
	)
	f, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() || fi.Size() > longest {
		return nil
	}
	var (
		list []facade.GitMarker
		open facade.GitMarker
	)
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, longest+1)
	for n := 1; lines.Scan() && len(list) < most; n++ {
		switch line := lines.Bytes(); {
		case bytes.HasPrefix(line, []byte("<<<<<<< ")):
			open = facade.GitMarker{Start: n}
		case open.Start > 0 && open.Middle == 0 && bytes.Equal(bytes.TrimRight(line, "\r"), []byte("=======")):
			open.Middle = n
		case open.Middle > 0 && bytes.HasPrefix(line, []byte(">>>>>>> ")):
			open.End = n
			list = append(list, open)
			open = facade.GitMarker{}
		}
	}
	if lines.Err() != nil {
		return nil
	}
	return list
}
