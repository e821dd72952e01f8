// Quickstart shows the library at work: it opens a copy of a small project,
// prints what a model is told of the tools, and serves the calls of a scripted
// agent, with the mistakes that models make.
//
//	go run ./examples/quickstart
package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"strings"

	"github.com/toolfacade/toolfacade"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
	"github.com/toolfacade/toolfacade/schema"
)

//go:embed project
var project embed.FS

// script is what a model would send: a remark, and the arguments of its call.
var script = []struct{ remark, args string }{
	{"Where is the typo?", `{"action": "find", "keywords_file_content": ["Helo"], "patterns": ["*.py"]}`},
	{"Let me see the function.", `{"action": "read", "path": "greet.py", "start_line": 1, "end_line": "3"}`},
	{"Fix it.", `{"action": "replace", "file": "greet.py", "old_content": "Helo", "new_content": "Hello"}`},
	{"The parameter is called path.", `{"action": "replace", "path": "greet.py", "old_content": "Helo", "new_content": "Hello"}`},
	{"Add a note.", `{"action": "write", "path": "NOTES.md", "content": "Fixed a typo.\n", "create_only": "true"}`},
	{"Nobody wants notes. Take that back.", `{"action": "undo"}`},
	{"A better word, going by an old state.", `{"action": "replace", "path": "greet.py", "old_content": "Hello, ", "new_content": "Welcome, ", "if_match": "dba3496a6b2e40db7eca97b0208fbae1"}`},
	{"What else is on this machine?", `{"action": "read", "path": "../../etc/passwd"}`},
}

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, w io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "quickstart")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := copyProject(dir); err != nil {
		return err
	}

	// The default set of tools, confined to the directory. A temporary one needs
	// no undo beyond the end of the process; without that, options could be nil.
	tools, err := toolfacade.Open(dir, &toolfacade.Options{
		Files: &fsimpl.Options{Journal: fsimpl.JournalOptions{InMemory: true}},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tools.Close()) }()

	// This agent gets five actions of the filesystem tool.
	view := tools.View(facade.Allow("filesystem.find", "filesystem.read", "filesystem.write", "filesystem.replace", "filesystem.undo"))
	if err := describe(w, view); err != nil {
		return err
	}
	for _, turn := range script {
		fmt.Fprintf(w, "\n# %s\n> %s\n", turn.remark, turn.args)
		if err := serve(ctx, w, view, turn.args); err != nil {
			return err
		}
	}
	return nil
}

// describe prints the definitions that go into a request to a model.
func describe(w io.Writer, tools *facade.Set) error {
	for _, tool := range tools.Tools() {
		def, err := schema.Render(tool, schema.MCP)
		if err != nil {
			return err
		}
		var input bytes.Buffer
		if err := json.Indent(&input, def.Input, "", "  "); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: %s\n%s\n", def.Name, def.Description, &input)
	}
	return nil
}

// serve runs one call and prints what the model reads. A failure of the tool is
// text for the model like any other; an error means that the context ended.
func serve(ctx context.Context, w io.Writer, tools *facade.Set, args string) error {
	result, err := tools.Dispatch(ctx, "filesystem", facade.Call{
		Session: "demo",
		Args:    json.RawMessage(args),
		Emit: func(e facade.Event) {
			if strings.HasPrefix(string(e.Type), "file:") {
				fmt.Fprintf(w, "event %s %s\n", e.Type, e.Path)
			}
		},
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(w, result.FullText())
	return nil
}

func copyProject(dir string) error {
	files, err := fs.Sub(project, "project")
	if err != nil {
		return err
	}
	return os.CopyFS(dir, files)
}
