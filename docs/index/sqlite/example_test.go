package sqlite_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/index/sqlite"
	"github.com/toolfacade/toolfacade/facade"
)

// The index is kept in a file outside of the documents' directory, given to the
// document tool and closed by the host. With toolfacade.Open it goes into
// Options.Documents.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "index-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	index, err := sqlite.Open(ctx, filepath.Join(dir, "project.db"), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer index.Close()

	fsys := afero.NewMemMapFs()
	if err := afero.WriteFile(fsys, "/notes/bicycle.md", []byte("# Bicycle\n\nThe chain needs oil.\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	documents, err := docs.New(fsys, &docs.Options{Indexes: []docs.Index{index}})
	if err != nil {
		log.Fatal(err)
	}
	defer documents.Close()
	if _, err := documents.Index(ctx, facade.DocumentIndexInput{Path: "."}); err != nil {
		log.Fatal(err)
	}
	found, err := documents.Search(ctx, facade.DocumentSearchInput{Query: "oil chain"})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range found.Hits {
		fmt.Println(hit.Path, hit.Heading)
	}
	// Output:
	// notes/bicycle.md Bicycle
}
