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
func robust(ctx context.Context, o options) (err error) {
	r, _, err := newReader(ctx)
	if err != nil {
		return err
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
		return err
	}
	codes := map[facade.Code]int{}
	warnings := map[string]int{}
	var slowest time.Duration
	over, whole := 0, 0
	for _, name := range names {
		start := time.Now()
		res, err := r.read(ctx, name)
		took := time.Since(start)
		slowest = max(slowest, took)
		if took > o.limit {
			over++
		}
		if err != nil {
			codes[facade.CodeOf(err)]++
		} else if len(res.output.Warnings) == 0 {
			whole++
		}
		for _, w := range res.output.Warnings {
			warnings[w.Code]++
		}
		if o.each || took > o.limit/3 || err != nil && facade.CodeOf(err) == facade.CodeInternal {
			fmt.Printf("%s: %v, %d bytes, %v %v\n", filepath.Base(name), took.Round(time.Millisecond), len(res.text), err, res.output.Warnings)
		}
	}
	fmt.Printf("%d documents: %d without a warning, %d over %v, slowest %v, peak of memory %d MiB\n", len(names), whole, over, o.limit, slowest.Round(time.Millisecond), peak()>>20)
	for _, c := range sorted(codes) {
		fmt.Printf("error %s: %d\n", c, codes[c])
	}
	for _, c := range sorted(warnings) {
		fmt.Printf("warning %s: %d\n", c, warnings[c])
	}
	if over > 0 || codes[facade.CodeInternal] > 0 {
		return errors.New("a document took too long or broke its parser")
	}
	return nil
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
