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

// finish moves what a program left below the root and removes its directory.
func (p *Python) finish(spool, id string, out *facade.PythonRunOutput) {
	if id != "" {
		if err := p.collect(filepath.Join(spool, "artifacts"), path.Join(artifactDir, filepath.Base(spool)), out); err != nil {
			out.AddNote("some artifacts could not be kept: " + string(facade.CodeOf(err)))
		}
	}
	_ = os.RemoveAll(spool) // the runner removes what is left
}

// collect copies regular files. Both ends are handles: no link that the
// program left leads anywhere else.
func (p *Python) collect(from, to string, out *facade.PythonRunOutput) error {
	src, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }() // it was only read
	return fs.WalkDir(src.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if len(out.Artifacts) == maxArtifacts {
			out.AddNote(fmt.Sprintf("only the first %d artifacts are kept", maxArtifacts))
			return fs.SkipAll
		}
		a, head, err := p.copy(src, name, path.Join(to, name))
		if err != nil {
			return err
		}
		out.Artifacts = append(out.Artifacts, a)
		if strings.HasPrefix(a.MIME, "image/") && a.Size <= maxImage && len(out.Attachments()) < maxImages {
			out.AddPart(facade.Part{MIME: a.MIME, Data: head, Path: a.Path})
		}
		return nil
	})
}

// copy copies one file and returns its start, whole when it is small.
func (p *Python) copy(src *os.Root, name, to string) (facade.Artifact, []byte, error) {
	a := facade.Artifact{Path: to}
	in, err := src.Open(name)
	if err != nil {
		return a, nil, err
	}
	defer func() { _ = in.Close() }() // it was only read
	if err := p.run.Root().MkdirAll(path.Dir(to), 0o755); err != nil {
		return a, nil, err
	}
	dst, err := p.run.Root().OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return a, nil, err
	}
	var head bytes.Buffer
	sum := sha256.New()
	start := io.TeeReader(io.LimitReader(in, maxImage), &head)
	a.Size, err = io.Copy(io.MultiWriter(dst, sum), io.MultiReader(start, io.LimitReader(in, maxArtifact-maxImage)))
	if err = errors.Join(err, dst.Close()); err != nil {
		return a, nil, err
	}
	a.SHA256 = hex.EncodeToString(sum.Sum(nil))
	if a.MIME = mime.TypeByExtension(path.Ext(name)); a.MIME == "" || strings.HasPrefix(a.MIME, "image/") {
		a.MIME = http.DetectContentType(head.Bytes())
	}
	return a, head.Bytes(), nil
}
