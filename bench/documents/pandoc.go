package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// pandocReads are the formats that pandoc reads too.
var pandocReads = []string{"docx", "epub", "html", "ipynb", "odt", "rtf"}

// pandocGoals times reading beside pandoc -t plain, the two in turn, the best
// of three of each. They have to find much the same words: pandoc leaves out
// headers, footers and text in frames, and writes formulas in its own way. Which
// words are right is scored against the reference texts.
func pandocGoals(ctx context.Context, o options) ([]goal, error) {
	program, err := exec.LookPath("pandoc")
	if err != nil {
		fmt.Println("pandoc is not installed: reading is not timed beside it")
		return nil, nil
	}
	r, _, err := newReader(ctx)
	if err != nil {
		return nil, err
	}
	times := map[string]*contest{}
	err = filepath.WalkDir(o.corpus, func(path string, d fs.DirEntry, err error) error {
		format := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
		if err != nil || d.IsDir() || !slices.Contains(pandocReads, format) {
			return err
		}
		if times[format] == nil {
			times[format] = &contest{}
		}
		return times[format].add(ctx, r, program, path)
	})
	var all []goal
	for _, format := range pandocReads {
		if c := times[format]; c != nil && c.documents > 0 {
			all = append(all,
				atMost(fmt.Sprintf("%s, %d documents: time to pandoc -t plain", format, c.documents), "×", float64(c.ours)/float64(c.theirs), 0.1),
				atLeast(format+": words that both find, F1", c.alike/float64(c.documents), 0.8))
		}
	}
	return all, errors.Join(err, r.close())
}

// contest sums up how long documents take both.
type contest struct {
	documents    int
	alike        float64
	ours, theirs time.Duration
}

// add reads a document with both, unless one of them cannot.
func (c *contest) add(ctx context.Context, r *reader, program, path string) error {
	ours, theirs := time.Duration(0), time.Duration(0)
	var same float64
	for round := range 3 {
		start := time.Now()
		text, err := exec.CommandContext(ctx, program, "-t", "plain", path).Output()
		took := time.Since(start)
		if err != nil {
			return ctx.Err() // damaged on purpose
		}
		res, err := r.read(ctx, path)
		if err != nil {
			return ctx.Err()
		}
		if round == 0 {
			ours, theirs = res.took, took
			same = f1(tokens(res.text), tokens(string(text)), 1)
		}
		ours, theirs = min(ours, res.took), min(theirs, took)
	}
	c.documents++
	c.alike += same
	c.ours += ours
	c.theirs += theirs
	return nil
}
