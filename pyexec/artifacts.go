package pyexec

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// The bounds of artifacts: a program that leaves more is told so.
const (
	maxArtifacts = 64
	maxArtifact  = 64 << 20
	maxImage     = 1 << 20 // an image up to this size is shown
	maxImages    = 8
)

// artifactDir is where artifacts are kept, below the root.
const artifactDir = ".toolfacade/artifacts"

// finish moves what a program left in dir below the root.
func (p *Python) finish(dir string, info *facade.TaskInfo) {
	p.unprovided(dir, info)
	to := path.Join(artifactDir, info.Created.UTC().Format("20060102-150405.000-")+info.ID)
	if err := p.collect(filepath.Join(dir, "artifacts"), to, info); err != nil && !errors.Is(err, fs.ErrNotExist) {
		info.Notes = append(info.Notes, "some artifacts could not be kept: "+string(facade.CodeOf(err)))
	}
	if err := p.results(dir, to, info); err != nil {
		info.Notes = append(info.Notes, "some results could not be read: "+string(facade.CodeOf(err)))
	}
}

// collect copies regular files. Both ends are handles: no link that the
// program left leads anywhere else.
func (p *Python) collect(from, to string, info *facade.TaskInfo) error {
	src, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }() // it was only read
	return fs.WalkDir(src.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if len(info.Artifacts) == maxArtifacts {
			info.Notes = append(info.Notes, fmt.Sprintf("only the first %d artifacts are kept", maxArtifacts))
			return fs.SkipAll
		}
		a, err := p.copy(src, name, path.Join(to, name))
		if err == nil {
			info.Artifacts = append(info.Artifacts, a)
		}
		return err
	})
}

// shown are the images that every provider of models takes.
var shown = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// images reads the artifacts that can be shown.
func (p *Python) images(files []facade.Artifact) []facade.Part {
	var parts []facade.Part
	for _, a := range files {
		if !slices.Contains(shown, a.MIME) || a.Size > maxImage || len(parts) == maxImages {
			continue
		}
		f, err := p.run.Root().Open(a.Path)
		if err != nil {
			continue // somebody removed it
		}
		data, err := io.ReadAll(io.LimitReader(f, maxImage))
		if err = errors.Join(err, f.Close()); err == nil {
			parts = append(parts, facade.Part{MIME: a.MIME, Data: data, Path: a.Path})
		}
	}
	return parts
}

// sniffed is how much of a file tells its type.
const sniffed = 512

// copy copies one file.
func (p *Python) copy(src *os.Root, name, to string) (facade.Artifact, error) {
	in, err := src.Open(name)
	if err != nil {
		return facade.Artifact{}, err
	}
	defer func() { _ = in.Close() }() // it was only read
	return p.write(to, in)
}

// write makes a file of what is read.
func (p *Python) write(to string, in io.Reader) (facade.Artifact, error) {
	a := facade.Artifact{Path: to}
	if err := p.run.Root().MkdirAll(path.Dir(to), 0o755); err != nil {
		return a, err
	}
	dst, err := p.run.Root().OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return a, err
	}
	var head bytes.Buffer
	sum := sha256.New()
	start := io.TeeReader(io.LimitReader(in, sniffed), &head)
	a.Size, err = io.Copy(io.MultiWriter(dst, sum), io.MultiReader(start, io.LimitReader(in, maxArtifact-sniffed)))
	if err = errors.Join(err, dst.Close()); err != nil {
		return a, err
	}
	a.SHA256 = hex.EncodeToString(sum.Sum(nil))
	if a.MIME = mime.TypeByExtension(path.Ext(to)); a.MIME == "" || strings.HasPrefix(a.MIME, "image/") {
		a.MIME = http.DetectContentType(head.Bytes())
	}
	return a, nil
}
