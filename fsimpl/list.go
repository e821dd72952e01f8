package fsimpl

import (
	"context"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/walk"
	"github.com/toolfacade/toolfacade/fsimpl/rootfs"
)

// List implements [facade.FileReader].
func (f *Files) List(ctx context.Context, in facade.ListInput) (facade.ListOutput, error) {
	in = facade.Defaulted(in)
	in.Recursive = in.Recursive || in.Depth > 1
	dir, err := f.directory(ctx, in.Path)
	if err != nil {
		return facade.ListOutput{}, err
	}
	var patterns []string
	if in.Pattern != "" {
		patterns = []string{in.Pattern}
	}
	opt, err := walkOptions("pattern", patterns, nil, true, in.Recursive, in.IncludeIgnored)
	if err != nil {
		return facade.ListOutput{}, err
	}
	if in.Recursive {
		opt.Depth = in.Depth
	} else {
		opt.Git = true  // a page of one directory shows what is there
		opt.Workers = 1 // there is nothing to share
	}
	after, err := parseCursor(in.Cursor, in.Sort)
	if err != nil {
		return facade.ListOutput{}, err
	}
	p := &lister{in: in, after: after, room: facade.Budget(ctx) - replyOverhead}
	p.out = facade.ListOutput{Path: shown(dir), Entries: []facade.Entry{}}
	if in.Sort == "name" {
		err = f.listByName(ctx, dir, opt, p)
	} else {
		err = f.listSorted(ctx, dir, opt, p)
	}
	return p.out, f.failure("list", dir, err)
}

// directory resolves a path that has to be a directory.
func (f *Files) directory(ctx context.Context, p string) (string, error) {
	t, err := f.present(ctx, p)
	if err != nil {
		return "", err
	}
	name, err := f.canonical(t.name, true)
	if err != nil {
		return "", err
	}
	info, err := f.tree.stat(name)
	if err != nil {
		return "", f.failure("list", name, err)
	}
	if !info.IsDir() {
		return "", facade.Errorf(facade.CodeNotDirectory, "'%s' is not a directory", named(name)).WithPath(shown(name)).
			WithHint("use info or read for a file")
	}
	return name, nil
}

// each walks the entries below a directory in order. An entry is described when
// info is called; nil stands for one that is gone.
func (f *Files) each(
	ctx context.Context, dir string, opt walk.Options, yield func(name string, e *walk.Entry, info func() *walk.Info) bool,
) (walk.Stats, error) {
	if opt.From != "" {
		opt.From = f.tree.at(opt.From)
	}
	return walk.EachBatch(ctx, f.tree.walkable(), f.tree.at(dir), &opt, func(b *walk.Batch) bool {
		var e *walk.Entry
		info := func() *walk.Info { return b.Stat(e) }
		for i := range b.Entries {
			e = &b.Entries[i]
			if !yield(f.rooted(e.Path()), e, info) {
				return false
			}
		}
		return true
	})
}

// handles shows the walker the handles of a confined directory.
type handles struct{ *rootfs.FS }

var (
	_ walk.DirOpener     = handles{}
	_ walk.RegularOpener = handles{}
)

// OpenDir implements [walk.DirOpener].
func (h handles) OpenDir(name string) (*os.File, error) {
	d, err := h.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return d.File(), nil
}

// OpenRegular implements [walk.RegularOpener].
func (h handles) OpenRegular(name string) (*os.File, error) {
	file, _, err := h.FS.OpenRegular(name, os.O_RDONLY, 0)
	return file, err
}

// walkable is the file system as the walker wants it.
func (t *tree) walkable() afero.Fs {
	if root, ok := t.fs.(*rootfs.FS); ok {
		return handles{root}
	}
	return t.fs
}

// listByName pages through the walk's own order.
func (f *Files) listByName(ctx context.Context, dir string, opt walk.Options, p *lister) error {
	opt.From = p.after.path
	seen, complete := 0, true
	stats, err := f.each(ctx, dir, opt, func(name string, e *walk.Entry, info func() *walk.Info) bool {
		if seen++; p.after.path != "" && walk.Compare(name, p.after.path) <= 0 {
			return true
		}
		if p.full {
			complete = !p.in.Recursive
			return complete // a single directory is counted to its end
		}
		p.add(entryOf(name, e, info()))
		return true
	})
	p.out.Ignored = stats.Ignored
	if complete && p.after.path == "" {
		p.out.Total = &seen
	}
	return err
}

// listSorted collects everything, sorts and cuts the page out.
func (f *Files) listSorted(ctx context.Context, dir string, opt walk.Options, p *lister) error {
	var all []facade.Entry
	stats, err := f.each(ctx, dir, opt, func(name string, e *walk.Entry, info func() *walk.Info) bool {
		all = append(all, entryOf(name, e, info()))
		return true
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b facade.Entry) int { return p.after.compare(keyOf(p.in.Sort, a), keyOf(p.in.Sort, b)) })
	total := len(all)
	p.out.Total, p.out.Ignored = &total, stats.Ignored
	for _, e := range all {
		if p.in.Cursor != "" && p.after.compare(keyOf(p.in.Sort, e), p.after) <= 0 {
			continue
		}
		if p.add(e); p.full {
			break
		}
	}
	return nil
}

func entryOf(name string, e *walk.Entry, info *walk.Info) facade.Entry {
	out := facade.Entry{Name: shown(e.Name), Path: shown(name), Type: entryTypes[e.Type]}
	if info != nil {
		out.Size, out.Mode, out.Modified = info.Size, info.Mode.String(), info.Modified
	}
	return out
}

var entryTypes = map[walk.Type]facade.EntryType{
	walk.File: facade.TypeFile, walk.Directory: facade.TypeDirectory,
	walk.Symlink: facade.TypeSymlink, walk.Other: facade.TypeOther,
}

// lister fills one page.
type lister struct {
	in    facade.ListInput
	after position
	room  int
	full  bool
	out   facade.ListOutput
}

// add takes an entry into the page, or closes the page when it is full.
func (p *lister) add(e facade.Entry) {
	if p.room -= entrySize(e) + 1; p.room < 0 && len(p.out.Entries) > 0 || len(p.out.Entries) >= p.in.Limit {
		p.full = true
		p.out.NextCursor = keyOf(p.in.Sort, p.out.Entries[len(p.out.Entries)-1]).cursor(p.in.Sort)
		return
	}
	p.out.Entries = append(p.out.Entries, e)
}

// entrySize is the length of an entry as JSON.
func entrySize(e facade.Entry) int {
	const frame = len(`{"name":"","path":"","type":"","size":,"mode":"","modified":""}`)
	var buf [40]byte
	return frame + jsonLen(e.Name) + jsonLen(e.Path) + len(e.Type) + len(strconv.AppendInt(buf[:0], e.Size, 10)) +
		len(e.Mode) + len(e.Modified.AppendFormat(buf[:0], time.RFC3339Nano))
}
