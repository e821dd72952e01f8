package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// goal is a figure that has to be reached.
type goal struct {
	what, limit, figure string
	ok                  bool
}

func atLeast(what string, figure, limit float64) goal {
	return goal{what, fmt.Sprintf("≥ %.2f", limit), fmt.Sprintf("%.3f", figure), figure >= limit}
}

func atMost(what, unit string, figure, limit float64) goal {
	return goal{what, fmt.Sprintf("≤ %g%s", limit, unit), fmt.Sprintf("%.2f%s", figure, unit), figure <= limit}
}

// goals prints the figures that have goals: those of the directory first, since
// the peak of memory is that of the process.
func goals(ctx context.Context, o options) error {
	var all []goal
	parts := []func(context.Context, options) ([]goal, error){indexGoals, scanGoals}
	if o.corpus != "" {
		parts = append([]func(context.Context, options) ([]goal, error){hostileGoals, textGoals, cellGoals, pandocGoals}, parts...)
	} else {
		fmt.Println("no directory of documents and reference texts was given: reading is not scored")
	}
	for _, part := range parts {
		got, err := part(ctx, o)
		if err != nil {
			return err
		}
		all = append(all, got...)
	}
	missed := 0
	for _, g := range all {
		verdict := "reached"
		if !g.ok {
			verdict = "MISSED"
			missed++
		}
		fmt.Printf("%-58s %-10s %-30s %s\n", g.what, g.limit, g.figure, verdict)
	}
	if missed > 0 {
		return fmt.Errorf("%d of %d goals are missed", missed, len(all))
	}
	return nil
}

// hostileGoals are about the folder pdfjs of the directory, if it has one.
func hostileGoals(ctx context.Context, o options) ([]goal, error) {
	o.robust, o.format = filepath.Join(o.corpus, "pdfjs"), "pdf"
	if _, err := os.Stat(o.robust); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	s, err := survived(ctx, o)
	if err != nil {
		return nil, err
	}
	return []goal{
		atMost(fmt.Sprintf("calls over %v, of %d hostile PDF documents", o.limit, s.documents), "", float64(s.over), 0),
		atMost("crashes of a parser on them", "", float64(s.codes["internal"]), 0),
		atMost("peak of memory on them", " MiB", float64(peak()>>20), 400),
	}, nil
}

// least are the scores that formats have to reach.
var least = map[string]float64{"docx": 0.92, "odt": 0.95, "pptx": 0.90, "epub": 0.96, "rtf": 0.95, "eml": 0.95}

func textGoals(ctx context.Context, o options) ([]goal, error) {
	list, _, err := scored(ctx, o)
	if err != nil {
		return nil, err
	}
	r, ready, err := newReader(ctx) // the code is in the cache by now
	if err != nil {
		return nil, err
	}
	all := []goal{atMost("ready to read PDF with the cache", " ms", float64(ready.Milliseconds()), 250)}
	for _, s := range list {
		n := float64(max(s.n, 1))
		limit, ok := least[s.format]
		switch {
		case ok:
			all = append(all, atLeast(fmt.Sprintf("%s, %d documents: token F1", s.format, s.n), s.token/n, limit))
		case s.format == "pdf":
			all = append(all,
				atLeast(fmt.Sprintf("pdf, %d documents: token F1", s.n), s.token/n, 0.89),
				atLeast("pdf: bigram F1", s.bigram/n, 0.91),
				atLeast(fmt.Sprintf("pdf, %d tables: score like TEDS", s.tableCount), s.tables/float64(max(s.tableCount, 1)), 0.60),
				atLeast("pdf: headings", s.headings/float64(max(s.withHeadings, 1)), 0.70))
			if s.popplerN > 0 {
				all = append(all, atMost("pdf with tables: CPU time to pdftotext -layout", "×", float64(s.cpu)/float64(s.popplerCPU), 6))
			}
		}
	}
	return all, r.close()
}

func cellGoals(ctx context.Context, o options) ([]goal, error) {
	o.cells = o.corpus
	same, all, err := alikeCells(ctx, o)
	return []goal{atLeast(fmt.Sprintf("xlsx, %d cells: as excelize reads them", all), float64(same)/float64(max(all, 1)), 0.99)}, err
}
