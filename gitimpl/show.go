package gitimpl

import (
	"bufio"
	"bytes"
	"context"
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
	ids, err := r.resolve(ctx, "ref", in.Ref)
	if err != nil {
		return facade.GitShowOutput{}, err
	}
	out := facade.GitShowOutput{}
	if out.Commit, err = r.commitAt(ctx, ids[0]); err != nil {
		return facade.GitShowOutput{}, err
	}
	if in.Path != "" {
		path, err := r.path("path", in.Path)
		if err != nil {
			return facade.GitShowOutput{}, err
		}
		out.File, err = r.fileAt(ctx, ids[0], path, gitrule.PatchRoom(ctx, in.MaxBytes))
		return out, err
	}
	paths, err := r.pathList("files", in.Files)
	if err != nil {
		return facade.GitShowOutput{}, err
	}
	diff, err := r.diffOf(ctx, out.Commit, diffStyle{paths: paths, context: *in.Context, output: in.Output, maxBytes: in.MaxBytes})
	out.Diff = &diff
	return out, err
}

// diffOf shows what a commit changes against its first parent.
func (r *repo) diffOf(ctx context.Context, commit facade.GitCommitInfo, style diffStyle) (facade.GitDiffOutput, error) {
	c := r.git("diff-tree", "-r", "--no-commit-id")
	if len(commit.Parents) == 0 {
		c.flags("--root")
	} else {
		style.ids = append(style.ids, oid(commit.Parents[0]))
	}
	style.ids = append(style.ids, oid(commit.OID))
	return r.diff(ctx, c, style)
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
