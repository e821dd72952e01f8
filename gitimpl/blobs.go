package gitimpl

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// store writes files into the object store as they are, all by one process,
// and returns their ids. A symbolic link is stored as its target; what is
// neither file nor link has no id. Files are read through root, so that no
// link leads out of the work tree.
func (r *repo) store(ctx context.Context, root *os.Root, files []string) ([]oid, error) {
	ids := make([]oid, len(files))
	if len(files) == 0 {
		return ids, nil
	}
	feed, input := io.Pipe()
	stored := make(chan []int, 1)
	go func() {
		var order []int
		err := func() error {
			for i, name := range files {
				ok, err := writeBlob(input, root, decode(name), i+1)
				if err != nil {
					return err
				}
				if ok {
					order = append(order, i)
				}
			}
			_, err := io.WriteString(input, "done\n")
			return err
		}()
		stored <- order
		input.CloseWithError(err)
	}()
	c := r.git("fast-import", "--quiet", "--done")
	c.retry, c.stdin = false, feed
	var lines []string
	err := c.stream(ctx, func(out *bufio.Reader) error {
		s := bufio.NewScanner(out)
		for s.Scan() {
			lines = append(lines, s.Text())
		}
		return s.Err()
	})
	_ = feed.CloseWithError(io.ErrClosedPipe)
	order := <-stored
	if err != nil {
		return nil, r.explain(err)
	}
	if len(lines) != len(order) {
		return nil, errField
	}
	for i, at := range order {
		if !gitrule.IsOID(lines[i]) {
			return nil, errField
		}
		ids[at] = oid(lines[i])
	}
	return ids, nil
}

// writeBlob writes one file in the format of git fast-import, and asks for its
// id. It reports whether there is something to store.
func writeBlob(w io.Writer, root *os.Root, name string, mark int) (bool, error) {
	name = filepath.FromSlash(name)
	fi, err := root.Lstat(name)
	if err != nil {
		return false, nil // it is gone: nothing can be lost
	}
	var (
		content io.Reader
		size    int64
	)
	switch {
	case fi.Mode()&os.ModeSymlink != 0:
		target, err := root.Readlink(name)
		if err != nil {
			return false, err
		}
		content, size = strings.NewReader(target), int64(len(target))
	case fi.Mode().IsRegular():
		f, err := root.OpenFile(name, os.O_RDONLY|noFollow, 0)
		if err != nil {
			return false, fail(facade.CodeOf(err), err, "'%s' cannot be read, so it cannot be kept", pathname.Escape(name))
		}
		defer func() { _ = f.Close() }()
		if fi, err = f.Stat(); err != nil {
			return false, err
		}
		content, size = f, fi.Size()
	default:
		return false, nil
	}
	if _, err := fmt.Fprintf(w, "blob\nmark :%d\ndata %d\n", mark, size); err != nil {
		return false, err
	}
	if n, err := io.CopyN(w, content, size); err != nil {
		return false, fmt.Errorf("%d of %d bytes: %w", n, size, err)
	}
	_, err = fmt.Fprintf(w, "\nget-mark :%d\n", mark)
	return true, err
}
