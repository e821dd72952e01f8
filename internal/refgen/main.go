// Command refgen writes what is generated from the contracts: the descriptions
// that package schema embeds and the pages in reference/. Run it with
// "go generate ./...".
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/toolfacade/toolfacade/internal/everything"
)

func main() {
	if err := doMain(true); err != nil {
		fmt.Fprintln(os.Stderr, "refgen:", err)
		os.Exit(1)
	}
}

// doMain writes the generated files or, without write, fails when one of them
// differs from what it would write.
func doMain(write bool) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	files, err := generate(root)
	if err != nil {
		return err
	}
	stale, err := strangers(root, files)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		old, err := os.ReadFile(filepath.Join(root, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil && bytes.Equal(old, files[name]) {
			continue
		}
		stale = append(stale, name)
		if write {
			if err := put(filepath.Join(root, name), files[name]); err != nil {
				return err
			}
		}
	}
	if len(stale) > 0 && !write {
		return fmt.Errorf("stale, run go generate ./...: %v", stale)
	}
	return nil
}

// generate returns the generated files by their path below the module's root.
func generate(root string) (map[string][]byte, error) {
	src, err := readSource(filepath.Join(root, "facade"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	if files["schema/comments.json"], err = commentsFile(src.comments); err != nil {
		return nil, err
	}
	tools := everything.Tools()
	for _, t := range tools {
		page, err := toolPage(src, t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name(), err)
		}
		files["reference/"+t.Name()+".md"] = page
	}
	files["reference/errors.md"] = errorsPage(src)
	files["reference/tokens.md"] = tokensPage()
	if files["reference/hosts.md"], err = hostsPage(root); err != nil {
		return nil, err
	}
	files["reference/README.md"] = mapPage(tools)
	return files, nil
}

func commentsFile(comments map[string]string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	err := enc.Encode(comments)
	return b.Bytes(), err
}

// strangers lists files in reference/ that nothing generates: the page of a
// tool that is gone.
func strangers(root string, files map[string][]byte) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(root, "reference"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if name := "reference/" + e.Name(); files[name] == nil {
			names = append(names, name)
		}
	}
	return names, nil
}

func put(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}

// moduleRoot returns the nearest directory above the current one with a go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod above the current directory")
		}
		dir = parent
	}
}
