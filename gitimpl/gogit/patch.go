package gogit

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/diff"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/toolfacade/toolfacade/facade"
)

// patcher turns changes into a result.
type patcher struct {
	*differ
	out  facade.GitDiffOutput
	text []byte
	cut  bool
}

// longestDiff is up to where files are compared line by line. Larger ones
// count as binary, as they do for git from half a gigabyte on.
const longestDiff = 8 << 20

// add takes in one changed file.
func (p *patcher) add(ctx context.Context, c *object.Change) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	f := describe(c)
	p.out.Totals.Files++
	var patch diff.FilePatch
	if p.output != "names" {
		large, err := p.large(c)
		if err != nil {
			return err
		}
		if f.Binary = large; !large {
			if patch, err = filePatch(ctx, c); err != nil {
				return err
			}
			f.Binary = patch != nil && patch.IsBinary() && !isSubmodule(c)
			f.Additions, f.Deletions = lines(patch)
		}
	}
	p.out.Totals.Additions += f.Additions
	p.out.Totals.Deletions += f.Deletions
	if p.output == "patch" {
		if err := p.write(patch, f); err != nil {
			return err
		}
	}
	if p.out.Hidden > 0 || !p.room.Take(f) {
		p.out.Hidden++
		return nil
	}
	p.out.Files = append(p.out.Files, f)
	return nil
}

// describe tells what happened to a file.
func describe(c *object.Change) facade.GitFileChange {
	f := facade.GitFileChange{Path: shown(c.To.Name), Status: "modified"}
	from, to := c.From, c.To
	switch {
	case from.Name == "":
		f.Status = "added"
	case to.Name == "":
		f.Path, f.Status = shown(from.Name), "deleted"
	case from.Name != to.Name:
		f.OldPath, f.Status = shown(from.Name), "renamed"
	case kind(from.TreeEntry.Mode) != kind(to.TreeEntry.Mode):
		f.Status = "type_changed"
	}
	return f
}

// kind is what a mode says apart from permissions.
func kind(m filemode.FileMode) filemode.FileMode {
	const typeBits = 0o170000
	return m & typeBits
}

func isSubmodule(c *object.Change) bool {
	return c.From.TreeEntry.Mode == filemode.Submodule || c.To.TreeEntry.Mode == filemode.Submodule
}

func (p *patcher) large(c *object.Change) (bool, error) {
	for _, e := range []object.ChangeEntry{c.From, c.To} {
		if e.Name == "" || !e.TreeEntry.Mode.IsFile() {
			continue
		}
		size, err := p.objects.EncodedObjectSize(e.TreeEntry.Hash)
		if err != nil {
			return false, broken(err)
		}
		if size > longestDiff {
			return true, nil
		}
	}
	return false, nil
}

func filePatch(ctx context.Context, c *object.Change) (diff.FilePatch, error) {
	patch, err := c.PatchContext(ctx)
	if err != nil {
		return nil, or(ctx, err)
	}
	list := patch.FilePatches()
	if len(list) == 0 {
		return nil, nil
	}
	return list[0], nil
}

// lines counts the added and deleted lines of a patch.
func lines(patch diff.FilePatch) (added, deleted int) {
	if patch == nil {
		return 0, 0
	}
	for _, chunk := range patch.Chunks() {
		n := strings.Count(chunk.Content(), "\n")
		if text := chunk.Content(); text != "" && !strings.HasSuffix(text, "\n") {
			n++
		}
		switch chunk.Type() {
		case diff.Add:
			added += n
		case diff.Delete:
			deleted += n
		case diff.Equal:
		}
	}
	return added, deleted
}

// write adds a file's patch, in whole lines, as long as there is room.
func (p *patcher) write(patch diff.FilePatch, f facade.GitFileChange) error {
	var b bytes.Buffer
	if patch != nil && !p.cut {
		err := diff.NewUnifiedEncoder(&b, p.context).SetSrcPrefix("a/").SetDstPrefix("b/").Encode(onePatch{patch})
		if err != nil {
			return broken(err)
		}
	}
	room := p.patchRoom - len(p.text)
	text := b.Bytes()
	if len(text) > room {
		p.cut = true
		text = text[:bytes.LastIndexByte(text[:room], '\n')+1]
	}
	p.text = append(p.text, text...)
	if tooLarge := patch == nil && f.Binary; p.cut && !tooLarge && len(p.out.Rest) < restLimit && !slices.Contains(p.out.Rest, f.Path) {
		p.out.Rest = append(p.out.Rest, f.Path)
	}
	return nil
}

// restLimit is how many files the next call is advised to ask for.
const restLimit = 20

// onePatch is the patch of one file.
type onePatch struct{ file diff.FilePatch }

// FilePatches implements [diff.Patch].
func (p onePatch) FilePatches() []diff.FilePatch { return []diff.FilePatch{p.file} }

// Message implements [diff.Patch].
func (p onePatch) Message() string { return "" }
