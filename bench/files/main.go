// Command files measures the filesystem tool beside the programs and functions
// that people use instead, in rounds in which they take turns, and compares what
// they did:
//
//		go run ./files [-rounds 7] [-only lines,replace,confined,call,server] [-npm DIR] [-tree DIR]
//
//	  - lines: lines 1,000,000 to 1,000,100 of a file of 2 GB, and sed
//	  - replace: every match in 100 MB of source, and sed with the same guarantees
//	    and with none; the source is that of -tree, else of Debian's package
//	    linux-source
//	  - confined: stat, and open and read, below a root, and package os
//	  - call: read of 1 KB through Tool.Call, and os.ReadFile
//	  - server: the MCP server over stdio, and the reference server in npm; the
//	    processor time of the servers counts
//
// It writes some 3 GB to the user's cache directory and removes them. -npm names
// a directory with the installed package; without it npm installs it. It exits
// with 1 when results differ or a limit is exceeded. The machine should have
// nothing else to do.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// bench is what the parts share.
type bench struct {
	dir    string // for the files to work on
	self   string // this program
	npm    string
	tree   string
	rounds int
	failed bool
}

func main() {
	rounds := flag.Int("rounds", 7, "rounds to take the medians of")
	only := flag.String("only", "lines,replace,confined,call,server", "what to measure")
	npm := flag.String("npm", "", "directory in which npm has installed the reference server")
	tree := flag.String("tree", "", "directory with C files to replace text in; it becomes a git repository")
	do := flag.String("do", "", "used by this program itself: do one thing as a program of its own")
	flag.Parse()
	if *do != "" {
		if err := perform(context.Background(), *do, flag.Args()); err != nil {
			fmt.Fprintln(os.Stderr, "files:", err)
			os.Exit(1)
		}
		return
	}
	ok, err := run(*rounds, strings.Split(*only, ","), *npm, *tree)
	if err != nil {
		fmt.Fprintln(os.Stderr, "files:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

func run(rounds int, only []string, npm, tree string) (bool, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return false, err
	}
	if err := os.MkdirAll(filepath.Join(cache, "toolfacade-bench"), 0o755); err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp(filepath.Join(cache, "toolfacade-bench"), "files-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	if err != nil {
		return false, err
	}
	b := &bench{dir: dir, self: self, npm: npm, tree: tree, rounds: rounds}
	fmt.Printf("%-46s %11s %11s %6s %6s %5s %7s\n", fmt.Sprintf("medians of %d rounds", rounds), "ours", "theirs", "ratio", "limit", "cpu", "memory")
	for _, part := range []struct {
		name string
		run  func() error
	}{{"lines", b.lines}, {"replace", b.replace}, {"confined", b.confined}, {"call", b.call}, {"server", b.server}} {
		if !slices.Contains(only, part.name) {
			continue
		}
		if err := part.run(); err != nil {
			return false, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return !b.failed, nil
}

// row prints a row and notes whether it is within the limits; 0 is none.
func (b *bench) row(name, ours, theirs string, ratio, limit float64, rest string, good bool) {
	note := ""
	if limit > 0 && ratio > limit || !good {
		b.failed, note = true, "  OVER THE LIMIT"
	}
	fmt.Printf("%-46s %11s %11s %6.2f %6.2f %s%s\n", name, ours, theirs, ratio, limit, rest, note)
}

// differ reports results that are not the same.
func (b *bench) differ(name string) {
	b.failed = true
	fmt.Println("RESULTS DIFFER:", name)
}
