package termexec_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/sandbox"
	"github.com/toolfacade/toolfacade/termexec"
)

// Commands run like those of python: in the strongest sandbox that works here,
// unless the host names one or, as this one, none.
//
//nolint:testableexamples // TestExample runs it where it can
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "project-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	ctx := context.Background()
	terminal, err := termexec.Open(ctx, dir, &termexec.Options{
		Sandbox:  sandbox.None{}, // nil takes what sandbox.Auto finds
		EndTasks: true,           // background commands end with this process
	})
	if err != nil {
		log.Fatal(err)
	}
	defer terminal.Close()

	out, err := terminal.StreamCommand(ctx, facade.TerminalRunInput{Command: "echo", Args: []string{"hello"}},
		func(chunk facade.OutputChunk) error {
			fmt.Printf("%s: %s", chunk.Stream, chunk.Data)
			return nil // an error ends the command
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.State, *out.ExitCode, out.Isolation)
}
