package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// scale is how large a repository is.
type scale struct {
	name           string
	files, commits int
}

// build makes a repository whose commits change one file each, with a work
// tree in which a few files differ.
func (s scale) build(dir string) error {
	var b bytes.Buffer
	content := strings.Repeat("a line of the file\n", 40)
	when := 1_700_000_000
	commit := func(message string) {
		when += 60
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter A <a@b> %d +0000\ndata %d\n%s\n", when, len(message), message)
	}
	file := func(n int, text string) {
		fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", name(n), len(text), text)
	}
	commit("Files")
	for n := range s.files {
		file(n, fmt.Sprintf("file %d\n%s", n, content))
	}
	for n := range s.commits {
		commit(fmt.Sprintf("Change %d", n))
		file(n*7%s.files, fmt.Sprintf("file %d\n%s", n, content))
	}
	if err := plain("", nil, "init", "-q", dir); err != nil {
		return err
	}
	for _, step := range []struct {
		in   []byte
		args []string
	}{
		{b.Bytes(), []string{"fast-import", "--quiet"}},
		{nil, []string{"gc", "--quiet"}},
		{nil, []string{"reset", "-q", "--hard", "main"}},
		{nil, []string{"branch", "other", "HEAD~3"}},
	} {
		if err := plain(dir, step.in, step.args...); err != nil {
			return err
		}
	}
	for n := range min(s.files, 20) {
		const mode = 0o644
		path := filepath.Join(dir, filepath.FromSlash(name(n*s.files/20)))
		if err := os.WriteFile(path, []byte("changed\n"+content), mode); err != nil {
			return err
		}
	}
	return plain(dir, nil, "update-index", "-q", "--really-refresh")
}

// name is that of the nth file.
func name(n int) string { return fmt.Sprintf("d%d/f%d", n%100, n) }

func plain(dir string, in []byte, args ...string) error {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, bytes.NewReader(in), os.Stderr
	if err := cmd.Run(); err != nil && args[0] != "update-index" { // which fails to say that files differ
		return fmt.Errorf("git %q: %w", args, err)
	}
	return nil
}
