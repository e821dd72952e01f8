// Command gitscripts serves calls of the git tool in which commit and push are
// scripts of the host: commit.sh stages everything first, push.sh runs the
// project's tests first. The tool gets one JSON call per line of its input.
//
//	echo '{"action":"commit","message":"Fix the parser"}' |
//		gitscripts -root ~/project -scripts ./examples/gitscripts
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
)

func main() {
	root := flag.String("root", ".", "directory that repositories are in")
	scripts := flag.String("scripts", ".", "directory of commit.sh and push.sh")
	tests := flag.String("tests", "", "command that runs the project's tests; guessed when empty")
	flag.Parse()
	if err := serve(context.Background(), *root, *scripts, *tests, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gitscripts:", err)
		os.Exit(1)
	}
}

// serve answers each line of in with the text of its result.
func serve(ctx context.Context, root, scripts, tests string, in io.Reader, out io.Writer) error {
	g, err := gitimpl.New(root, &gitimpl.Options{
		FileRemotes:  true,
		CommitScript: &gitimpl.Script{Path: filepath.Join(scripts, "commit.sh")},
		PushScript:   &gitimpl.Script{Path: filepath.Join(scripts, "push.sh"), Env: []string{"TEST_COMMAND=" + tests}},
	})
	if err != nil {
		return err
	}
	defer func() { _ = g.Close() }()
	tool := facade.Git(g)
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		res, err := tool.Call(ctx, facade.Call{Args: lines.Bytes()})
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, res.FullText()); err != nil {
			return err
		}
	}
	return lines.Err()
}
