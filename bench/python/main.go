// Command python measures what a run of the python tool costs beside executing
// the interpreter directly: without a sandbox, in each that works here, and in
// warm interpreters. The variants take turns, so that a busy machine slows all
// of them; every output is checked. Ratios are of the fastest quarters.
//
//	go run ./python [-rounds 60] [-python /usr/bin/python3]
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
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/pyexec"
	"github.com/toolfacade/toolfacade/sandbox"
)

// variant is one way to run a program.
type variant struct {
	name string
	code string
	want string
	run  func(ctx context.Context, code string) (string, error)
	took []time.Duration
}

// claim is a ratio that has to hold.
type claim struct {
	name, slow, fast string
	most             float64 // of the time of slow to that of fast; 0 for none
	least            float64
}

const (
	plain   = "print(6 * 7)"
	library = "import json, re, pathlib; print(json.dumps(re.findall('[0-9]+', str(pathlib.Path('a1/b22')))))"
	numbers = "import numpy; print(int(numpy.arange(10).sum()))"
)

func main() {
	rounds := flag.Int("rounds", 60, "how often each variant runs")
	python := flag.String("python", "/usr/bin/python3", "the interpreter")
	flag.Parse()
	if err := measure(context.Background(), *rounds, *python); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, rounds int, python string) (err error) {
	direct := func(ctx context.Context, code string) (string, error) {
		out, err := exec.CommandContext(ctx, python, "-c", code).Output()
		return string(out), err
	}
	hasNumpy := exec.CommandContext(ctx, python, "-c", "import numpy").Run() == nil
	variants := []*variant{{name: "direct", code: plain, want: "42\n", run: direct}}
	claims := []claim{{"a cold run", "none", "direct", 1.05, 0}}
	var tools []*pyexec.Python
	defer func() {
		for _, p := range tools {
			err = errors.Join(err, p.Close())
		}
	}()
	add := func(name, code, want string, box sandbox.Sandbox, pool *pyexec.PoolOptions) error {
		p, err := open(ctx, python, box, pool)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		tools = append(tools, p)
		variants = append(variants, &variant{name: name, code: code, want: want, run: func(ctx context.Context, code string) (string, error) {
			out, err := p.Run(ctx, facade.PythonRunInput{Code: code})
			return out.Stdout, err
		}})
		return nil
	}
	for _, box := range []sandbox.Sandbox{sandbox.None{}, sandbox.Namespaces{}, sandbox.Bubblewrap{}} {
		name := box.Name()
		if name != "none" {
			if err := sandbox.Require(ctx, box, sandbox.FileWrites, sandbox.ProcessTree); err != nil {
				fmt.Println("left out:", name, err)
				continue
			}
			claims = append(claims, claim{"a cold run in " + name, name, "direct", 1.7, 0})
		}
		err := errors.Join(
			add(name, plain, "42\n", box, nil),
			add(name+" library", library, "[\"1\", \"22\"]\n", box, nil),
			add(name+" library warm", library, "[\"1\", \"22\"]\n", box, &pyexec.PoolOptions{Size: 1, MaxUses: 10 * rounds, Preload: []string{"json", "re", "pathlib"}}))
		if err != nil {
			return err
		}
		claims = append(claims, claim{"a warm run in " + name, name + " library", name + " library warm", 0, 8})
		if !hasNumpy {
			continue
		}
		err = errors.Join(
			add(name+" numpy", numbers, "45\n", box, nil),
			add(name+" numpy warm", numbers, "45\n", box, &pyexec.PoolOptions{Size: 1, MaxUses: 10 * rounds, Preload: []string{"numpy"}}))
		if err != nil {
			return err
		}
		claims = append(claims, claim{"numpy warm in " + name, name + " numpy", name + " numpy warm", 0, 20})
	}
	if err := race(ctx, rounds, variants); err != nil {
		return err
	}
	return report(variants, claims)
}

// open opens a tool on an empty directory and gets it ready.
func open(ctx context.Context, python string, box sandbox.Sandbox, pool *pyexec.PoolOptions) (*pyexec.Python, error) {
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return nil, err
	}
	opts := &pyexec.Options{Interpreter: python, Pool: pool}
	opts.Sandbox, opts.EndTasks = box, true
	p, err := pyexec.Open(ctx, dir, opts)
	if err != nil {
		return nil, err
	}
	if pool != nil {
		err = p.Warm(ctx)
	}
	return p, err
}

// race lets the variants take turns.
func race(ctx context.Context, rounds int, variants []*variant) error {
	for round := range rounds + 3 {
		for _, v := range variants {
			began := time.Now()
			got, err := v.run(ctx, v.code)
			took := time.Since(began)
			if err != nil || got != v.want {
				return fmt.Errorf("%s wrote %q, %w; want %q", v.name, got, errors.Join(err, errors.New("wrong")), v.want)
			}
			if round >= 3 { // the first ones warm the caches
				v.took = append(v.took, took)
			}
		}
	}
	return nil
}

// quarter is the mean of the fastest quarter.
func (v *variant) quarter() time.Duration {
	slices.Sort(v.took)
	n := max(1, len(v.took)/4)
	var sum time.Duration
	for _, d := range v.took[:n] {
		sum += d
	}
	return sum / time.Duration(n)
}

func report(variants []*variant, claims []claim) error {
	times := map[string]time.Duration{}
	for _, v := range variants {
		times[v.name] = v.quarter()
		fmt.Printf("%-28s %8.2f ms\n", v.name, float64(times[v.name].Microseconds())/1000)
	}
	var failed error
	for _, c := range claims {
		ratio := float64(times[c.slow]) / float64(times[c.fast])
		limit, verdict := fmt.Sprintf("at least %.2f", c.least), "holds"
		if c.most > 0 {
			limit = fmt.Sprintf("at most %.2f", c.most)
		}
		if c.most > 0 && ratio > c.most || ratio < c.least {
			verdict = "fails"
			failed = errors.Join(failed, fmt.Errorf("%s: %.2f, not %s", c.name, ratio, limit))
		}
		fmt.Printf("%-28s %8.2f times, %s: %s\n", c.name, ratio, limit, verdict)
	}
	return failed
}
