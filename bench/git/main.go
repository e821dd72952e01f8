// Command git times the reading actions of the git tool beside the bare git
// command that gives the same answer, on a small repository and on one with
// 10,000 commits and 10,000 files: rounds in which both take turns, medians,
// ratios of both times, and limits. It compares the answers, and exits with 1 when they
// differ or a limit is exceeded. The machine should have nothing else to do.
//
//	go run ./git [-rounds 41] [-only history] [-size large]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/gitimpl"
)

// The limits: on the large repository a ratio, on the small one what a call
// takes beyond the bare command.
const (
	mostRatio  = 1.15
	mostBeyond = 2 * time.Millisecond
)

func main() {
	rounds := flag.Int("rounds", 41, "rounds to take the medians of")
	only := flag.String("only", "", "time only actions whose name contains this")
	size := flag.String("size", "", "small or large; both by default")
	flag.Parse()
	ok, err := run(context.Background(), *rounds, *only, *size)
	if err != nil {
		fmt.Fprintln(os.Stderr, "git:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

func run(ctx context.Context, rounds int, only, size string) (ok bool, err error) {
	temp, err := os.MkdirTemp("", "bench")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(temp)
	if err := quiet(temp); err != nil {
		return false, err
	}
	ok = true
	fmt.Printf("%-28s %9s %9s %6s %9s %6s\n", "medians of "+fmt.Sprint(rounds)+" rounds", "ours", "git", "ratio", "beyond", "cpu")
	for _, s := range []scale{{"small", 10, 10}, {"large", 10_000, 10_000}} {
		if size != "" && s.name != size {
			continue
		}
		dir := filepath.Join(temp, s.name)
		if err := s.build(dir); err != nil {
			return false, err
		}
		g, err := gitimpl.New(dir, nil)
		if err != nil {
			return false, err
		}
		defer func() { _ = g.Close() }()
		for _, c := range contests(g.Extended()) {
			if !strings.Contains(c.name, only) {
				continue
			}
			passed, err := c.race(ctx, dir, s, rounds)
			if err != nil {
				return false, fmt.Errorf("%s: %w", c.name, err)
			}
			ok = ok && passed
		}
	}
	return ok, nil
}

// quiet gives both sides the same small configuration.
func quiet(temp string) error {
	config := filepath.Join(temp, "config")
	const private = 0o600
	if err := os.WriteFile(config, []byte("[user]\n\tname = A\n\temail = a@b\n[init]\n\tdefaultBranch = main\n"), private); err != nil {
		return err
	}
	for name, value := range map[string]string{"HOME": temp, "XDG_CONFIG_HOME": temp, "GIT_CONFIG_GLOBAL": config, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}

// race compares the answers, lets both sides take turns, and prints a row.
func (c *contest) race(ctx context.Context, dir string, s scale, rounds int) (bool, error) {
	var ours, bare, oursCPU, bareCPU []time.Duration
	equal := true
	for n := range rounds + 3 { // the first ones warm up
		var mine, theirs sample
		var got string
		var want []byte
		sides := []func() error{
			func() (err error) {
				defer since(now(), &mine)
				got, err = c.ours(ctx)
				return err
			},
			func() (err error) {
				defer since(now(), &theirs)
				cmd := exec.CommandContext(ctx, "git", c.bare...)
				cmd.Dir, cmd.Stderr = dir, os.Stderr
				want, err = cmd.Output()
				return err
			},
		}
		for k := range sides { // each goes first every other round
			if err := sides[(k+n)%len(sides)](); err != nil {
				return false, err
			}
		}
		equal = equal && len(want) > 0 && got == string(want)
		if n >= 3 {
			ours, bare = append(ours, mine.wall), append(bare, theirs.wall)
			oursCPU, bareCPU = append(oursCPU, mine.cpu), append(bareCPU, theirs.cpu)
		}
	}
	a, b := median(ours), median(bare)
	ratio := float64(a) / float64(b)
	cpu := median(oursCPU).Seconds() / median(bareCPU).Seconds()
	note := ""
	switch {
	case !equal:
		note = "  THE ANSWERS DIFFER"
	case s.name == "large" && ratio > mostRatio, s.name == "small" && a-b > mostBeyond:
		note = "  OVER THE LIMIT"
	}
	ms := func(d time.Duration) string { return fmt.Sprintf("%.2f ms", d.Seconds()*1000) }
	fmt.Printf("%-28s %9s %9s %6.2f %9s %6.2f%s\n", s.name+" "+c.name, ms(a), ms(b), ratio, ms(a-b), cpu, note)
	return note == "", nil
}

// sample is a time by the clock, and by the processors, which the load of the
// machine changes less.
type sample struct{ wall, cpu time.Duration }

type moment struct {
	clock time.Time
	cpu   time.Duration
}

func now() moment { return moment{time.Now(), processorTime()} }

func since(began moment, took *sample) {
	*took = sample{time.Since(began.clock), processorTime() - began.cpu}
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}
