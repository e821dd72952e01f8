package gitimpl_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
)

// The tool works on the repositories below a directory: as plain methods for
// Go, by facade.Git as a tool for a model.
//
//nolint:testableexamples // TestExample runs it where it can
func ExampleNew() {
	dir, err := os.MkdirTemp("", "project-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := exec.Command("git", "init", "--quiet", dir).Run(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("a\n"), 0o600); err != nil {
		log.Fatal(err)
	}

	git, err := gitimpl.New(dir, &gitimpl.Options{Identity: &gitimpl.Identity{Name: "Ada", Email: "ada@example.com"}})
	if err != nil {
		log.Fatal(err)
	}
	defer git.Close()

	ctx := context.Background()
	commit, err := git.Commit(ctx, facade.GitCommitInput{Message: "Begin", StageAll: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(commit.Subject, len(commit.Parents))
	status, err := git.Status(ctx, facade.GitStatusInput{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("clean:", status.Clean)
	_, err = git.Diff(ctx, facade.GitDiffInput{From: "no-such-branch"})
	fmt.Println(facade.CodeOf(err))
}
