// Command sandbox measures what a run costs in the process engine and in each
// sandbox, beside executing the same program directly: rounds in which they take
// turns, every output checked.
//
//	go run ./sandbox [-rounds 200]
//
// It exits with 1 when an output is wrong or a limit is exceeded. The machine
// should have nothing else to do.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/internal/proc"
	"github.com/toolfacade/toolfacade/sandbox"
)

const (
	code = "print(6 * 7)"
	want = "42\n"
)

// way is one way to run the program.
type way struct {
	name  string
	limit float64 // of its median to that of the first way
	run   func(ctx context.Context) (string, error)
	took  []time.Duration // by the clock
	spent []time.Duration // of the processors, ours and the children's
}

func main() {
	rounds := flag.Int("rounds", 200, "how often each way takes its turn")
	flag.Parse()
	if err := run(context.Background(), *rounds); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, rounds int) error {
	// A wrapper script on PATH would be measured otherwise.
	out, err := exec.CommandContext(ctx, "python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		return fmt.Errorf("ask python3 for its program: %w", err)
	}
	python := strings.TrimSpace(string(out))
	if _, err := os.Stat("/usr/bin/python3"); err == nil {
		python = "/usr/bin/python3" // what every sandbox shows
	}
	dir, err := os.MkdirTemp("", "bench-sandbox-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ways := []*way{{name: "direct", run: func(ctx context.Context) (string, error) {
		cmd := exec.CommandContext(ctx, python, "-c", code)
		cmd.Dir, cmd.Env = dir, environment()
		out, err := cmd.Output()
		return string(out), err
	}}}
	for _, c := range []struct {
		box   sandbox.Sandbox
		limit float64
	}{{sandbox.None{}, 1.1}, {sandbox.Namespaces{}, 1.7}, {sandbox.Bubblewrap{}, 1.7}} {
		if err := sandbox.Require(ctx, c.box, sandbox.ProcessTree); err != nil && c.box.Name() != "none" {
			return err
		}
		ways = append(ways, &way{name: c.box.Name(), limit: c.limit, run: func(context.Context) (string, error) {
			return engine(c.box, python, dir)
		}})
	}
	for range rounds {
		for _, w := range ways {
			begin, used := time.Now(), processors()
			out, err := w.run(ctx)
			w.took, w.spent = append(w.took, time.Since(begin)), append(w.spent, processors()-used)
			if err != nil || out != want {
				return fmt.Errorf("%s wrote %q, %w", w.name, out, err)
			}
		}
	}
	return report(ways)
}

func environment() []string { return []string{"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"} }

// engine runs the program as the python and the terminal tool do.
func engine(box sandbox.Sandbox, python, dir string) (string, error) {
	policy := sandbox.Policy{Writable: []string{dir}}
	p, err := proc.Start(proc.Command{
		Path: python, Args: []string{"-c", code}, Env: environment(), Dir: dir, Timeout: time.Minute, SpillDir: dir,
		Contained: box.Name() != "none",
		Launch:    func(c proc.Child) (*os.Process, error) { return box.Start(c, policy) },
	})
	if err != nil {
		return "", err
	}
	r := p.Result()
	if r.ExitCode != 0 {
		return r.Stdout, fmt.Errorf("exit code %d: %s", r.ExitCode, r.Stderr)
	}
	return r.Stdout, p.Log().Close()
}

func report(ways []*way) (err error) {
	fmt.Printf("%-12s %10s %10s %10s %8s %10s %8s\n", "way", "p25", "p50", "p95", "x p50", "cpu p50", "x cpu")
	for _, w := range ways {
		slices.Sort(w.took)
		slices.Sort(w.spent)
		first := ways[0]
		ratio := at(w.took, 50) / at(first.took, 50)
		fmt.Printf("%-12s %8.2fms %8.2fms %8.2fms %8.2f %8.2fms %8.2f\n", w.name, at(w.took, 25), at(w.took, 50), at(w.took, 95), ratio,
			at(w.spent, 50), at(w.spent, 50)/at(first.spent, 50))
		if w.limit > 0 && ratio > w.limit {
			err = errors.Join(err, fmt.Errorf("%s takes %.2f times as long as direct; the limit is %.2f", w.name, ratio, w.limit))
		}
	}
	return err
}

// at is a percentile of sorted times, in milliseconds.
func at(sorted []time.Duration, percent int) float64 {
	return float64(sorted[len(sorted)*percent/100]) / float64(time.Millisecond)
}
