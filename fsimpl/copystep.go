package fsimpl

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// copyStep copies a file or tree to a temporary name and renames it.
type copyStep struct {
	ctx      context.Context //nolint:containedctx // a step lives as long as one call
	from, to string
	info     fs.FileInfo
	over     replaced
	temp     string
	files    *Files
	count    int
	bytes    int64
}

func (s *copyStep) stage(t *tree, _ bool) error {
	if err := s.over.stage(t, s.to); err != nil {
		return err
	}
	s.temp = tempName(path.Dir(s.to))
	return s.copy(t, s.from, s.temp, s.info)
}

func (s *copyStep) copy(t *tree, from, to string, info fs.FileInfo) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	// What comes into being is a change like any other.
	if err := s.files.guard(s.to + strings.TrimPrefix(from, s.from)); err != nil {
		return err
	}
	switch {
	case info.Mode().IsRegular():
		return s.copyFile(t, from, to)
	case info.Mode()&fs.ModeSymlink != 0:
		return s.copyLink(t, from, to)
	case !info.IsDir():
		return regular(from, info)
	}
	if err := t.fs.Mkdir(t.at(to), info.Mode().Perm()|0o700); err != nil {
		return err
	}
	d, err := t.fs.Open(t.at(from))
	if err != nil {
		return err
	}
	names, err := d.Readdirnames(-1)
	if err = errors.Join(err, d.Close()); err != nil {
		return err
	}
	for _, n := range names {
		below, err := t.lstat(path.Join(from, n))
		if err != nil {
			return err
		}
		if err := s.copy(t, path.Join(from, n), path.Join(to, n), below); err != nil {
			return err
		}
	}
	if err := t.fs.Chmod(t.at(to), info.Mode().Perm()); err != nil {
		return err
	}
	return t.syncDir(to)
}

// copyLink makes a link with the same text. The copy is staged as deep as it
// will be, so that what leads out of the root now would do so there.
func (s *copyStep) copyLink(t *tree, from, to string) error {
	target, err := t.readlink(from)
	if err == nil {
		err = t.symlink(target, to)
	}
	if facade.CodeOf(err) == facade.CodeOutsideRoot {
		return facade.Errorf(facade.CodeOutsideRoot, "the link '%s' cannot be copied: it would lead outside the root", named(from)).
			WithPath(shown(from)).WithHint("delete the link, or copy what is beside it")
	}
	s.count++
	return err
}

func (s *copyStep) copyFile(t *tree, from, to string) error {
	in, info, err := t.open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	room := s.files.opts.MaxCopyBytes - s.bytes
	if info.Size() > room {
		return s.tooLarge()
	}
	out, err := t.fs.OpenFile(t.at(to), os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	n, err := copyAll(s.ctx, out, io.LimitReader(in, room+1))
	s.count++
	if s.bytes += n; n > room && err == nil {
		err = s.tooLarge()
	}
	if err == nil {
		err = t.fs.Chmod(t.at(to), info.Mode().Perm())
	}
	if err == nil && t.sync {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}

func (s *copyStep) tooLarge() error {
	return facade.Errorf(facade.CodeTooLarge, "'%s' has more than the %d bytes that one copy may take", named(s.from), s.files.opts.MaxCopyBytes).
		WithPath(shown(s.from)).WithHint("copy parts of it, or move it")
}

// copyAll is io.Copy that ends when the call does.
func copyAll(ctx context.Context, dst io.Writer, src io.Reader) (n int64, err error) {
	const portion = 8 << 20
	for {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		got, err := io.CopyN(dst, src, portion)
		n += got
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

func (s *copyStep) apply(t *tree) error { return s.over.rename(t, s.temp, s.to) }

func (s *copyStep) revert(t *tree) error {
	return errors.Join(t.renameNoReplace(s.to, s.temp), s.over.restore(t, s.to))
}

func (s *copyStep) cleanup(t *tree, applied bool) error {
	err := s.over.cleanup(t)
	if applied || s.temp == "" {
		return err
	}
	return errors.Join(err, t.fs.RemoveAll(t.at(s.temp)))
}
