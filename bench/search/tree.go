package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// prepare returns the absolute path of the tree to search, a git repository.
func prepare(tree string) (string, error) {
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

// unpack extracts the package linux-source, unless it did so before.
func unpack() (string, error) {
	archives, err := filepath.Glob("/usr/src/linux-source-*.tar.xz")
	if err != nil {
		return "", err
	}
	if len(archives) == 0 {
		return "", errors.New("no tree to search: install Debian's package linux-source, or name a directory with -tree")
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
