package gitimpl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Show implements [facade.GitInspector].
func (x *Extended) Show(ctx context.Context, in facade.GitShowInput) (facade.GitShowOutput, error) {
	in = facade.Defaulted(in)
	r, err := x.open(ctx, in.RepoPath, false)
	if err != nil {
		return facade.GitShowOutput{}, err
	}
	defer r.close()
	if in.Path != "" {
		return r.showFile(ctx, in)
	}
	paths, err := r.pathList("files", in.Files)
	if err != nil {
		return facade.GitShowOutput{}, err
	}
	style := diffStyle{paths: paths, context: *in.Context, output: in.Output, maxBytes: in.MaxBytes}
	if revs, ok := revArgs(in.Ref); ok {
		style.revs = revs
		out, err := r.show(ctx, style)
		if err == nil {
			return out, nil
		}
		style.revs = nil // resolving it tells what is wrong
	}
	if style.ids, err = r.resolve(ctx, "ref", in.Ref); err != nil {
		return facade.GitShowOutput{}, err
	}
	return r.show(ctx, style)
}

// show reads a commit and its changes against its first parent in one pass.
func (r *repo) show(ctx context.Context, style diffStyle) (facade.GitShowOutput, error) {
	var out facade.GitShowOutput
	style.before = func(b *bufio.Reader) (err error) {
		if out.Commit, err = readCommit(b, false); err != nil {
			return errField
		}
		if next, err := b.Peek(1); err == nil && next[0] == '\n' {
			_, err = b.Discard(1)
			return err
		}
		return nil
	}
	c := r.git("show", logFormat, "--diff-merges=first-parent", "--decorate=short", "--no-show-signature", "--no-notes", "--no-mailmap")
	if len(style.paths) > 0 {
		c.flags("--sparse") // shows the commit even when it leaves the files alone
	}
	diff, err := r.diff(ctx, c, style)
	if err != nil {
		return facade.GitShowOutput{}, err
	}
	out.Diff = &diff
	return out, nil
}

// showFile shows a file as a commit has it.
func (r *repo) showFile(ctx context.Context, in facade.GitShowInput) (facade.GitShowOutput, error) {
	path, err := r.path("path", in.Path)
	if err != nil {
		return facade.GitShowOutput{}, err
	}
	ids, err := r.resolve(ctx, "ref", in.Ref)
	if err != nil {
		return facade.GitShowOutput{}, err
	}
	var out facade.GitShowOutput
	if out.Commit, err = r.commitAt(ctx, ids[0]); err != nil {
		return facade.GitShowOutput{}, err
	}
	out.File, err = r.fileAt(ctx, ids[0], path, gitrule.PatchRoom(ctx, in.MaxBytes))
	if e, ok := errors.AsType[*facade.Error](err); ok && e.Code == facade.CodeNotFound {
		if all, lerr := r.git("ls-tree", "-r", "-z", "--name-only", "--full-tree").oids(ids[0]).output(ctx); lerr == nil {
			e.Hint = nearestFile(encode(path), names(all))
		}
	}
	return out, err
}

// fileAt reads a file as a commit has it. The name goes through standard
// input, ended by NUL, so it can have any form.
func (r *repo) fileAt(ctx context.Context, commit oid, path relPath, limit int) (*facade.GitFileAt, error) {
	var f *facade.GitFileAt
	c := r.git("cat-file", "-z", "--batch").input([]byte(string(commit) + ":" + string(path) + "\x00"))
	err := c.stream(ctx, func(out *bufio.Reader) error {
		line, err := out.ReadString('\n')
		if err != nil {
			return errField
		}
		meta := strings.Fields(line)
		const fields = 3
		switch {
		case len(meta) != fields || !gitrule.IsOID(meta[0]):
			return fail(facade.CodeNotFound, ErrPathNotFound, "the commit has no file '%s'", encode(path)).WithPath(encode(path))
		case meta[1] == "tree":
			return facade.Errorf(facade.CodeIsDirectory, "'%s' is a directory in the commit", encode(path)).WithPath(encode(path))
		case meta[1] != "blob":
			return facade.Errorf(facade.CodeNotRegular, "'%s' is a submodule", encode(path)).WithPath(encode(path))
		}
		size, err := strconv.ParseInt(meta[2], 10, 64)
		if err != nil {
			return errField
		}
		content, err := io.ReadAll(io.LimitReader(out, min(size, int64(limit))))
		if err != nil {
			return err
		}
		f = &facade.GitFileAt{Path: encode(path), OID: meta[0], Size: size, Truncated: size > int64(len(content))}
		if bytes.IndexByte(content[:min(len(content), sniff)], 0) >= 0 {
			f.Binary, f.Truncated = true, false
		} else {
			f.Content = gitrule.Text(content)
		}
		if f.Binary || f.Truncated {
			return errEnough
		}
		return nil
	})
	return f, r.explain(err)
}

// sniff is how far git looks for a NUL to tell text from binary.
const sniff = 8000
