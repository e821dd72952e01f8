// Package walk visits the entries of a directory tree with several workers.
//
// On Linux, when the file system hands out directory handles ([DirOpener]),
// directories and files are opened with openat2 relative to such a handle:
// symbolic links are not followed anywhere below the start and other mounts
// are not entered. Elsewhere directories are opened by name through the file
// system, which then answers for its confinement; a directory that is swapped
// for a link between being listed and being opened is followed there.
package walk

import (
	"io/fs"
	"runtime"
	"time"

	"github.com/toolfacade/toolfacade/fsimpl/internal/glob"
	"github.com/toolfacade/toolfacade/fsimpl/internal/ignore"
)

// Type is the kind of an entry, which is never that of a link's target.
type Type uint8

// The kinds of entries. Other is a FIFO, a socket or a device.
const (
	File Type = iota
	Directory
	Symlink
	Other
)

// typeOf returns the kind a mode stands for.
func typeOf(mode fs.FileMode) Type {
	switch mode.Type() {
	case 0:
		return File
	case fs.ModeDir:
		return Directory
	case fs.ModeSymlink:
		return Symlink
	}
	return Other
}

// Entry is something a directory holds.
type Entry struct {
	// Dir is what precedes Name in the path: "" or a text that ends in "/".
	Dir  string
	Name string
	Type Type
	// Info is set when [Options.Stat] asks for it and the entry still exists, and
	// when the walk started at it and it is a file.
	Info *Info
}

// Path returns the entry's path in the file system walked, absolute when the
// start of the walk was.
func (e *Entry) Path() string { return e.Dir + e.Name }

// Info is what stat tells of an entry.
type Info struct {
	Size     int64 // in bytes
	Mode     fs.FileMode
	Modified time.Time
}

// Options say what to visit and how.
type Options struct {
	// Workers is how many directories or batches are worked on at once;
	// 0 means one for each processor, at most 8.
	Workers int
	// Depth is how many levels below the start to visit; 0 means all.
	Depth int
	// Unordered hands over batches as they come. By default they come in the
	// order of [Compare], the same in every run.
	Unordered bool
	// From leaves out all before this path, in the order of [Compare]. It has
	// no effect when Unordered.
	From string
	// IncludeIgnored visits what .gitignore files hide.
	IncludeIgnored bool
	// Git visits ".git" too, which is left out otherwise.
	Git bool
	// Global are rules of the user that come last, like git's
	// core.excludesFile.
	Global *ignore.Rules
	// Include restricts what is handed over, not what is descended into;
	// empty means all. Patterns are compared with the path relative to the
	// start, then with the path relative to the file system's root.
	Include *glob.Set
	// Exclude leaves out entries and all below them.
	Exclude *glob.Set
	// Keep, when not nil, restricts further what is handed over. It is called
	// by several goroutines at once, and before Info is filled in.
	Keep func(*Entry) bool
	// Stat fills in [Entry.Info].
	Stat bool
}

func (o *Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	// Not GOMAXPROCS, which a host may raise while the walk runs.
	return min(runtime.NumCPU(), 8)
}

// maxFailures is how many failures are kept; all are counted.
const maxFailures = 10

// Stats counts the work of a walk. When it was stopped early or is ordered, it
// covers what was handed over, not what was read ahead.
type Stats struct {
	Visited int // entries handed over
	Ignored int // entries hidden by ignore rules; a directory counts as one
	Mounts  int // directories not entered because another file system is mounted there
	Failed  int // directories that could not be read
	// Failures are the first of the failures, with paths.
	Failures []error
}

func (s *Stats) fail(err error) {
	s.Failed++
	if len(s.Failures) < maxFailures {
		s.Failures = append(s.Failures, err)
	}
}

func (s *Stats) add(t *Stats) {
	s.Visited += t.Visited
	s.Ignored += t.Ignored
	s.Mounts += t.Mounts
	s.Failed += t.Failed
	room := maxFailures - len(s.Failures)
	s.Failures = append(s.Failures, t.Failures[:min(room, len(t.Failures))]...)
}

// Compare orders paths as an ordered walk visits them: element by element, by
// bytes, a directory before what it holds. "a", "a/b", "a.txt" are in order.
func Compare(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] == b[i] {
			continue
		}
		switch {
		case a[i] == '/':
			return -1
		case b[i] == '/':
			return 1
		}
		return int(a[i]) - int(b[i])
	}
	return len(a) - len(b)
}
