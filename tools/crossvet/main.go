// Command crossvet type-checks and vets the packages below the current folder,
// tests included, for other systems than this one:
//
//	crossvet linux/arm64 darwin/arm64
//
// It reads dependencies from source in place of compiling them, which "go vet"
// does anew for every system and which takes a small machine an hour. The
// analyzers are those of "go vet" but the few that need facts of dependencies,
// as of printf wrappers; those do not depend on the system.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/packages"
)

func main() {
	analyzers := factless(vet.Suite)
	failed := false
	for _, target := range os.Args[1:] {
		if err := check(target, analyzers); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", target, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// check loads and analyzes what target, as "linux/arm64", builds, and prints
// what it finds.
func check(target string, analyzers []*analysis.Analyzer) error {
	system, arch, ok := strings.Cut(target, "/")
	if !ok {
		return errors.New("a target is a system and an architecture, as linux/arm64")
	}
	pkgs, err := packages.Load(&packages.Config{
		Mode:  packages.LoadAllSyntax | packages.NeedModule,
		Env:   append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0"),
		Tests: true,
	}, "./...")
	if err != nil {
		return err
	}
	if len(pkgs) == 0 {
		return errors.New("no packages")
	}
	if n := packages.PrintErrors(pkgs); n > 0 {
		return fmt.Errorf("%d errors", n)
	}
	graph, err := checker.Analyze(analyzers, pkgs, nil)
	if err != nil {
		return err
	}
	findings := 0
	for _, action := range graph.Roots {
		if action.Err != nil {
			return action.Err
		}
		findings += len(action.Diagnostics)
	}
	if findings == 0 {
		return nil
	}
	if err := graph.PrintText(os.Stderr, 0); err != nil {
		return err
	}
	return fmt.Errorf("%d findings", findings)
}

// factless returns the analyzers that work on a package alone.
func factless(all []*analysis.Analyzer) []*analysis.Analyzer {
	var kept []*analysis.Analyzer
	for _, a := range all {
		if !needsFacts(a) {
			kept = append(kept, a)
		}
	}
	return kept
}

func needsFacts(a *analysis.Analyzer) bool {
	if len(a.FactTypes) > 0 {
		return true
	}
	for _, r := range a.Requires {
		if needsFacts(r) {
			return true
		}
	}
	return false
}
