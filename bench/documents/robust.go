package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// robust reads every document below a directory and counts what happened. That
// the process lives to print it is a part of the result.
func robust(ctx context.Context, o options) error {
	s, err := survived(ctx, o)
	if err != nil {
		return err
	}
	fmt.Printf("%d documents: %d without a warning, %d over %v, slowest %v, peak of memory %d MiB\n",
		s.documents, s.whole, s.over, o.limit, s.slowest.Round(time.Millisecond), peak()>>20)
	for _, c := range sorted(s.codes) {
		fmt.Printf("error %s: %d\n", c, s.codes[c])
	}
	for _, c := range sorted(s.warnings) {
		fmt.Printf("warning %s: %d\n", c, s.warnings[c])
	}
	if s.over > 0 || s.codes[facade.CodeInternal] > 0 {
		return errors.New("a document took too long or broke its parser")
	}
	return nil
}

// survival is what became of documents that must not do harm.
type survival struct {
	documents, whole, over int
	slowest                time.Duration
	codes                  map[facade.Code]int
	warnings               map[string]int
}

// survived reads every document below a directory.
func survived(ctx context.Context, o options) (s survival, err error) {
	r, _, err := newReader(ctx)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	var names []string
	err = filepath.WalkDir(o.robust, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (o.format == "" || strings.EqualFold(filepath.Ext(path), "."+o.format)) {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		return s, err
	}
	s = survival{documents: len(names), codes: map[facade.Code]int{}, warnings: map[string]int{}}
	for _, name := range names {
		start := time.Now()
		res, err := r.read(ctx, name)
		took := time.Since(start)
		s.slowest = max(s.slowest, took)
		if took > o.limit {
			s.over++
		}
		if err != nil {
			s.codes[facade.CodeOf(err)]++
		} else if len(res.output.Warnings) == 0 {
			s.whole++
		}
		for _, w := range res.output.Warnings {
			s.warnings[w.Code]++
		}
		if o.each || took > o.limit/3 || err != nil && facade.CodeOf(err) == facade.CodeInternal {
			fmt.Printf("%s: %v, %d bytes, %v %v\n", filepath.Base(name), took.Round(time.Millisecond), len(res.text), err, res.output.Warnings)
		}
	}
	return s, nil
}

func sorted[K ~string](m map[K]int) []K {
	var keys []K
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// reserved is the memory that Go has taken from the system.
func reserved() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
