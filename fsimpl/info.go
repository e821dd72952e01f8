package fsimpl

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"io/fs"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// Info implements [facade.FileInformer]. A file larger than
// [Options.MaxFileBytes] is described without lines and etag.
func (f *Files) Info(ctx context.Context, in facade.InfoInput) (facade.InfoOutput, error) {
	t, err := f.present(ctx, in.Path)
	if err != nil {
		return facade.InfoOutput{}, err
	}
	info, err := f.tree.lstat(t.name)
	if err == nil && t.slash {
		info, err = f.tree.stat(t.name)
	}
	if err != nil {
		return facade.InfoOutput{}, f.failure("describe", t.name, err)
	}
	if t.slash && !info.IsDir() {
		return facade.InfoOutput{}, f.slashed(t.name)
	}
	out := facade.InfoOutput{
		Path: shown(t.name), Type: entryType(info.Mode()), Size: info.Size(),
		Mode: info.Mode().String(), Modified: info.ModTime(),
	}
	out.Created, out.Accessed = birthAndAccess(info)
	if out.Created == nil && (info.IsDir() || info.Mode().IsRegular()) {
		out.Created = f.birth(t.name)
	}
	switch out.Type {
	case facade.TypeSymlink:
		link, err := f.tree.readlink(t.name)
		switch {
		case facade.CodeOf(err) == facade.CodeOutsideRoot:
			out.Target = "(outside the root)"
		case err != nil:
			return facade.InfoOutput{}, f.failure("readlink", t.name, err)
		default:
			out.Target = f.shownLink(link)
		}
	case facade.TypeFile:
		err = f.describe(&out, t.name)
	case facade.TypeDirectory, facade.TypeOther:
	}
	return out, f.failure("read", t.name, err)
}

// birth returns the time of birth that an open file or directory tells, or nil.
func (f *Files) birth(name string) *time.Time {
	file, err := f.tree.fs.Open(f.tree.at(name))
	if err != nil {
		return nil
	}
	defer file.Close()
	if h := handle(file); h != nil {
		return birthOf(h)
	}
	return nil
}

// shownLink is the target of a link as a model may see it.
func (f *Files) shownLink(link string) string {
	if rel, ok := f.insideRoot(link); ok && link != "" && link[0] == '/' {
		return shown(rel[:max(len(rel)-len("/."), 0)])
	}
	return shown(link)
}

func entryType(m fs.FileMode) facade.EntryType {
	switch {
	case m.IsRegular():
		return facade.TypeFile
	case m.IsDir():
		return facade.TypeDirectory
	case m&fs.ModeSymlink != 0:
		return facade.TypeSymlink
	}
	return facade.TypeOther
}

// describe fills in what the content tells.
func (f *Files) describe(out *facade.InfoOutput, name string) error {
	file, info, err := f.tree.open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	var det textenc.Detector
	head := make([]byte, 512)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF { //nolint:errorlint // ReadFull returns them bare
		return err
	}
	head = head[:n]
	if info.Size() > f.opts.MaxFileBytes {
		d := textenc.Detect(head)
		out.Encoding, out.MIME = d.Name(), textenc.MIME(name, head, d)
		return nil
	}
	hash := sha256.New()
	if _, err := io.Copy(io.MultiWriter(hash, &det), io.MultiReader(bytes.NewReader(head), io.LimitReader(file, f.opts.MaxFileBytes))); err != nil {
		return err
	}
	d := det.Result()
	out.Encoding, out.MIME, out.ETag = d.Name(), textenc.MIME(name, head, d), encodeETag(hash)
	if !d.Binary {
		out.Lines = &d.Lines
	}
	return nil
}
