// Package tree has a tree of real source files for the benchmarks.
package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// Prepare returns the absolute path of a tree, which becomes a git repository;
// "" is that of Debian's package linux-source.
func Prepare(tree string) (string, error) {
	if tree == "" {
		var err error
		if tree, err = unpack(); err != nil {
			return "", err
		}
	}
	tree, err := filepath.Abs(tree)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(tree, ".git")); err == nil {
		return tree, nil
	}
	cmd := exec.Command("git", "init", "-q", tree)
	cmd.Stderr = os.Stderr
	return tree, cmd.Run()
}

// Text writes the first bytes of all C files of a tree, one behind the other in
// the order of their names, to a file.
func Text(tree, to string, size int64) (err error) {
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	err = filepath.WalkDir(tree, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(name) != ".c" {
			return err
		}
		in, err := os.Open(name)
		if err != nil {
			return err
		}
		n, err := io.CopyN(out, in, size)
		if size -= n; errors.Is(err, io.EOF) {
			err = nil
		}
		if err = errors.Join(err, in.Close()); err == nil && size == 0 {
			return fs.SkipAll
		}
		return err
	})
	if err == nil && size > 0 {
		err = fmt.Errorf("the C files of %s are %d bytes too few", tree, size)
	}
	return err
}

// unpack extracts the package linux-source, unless it did so before.
func unpack() (string, error) {
	archives, err := filepath.Glob("/usr/src/linux-source-*.tar.xz")
	if err != nil {
		return "", err
	}
	if len(archives) == 0 {
		return "", errors.New("no tree of source files: install Debian's package linux-source, or name a directory with -tree")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	tree := filepath.Join(cache, "toolfacade-bench", "linux")
	done := filepath.Join(tree, ".git")
	if _, err := os.Stat(done); err == nil {
		return tree, nil
	}
	if err := os.MkdirAll(tree, 0o755); err != nil {
		return "", err
	}
	fmt.Fprintln(os.Stderr, "unpacking", archives[0])
	tar := exec.Command("tar", "-C", tree, "--strip-components=1", "-xf", archives[0])
	tar.Stderr = os.Stderr
	if err := tar.Run(); err != nil {
		return "", err
	}
	return tree, dropDebianRules(filepath.Join(tree, ".gitignore"))
}

// dropDebianRules removes what the package adds to the kernel's rules: they
// would hide everything.
func dropDebianRules(name string) error {
	rules, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	rules, _, _ = bytes.Cut(rules, []byte("\n/*\n"))
	return os.WriteFile(name, append(rules, '\n'), 0o644)
}
