package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/index/sqlite"
	"github.com/toolfacade/toolfacade/docs/pdf"
)

// indexInMemory is the value of -index for one that ends with the server.
const indexInMemory = "memory"

// documents are the options of the document tool: its index is in a file, so
// that it is there at the next start, and in memory where there is no place
// for files. The tool closes it.
func (c config) documents(ctx context.Context) (*docs.Options, error) {
	path, err := c.indexFile()
	if err != nil || path == "" {
		return &docs.Options{}, err
	}
	index, err := sqlite.Open(ctx, path, nil)
	if err != nil {
		return nil, err
	}
	return &docs.Options{Indexes: []docs.Index{index}}, nil
}

// pdf is the parser of PDF. Its compiled code is kept in the user's cache, but
// not where the tools could change it.
func (c config) pdf() *pdf.Format {
	root, err := filepath.Abs(c.root)
	if err == nil {
		if real, err := filepath.EvalSymlinks(root); err == nil {
			root = real
		}
	}
	cache, cacheErr := os.UserCacheDir()
	return pdf.New(&pdf.Options{NoCache: err != nil || cacheErr != nil || inside(root, cache)})
}

// indexFile is where the index is: as the command line says, by default one
// file for each root in the user's cache; "" is in memory.
func (c config) indexFile() (string, error) {
	root, err := filepath.Abs(c.root)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	path := c.index
	switch path {
	case indexInMemory:
		return "", nil
	case "":
		cache, err := os.UserCacheDir()
		if err != nil || inside(root, cache) {
			return "", nil //nolint:nilerr // no cache to write to, as in some containers
		}
		sum := sha256.Sum256([]byte(root))
		return filepath.Join(cache, "toolfacade", "index", hex.EncodeToString(sum[:12])+".db"), nil
	}
	if path, err = filepath.Abs(path); err == nil && inside(root, path) {
		return "", errors.New("-index: the file must be outside of the root, where the tools cannot change it")
	}
	return path, err
}

// inside reports whether a path is below a directory.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
