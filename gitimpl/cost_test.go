package gitimpl_test

import (
	"fmt"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// BenchmarkCost compares each reading action with the bare git command, side
// by side, as medians: on a small repository, and on one with 10,000 commits
// and 10,000 files.
func BenchmarkCost(b *testing.B) {
	for _, size := range []struct {
		name           string
		files, commits int
	}{{"small", 10, 10}, {"large", 10_000, 10_000}} {
		l := newLab(b)
		l.repo("r", "a", "1\n")
		for i := range size.files {
			l.write(fmt.Sprintf("r/d%d/f%d", i%100, i), "content\n")
		}
		l.git("r", "add", "-A")
		l.git("r", "commit", "-qm", "files")
		l.longHistory(size.commits)
		l.git("r", "update-index", "--refresh")
		g := l.open("r", nil)
		ctx := b.Context()
		for _, c := range []struct {
			name  string
			call  func() error
			plain []string
		}{
			{"status", func() error { _, err := g.Status(ctx, facade.GitStatusInput{}); return err }, []string{"status", "--porcelain=v2", "--branch", "-z"}},
			{"diff", func() error { _, err := g.Diff(ctx, facade.GitDiffInput{}); return err }, []string{"diff"}},
			{"history", func() error { _, err := g.History(ctx, facade.GitHistoryInput{}); return err }, []string{"log", "-n10"}},
		} {
			b.Run(size.name+"/"+c.name, func(b *testing.B) {
				var ours, plain []time.Duration
				for b.Loop() {
					start := time.Now()
					if err := c.call(); err != nil {
						b.Fatal(err)
					}
					ours = append(ours, time.Since(start))
					cmd := exec.Command("git", c.plain...)
					cmd.Dir = l.path("r")
					start = time.Now()
					if out, err := cmd.Output(); err != nil {
						b.Fatal(err, out)
					}
					plain = append(plain, time.Since(start))
				}
				slices.Sort(ours)
				slices.Sort(plain)
				o, p := ours[len(ours)/2], plain[len(plain)/2]
				b.ReportMetric(float64(o)/float64(p), "ratio")
				b.ReportMetric(float64((o - p).Microseconds()), "µs-beyond")
			})
		}
	}
}
