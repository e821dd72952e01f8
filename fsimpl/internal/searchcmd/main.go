// Command searchcmd prints what the walk and the content search find, in the
// form of find and grep, so that benchmarks can put them beside other
// programs. A directory is printed with a '/' at its end.
//
//	searchcmd [-ignored] [-ordered] [-workers N] files DIR
//	searchcmd [-ignored] [-ordered] [-workers N] grep PATTERN DIR
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/fsimpl/internal/search"
	"github.com/toolfacade/toolfacade/fsimpl/internal/walk"
)

func main() {
	ignored := flag.Bool("ignored", false, "visit what .gitignore files hide, and .git")
	ordered := flag.Bool("ordered", false, "print in the order of paths")
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "number of workers")
	flag.Parse()
	opt := walk.Options{Unordered: !*ordered, Workers: *workers, IncludeIgnored: *ignored, Git: *ignored}
	out := bufio.NewWriterSize(os.Stdout, 64<<10)
	err := run(flag.Args(), opt, out)
	if ferr := out.Flush(); err == nil {
		err = ferr
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "searchcmd:", err)
		os.Exit(1)
	}
}

func run(args []string, opt walk.Options, out *bufio.Writer) error {
	switch {
	case len(args) == 2 && args[0] == "files":
		return files(args[1], &opt, out)
	case len(args) == 3 && args[0] == "grep":
		return grep(args[1], args[2], &opt, out)
	}
	return fmt.Errorf("want 'files DIR' or 'grep PATTERN DIR', got %q", args)
}

// handles is a directory of the system that hands out directory handles.
type handles struct {
	afero.Fs
	dir string
}

func open(dir string) handles {
	return handles{afero.NewBasePathFs(afero.NewOsFs(), dir), dir}
}

// OpenDir implements [walk.DirOpener].
func (h handles) OpenDir(name string) (*os.File, error) {
	return os.Open(filepath.Join(h.dir, name))
}

// files prints the paths of all entries.
func files(dir string, opt *walk.Options, out *bufio.Writer) error {
	list := func(_ context.Context, b *walk.Batch, emit func([]walk.Entry, int) bool) error {
		emit(b.Entries, 0)
		return nil
	}
	_, err := walk.Run(context.Background(), open(dir), ".", opt, list, func(entries []walk.Entry) bool {
		for i := range entries {
			e := &entries[i]
			out.WriteString(e.Dir) // a bufio.Writer keeps the first error
			out.WriteString(e.Name)
			if e.Type == walk.Directory {
				out.WriteByte('/')
			}
			out.WriteByte('\n')
		}
		return true
	})
	return err
}

// grep prints the matching lines.
func grep(pattern, dir string, opt *walk.Options, out *bufio.Writer) error {
	p, err := search.Compile("pattern", []string{pattern}, nil)
	if err != nil {
		return err
	}
	options := &search.TreeOptions{Walk: *opt, Scope: search.Scope{MaxContent: 1 << 20}}
	var number []byte
	_, err = search.Tree(context.Background(), open(dir), ".", p, options, func(f *search.FileMatches) bool {
		for i := range f.Matches {
			m := &f.Matches[i]
			number = append(strconv.AppendInt(append(number[:0], ':'), m.Line, 10), ':')
			out.WriteString(f.Path)
			out.Write(number)
			out.WriteString(m.Content)
			out.WriteByte('\n')
		}
		return true
	})
	return err
}
