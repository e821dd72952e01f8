package fsimpl_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
)

// The tool works on any afero file system, here one in memory: as plain methods
// for Go, as a tool for a model.
func ExampleNew() {
	files, err := fsimpl.New(afero.NewMemMapFs(), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer files.Close()

	ctx := context.Background()
	written, err := files.Write(ctx, facade.WriteInput{Path: "notes/todo.md", Content: "- buy milk\n"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(written.Path, written.Bytes)
	_, err = files.Read(ctx, facade.ReadInput{Path: "notes/tood.md"})
	fmt.Println(facade.CodeOf(err))

	tool := facade.Files(files)
	r, err := tool.Call(ctx, facade.Call{Args: json.RawMessage(`{"action":"grep","pattern":"milk"}`)})
	if err != nil {
		log.Fatal(err) // the context ended
	}
	fmt.Println(r.Text)
	// Output:
	// notes/todo.md 11
	// not_found
	// 1 matching line in 1 file
	// notes/todo.md
	//   1:- buy milk
}

// A file system that reaches the host's disk unconfined is refused; Open
// confines a directory.
func ExampleNew_unconfined() {
	_, err := fsimpl.New(afero.NewBasePathFs(afero.NewOsFs(), "project"), nil)
	fmt.Println(err)
	// Output:
	// fsimpl: *afero.BasePathFs over *afero.OsFs reaches the host's disk without confinement (it follows symbolic links anywhere); use fsimpl.Open(dir) or a rootfs.FS
}
