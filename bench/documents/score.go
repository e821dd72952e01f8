package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// pair is a document with its reference.
type pair struct{ doc, truth, format string }

// pairs finds the documents below a directory that have a reference.
func pairs(root, format string) ([]pair, error) {
	var out []pair
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		ext := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
		if ext == "" || ext == "md" && filepath.Base(filepath.Dir(path)) != "sources" || format != "" && ext != format {
			return nil
		}
		dir, base := filepath.Dir(path), strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		for _, truth := range []string{
			filepath.Join(dir, "..", "groundtruth", base+".md"),
			filepath.Join(dir, "..", "groundtruth", filepath.Base(path)+".md"),
			expected(dir, base, ext),
			filepath.Join(dir, base+".md"),
		} {
			if info, err := os.Stat(truth); err == nil && info.Mode().IsRegular() && truth != path {
				out = append(out, pair{path, truth, ext})
				break
			}
		}
		return nil
	})
	return out, err
}

// expected is the reference in a folder of its own; of documents in several
// formats that share a name it is the PDF's.
func expected(dir, base, ext string) string {
	if alike, err := filepath.Glob(filepath.Join(dir, base+".*")); err == nil && len(alike) > 1 && ext != "pdf" {
		return ""
	}
	return filepath.Join(dir, "expected_outputs", base+".md")
}

// scores sums up documents.
type scores struct {
	format                  string
	n, failed               int
	token, bigram           float64
	headings                float64
	withHeadings            int
	tables                  float64
	tableCount, extra       int
	took, cpu, popplerCPU   time.Duration
	popplerTook             time.Duration
	popplerToken, popplerBi float64
	popplerN                int
	slowest                 time.Duration
}

// score prints a line per format.
func score(ctx context.Context, o options) error {
	list, ready, err := scored(ctx, o)
	if err != nil {
		return err
	}
	fmt.Printf("ready after %d ms\n", ready.Milliseconds())
	fmt.Println("format docs failed token-F1 bigram-F1 headings tables(n,extra) ms-sum slowest-ms | pdftotext -layout: token-F1 bigram-F1, wall and CPU time of ours to its")
	for _, s := range list {
		s.print()
	}
	return nil
}

// scored scores the documents of a directory by their formats.
func scored(ctx context.Context, o options) (list []*scores, ready time.Duration, err error) {
	all, err := pairs(o.corpus, o.format)
	if err != nil {
		return nil, 0, err
	}
	r, ready, err := newReader(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	byFormat := map[string]*scores{}
	for _, p := range all {
		s := byFormat[p.format]
		if s == nil {
			s = &scores{format: p.format}
			byFormat[p.format] = s
		}
		if err := one(ctx, r, p, s, o); err != nil {
			return nil, 0, err
		}
	}
	for _, s := range byFormat {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *scores) int { return cmp.Compare(a.format, b.format) })
	return list, ready, nil
}

func (s *scores) print() {
	n := float64(max(s.n, 1))
	fmt.Printf("%-6s %4d %6d %8.3f %9.3f %8.3f %6.3f(%d,%d) %6d %6d", s.format, s.n, s.failed, s.token/n, s.bigram/n,
		s.headings/float64(max(s.withHeadings, 1)), s.tables/float64(max(s.tableCount, 1)), s.tableCount, s.extra,
		s.took.Milliseconds(), s.slowest.Milliseconds())
	if s.popplerN > 0 {
		fmt.Printf(" | %.3f %.3f %.2f %.2f", s.popplerToken/float64(s.popplerN), s.popplerBi/float64(s.popplerN),
			float64(s.took)/float64(s.popplerTook), float64(s.cpu)/float64(s.popplerCPU))
	}
	fmt.Println()
}

// one scores a document.
func one(ctx context.Context, r *reader, p pair, s *scores, o options) error {
	truth, err := os.ReadFile(p.truth)
	if err != nil {
		return err
	}
	var res result
	var times, theirs, cpus, theirCPUs []time.Duration
	want := tokens(string(truth))
	if len(want) == 0 {
		return nil // nothing to compare with
	}
	for range max(o.rounds, 1) {
		before := used()
		if res, err = r.read(ctx, p.doc); err != nil {
			break
		}
		cpus = append(cpus, used()-before)
		times = append(times, res.took)
		if p.format == "pdf" {
			if took, cpu, text, ok := poppler(ctx, p.doc); ok {
				theirs = append(theirs, took)
				theirCPUs = append(theirCPUs, cpu)
				if len(theirs) == 1 {
					s.popplerN++
					s.popplerToken += f1(tokens(text), want, 1)
					s.popplerBi += f1(tokens(text), want, 2)
				}
			}
		}
	}
	s.n++
	if err != nil {
		s.failed++
		fmt.Printf("%s: %v\n", p.doc, err)
		return nil
	}
	took := middle(times)
	s.took += took
	s.slowest = max(s.slowest, took)
	s.popplerTook += middle(theirs)
	s.cpu += middle(cpus)
	s.popplerCPU += middle(theirCPUs)
	got := tokens(res.text)
	token, bigram := f1(got, want, 1), f1(got, want, 2)
	s.token += token
	s.bigram += bigram
	titles := headings(string(truth))
	head := headingScore(headings(res.text), titles)
	if len(titles) > 0 {
		s.headings += head
		s.withHeadings++
	}
	sum, n, extra := tableScore(readTables(res.tables), truthTables(string(truth)))
	s.tables += sum
	s.tableCount += n
	s.extra += extra
	if o.each {
		fmt.Printf("%-50s token %.3f bigram %.3f headings %.3f (%d) tables %.2f/%d +%d  %d ms of CPU (pdftotext %d)\n", filepath.Base(p.doc), token, bigram,
			head, len(titles), sum, n, extra, middle(cpus).Milliseconds(), middle(theirCPUs).Milliseconds())
	}
	if o.dump != "" {
		return os.WriteFile(filepath.Join(o.dump, filepath.Base(p.doc)+".md"), []byte(res.text), 0o600)
	}
	return nil
}

func middle(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// poppler runs pdftotext -layout on a document.
func poppler(ctx context.Context, path string) (took, cpu time.Duration, text string, ok bool) {
	program, err := exec.LookPath("pdftotext")
	if err != nil {
		return 0, 0, "", false
	}
	start := time.Now()
	cmd := exec.CommandContext(ctx, program, "-layout", path, "-")
	out, err := cmd.Output()
	if err != nil {
		return 0, 0, "", false
	}
	return time.Since(start), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), string(out), true
}
