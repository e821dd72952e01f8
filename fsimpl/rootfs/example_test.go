package rootfs_test

import (
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/rootfs"
)

// A confined file system is an afero.Fs like any other; names that lead out of
// its directory do not.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "project-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	root, err := rootfs.Open(dir, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer root.Close()

	if err := afero.WriteFile(root, "notes.txt", []byte("inside\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	onDisk, err := os.ReadFile(filepath.Join(dir, "notes.txt"))
	fmt.Printf("%q %v\n", onDisk, err)

	_, err = root.Open("../etc/passwd")
	fmt.Println(err)
	fmt.Println(facade.CodeOf(err), errors.Is(err, fs.ErrPermission))
	// Output:
	// "inside\n" <nil>
	// open ../etc/passwd: the path leads outside the root
	// outside_root true
}
