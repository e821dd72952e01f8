// Command documents scores the document tool on a directory of documents beside
// which reference texts lie, and prints a table per format: how much of the
// text, its order, its headings and its tables is found, and how long it takes.
//
//	go run ./documents -corpus DIR [-format pdf] [-each] [-rounds 3]
//	go run ./documents -robust DIR
//	go run ./documents -cells DIR
//	go run ./documents -goals [DIR]
//
// The reference of sources/x.pdf is groundtruth/x.md beside the folder, or
// x.md or expected_outputs/x.md beside the file. With -robust no reference is
// needed: every document is read, and errors, times and memory are counted.
// With -cells the cells of spreadsheets are compared with what excelize reads.
// With -goals it is one table of all of them, beside the goals, and of the index
// and the recognition of scans, for which no directory is needed; it exits with
// 1 when a goal is missed.
// Where pdftotext and pandoc are installed, documents are timed beside them.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.corpus, "corpus", "", "`directory` of documents and reference texts")
	flag.StringVar(&o.robust, "robust", "", "`directory` of documents that must not do harm")
	flag.StringVar(&o.cells, "cells", "", "`directory` of spreadsheets to compare with excelize")
	flag.BoolVar(&o.goals, "goals", false, "print the figures that have goals; the directory, if any, is an argument")
	flag.StringVar(&o.format, "format", "", "score only this `extension`")
	flag.BoolVar(&o.each, "each", false, "print a line per document too")
	flag.IntVar(&o.rounds, "rounds", 3, "rounds to take the medians of times of")
	flag.DurationVar(&o.limit, "limit", 30*time.Second, "longest time of one document with -robust")
	flag.StringVar(&o.dump, "dump", "", "write what was read to this `directory`")
	flag.Parse()
	if o.goals {
		o.corpus = flag.Arg(0)
	}
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "documents:", err)
		os.Exit(1)
	}
}

type options struct {
	corpus, robust, cells, format, dump string
	each, goals                         bool
	rounds                              int
	limit                               time.Duration
}

func run(ctx context.Context, o options) error {
	switch {
	case o.goals:
		return goals(ctx, o)
	case o.robust != "":
		return robust(ctx, o)
	case o.cells != "":
		return cells(ctx, o)
	case o.corpus != "":
		return score(ctx, o)
	}
	return fmt.Errorf("give -corpus, -robust, -cells or -goals")
}
