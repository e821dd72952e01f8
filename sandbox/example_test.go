package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/toolfacade/toolfacade/sandbox"
)

// A probe says what a sandbox holds on this machine and, where it does not, why
// and how to get it.
//
//nolint:testableexamples // TestExample runs it where it can
func Example() {
	ctx := context.Background()
	for _, s := range []sandbox.Sandbox{sandbox.Namespaces{}, sandbox.Bubblewrap{}, sandbox.None{}} {
		report := s.Probe(ctx)
		for _, f := range report.Findings {
			if f.Held {
				fmt.Printf("%s holds %s\n", report.Sandbox, f.Capability)
			} else {
				fmt.Printf("%s does not hold %s: %s; %s\n", report.Sandbox, f.Capability, f.Cause, f.Fix)
			}
		}
	}

	// Auto takes the strongest one that works, and none of them is an error:
	// running without is the host's decision.
	box, err := sandbox.Auto(ctx, sandbox.Network)
	if missing, ok := errors.AsType[*sandbox.UnavailableError](err); ok {
		fmt.Println(missing, missing.Fix())
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("using", box.Name())
}

// None holds nothing, and says so.
func ExampleNone() {
	report := sandbox.None{}.Probe(context.Background())
	fmt.Println(report.Sandbox, report.Holds(sandbox.FileWrites))

	box, err := sandbox.Named(context.Background(), "none")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(box.Name())
	// Output:
	// none false
	// none
}
