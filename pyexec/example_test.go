package pyexec_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/pyexec"
	"github.com/toolfacade/toolfacade/runner"
	"github.com/toolfacade/toolfacade/sandbox"
)

// Code runs in the strongest sandbox that works here, and does not run where
// none does. This host decides to do without.
//
//nolint:testableexamples // TestExample runs it where it can
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "project-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	ctx := context.Background()
	python, err := pyexec.Open(ctx, dir, &pyexec.Options{Options: runner.Options{
		Sandbox:  sandbox.None{},          // nil takes what sandbox.Auto finds
		Env:      []string{"GREETING=hi"}, // added to the little that programs get
		EndTasks: true,                    // background tasks end with this process
	}})
	if err != nil {
		log.Fatal(err)
	}
	defer python.Close()

	out, err := python.Run(ctx, facade.PythonRunInput{
		Code: "import os, sys\nprint(os.environ['GREETING'], sys.argv[1:])\nsys.exit(3)",
		Args: []string{"a", "b"},
	})
	if err != nil {
		log.Fatal(err) // code that fails is no error: its exit code says so
	}
	fmt.Print(out.Stdout)
	fmt.Println(out.State, *out.ExitCode, out.Isolation)
}
