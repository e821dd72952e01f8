package fssync_test

import (
	"context"
	"fmt"
	"log"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fssync"
)

// Two trees, on any file systems, are made alike; what changed on both sides is
// left alone and reported.
func ExampleNew() {
	source, target := afero.NewMemMapFs(), afero.NewMemMapFs()
	put := func(fsys afero.Fs, name, content string) {
		if err := afero.WriteFile(fsys, name, []byte(content), 0o600); err != nil {
			log.Fatal(err)
		}
	}
	put(source, "/a.txt", "a")
	put(target, "/b.txt", "b")

	s, err := fssync.New(source, target, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()

	run := func() {
		out, err := s.Trigger(context.Background(), facade.SyncTriggerInput{Direction: facade.SyncBoth})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("copied", out.Copied, "deleted", out.Deleted, "conflicts", len(out.Conflicts))
	}
	run()
	put(source, "/a.txt", "a here")
	put(target, "/a.txt", "a there")
	if err := target.Remove("/b.txt"); err != nil {
		log.Fatal(err)
	}
	run()
	// Output:
	// copied [a.txt b.txt] deleted [] conflicts 0
	// copied [] deleted [b.txt] conflicts 1
}
