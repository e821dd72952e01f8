package document

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// freeBytes of a part may be unpacked whatever its ratio: small parts of
// blanks or zeros compress well.
const freeBytes = 4 << 20

// maxParts bounds the names in an archive.
const maxParts = 20_000

// Archive is a zip file whose parts are read within limits. Names are only
// looked up, never used as paths of the host.
type Archive struct {
	limits Limits
	parts  map[string]*zip.File
	names  []string
	budget int64 // bytes that may still be unpacked
}

// OpenArchive reads the directory of a zip file.
func OpenArchive(src Source, l Limits) (*Archive, error) {
	z, err := zip.NewReader(src, src.Size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, Malformed("the document is no readable zip archive: %w", err)
	}
	if len(z.File) > maxParts {
		return nil, tooLarge("the archive has %d parts, the limit is %d", len(z.File), maxParts)
	}
	a := &Archive{limits: l, parts: make(map[string]*zip.File, len(z.File)), budget: l.Expanded}
	for _, f := range z.File {
		name := partName(f.Name)
		if a.parts[name] == nil {
			a.names = append(a.names, name)
		}
		a.parts[name] = f
	}
	return a, nil
}

// partName makes names comparable: producers differ in case, slashes and dots.
func partName(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	return strings.ToLower(strings.TrimPrefix(path.Clean("/"+name), "/"))
}

// Names lists the parts in the order of the archive, in lower case.
func (a *Archive) Names() []string { return a.names }

// Has reports whether there is a part of that name.
func (a *Archive) Has(name string) bool { return a.parts[partName(name)] != nil }

// Open returns a part as a stream. It fails with fs.ErrNotExist when there is
// none, and its reading fails when it unpacks to more than the limits allow.
func (a *Archive) Open(name string) (io.ReadCloser, error) {
	f := a.parts[partName(name)]
	if f == nil {
		return nil, fmt.Errorf("part %q: %w", name, fs.ErrNotExist)
	}
	if f.Flags&1 != 0 {
		return nil, Malformed("the part %q is encrypted", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, Malformed("cannot unpack %q: %w", name, err)
	}
	packed := min(f.CompressedSize64, uint64(a.limits.Bytes))
	return &part{r: r, a: a, name: name, most: max(freeBytes, int64(packed)*a.limits.Ratio)}, nil
}

// Read returns a part of at most max bytes.
func (a *Archive) Read(name string, most int64) ([]byte, error) {
	r, err := a.Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if int64(len(data)) > most {
		return nil, tooLarge("the part %q has more than %d bytes", name, most)
	}
	return data, err
}

// XML calls fn with the root element of a part.
func (a *Archive) XML(ctx context.Context, name string, fn func(x *XML) error) error {
	r, err := a.Open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	return ReadXML(ctx, r, a.limits, fn)
}

// part counts what is unpacked.
type part struct {
	r    io.ReadCloser
	a    *Archive
	name string
	n    int64
	most int64
}

func (p *part) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	p.n += int64(n)
	p.a.budget -= int64(n)
	switch {
	case p.n > p.most:
		return n, tooLarge("the part %q grows more than %d times when unpacked", p.name, p.a.limits.Ratio)
	case p.a.budget < 0:
		return n, tooLarge("the archive unpacks to more than %d bytes", p.a.limits.Expanded)
	}
	return n, err
}

func (p *part) Close() error { return p.r.Close() }
