// Command search measures the walk and the content search of the filesystem
// tools beside fd and ripgrep on the source of Linux: rounds in which
// the programs take turns, medians, ratios and limits, then the outputs compared.
//
//	go run ./search [-tree DIR] [-rounds 7]
//
// Without -tree it unpacks Debian's package linux-source into the user's cache
// directory, 1.3 GB. It exits with 1 when outputs differ or a limit is
// exceeded. The machine should have nothing else to do.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/bench/internal/measure"
	"github.com/toolfacade/toolfacade/bench/internal/tree"
)

// contest is one of our commands beside another program's.
type contest struct {
	name   string
	ours   []string
	theirs []string
	// truth is what our output must be equal to, when not that of theirs.
	truth []string
	// key reduces a line of output to what must be equal; "" drops it.
	key   func(line string) string
	limit float64 // of our wall time to theirs
}

// maxMemory is what ours may use at most, in MiB.
const maxMemory = 32

func contests(ours string) []contest {
	list := []contest{
		{
			name: "walk all", ours: []string{ours, "-ignored", "files", "."}, theirs: []string{"fdfind", "-u", "."},
			key: func(line string) string { return strings.TrimPrefix(line, "./") }, limit: 0.65,
		},
		{
			name: "walk with ignore rules", ours: []string{ours, "files", "."}, theirs: []string{"rg", "--no-config", "--files", "--hidden"},
			truth: []string{"git", "-c", "core.quotePath=false", "ls-files", "-o", "--exclude-standard"}, key: notDirectory, limit: 0.5,
		},
	}
	for _, p := range []struct {
		name, pattern string
		limit         float64
	}{
		{"common literal", "EINVAL", 1.05},
		{"rare literal", "spin_lock_nest_lock", 1.2},
		{"ignoring case", "(?i)deadlock", 1.05},
		{"alternation", "spin_lock_irq|mutex_lock_nested|rcu_read_unlock", 1.05},
		{"class and literal", `\w+_irqsave\(`, 1.05},
		{"literals and classes", `static\s+inline\s+\w+_t`, 1.05},
		{"no literal", "[A-Z]{3,}_[0-9]{5,}", 1.0},
	} {
		list = append(list, contest{
			name: p.name + " " + p.pattern, ours: []string{ours, "-ignored", "grep", p.pattern, "."},
			theirs: []string{"rg", "--no-config", "-n", "--no-heading", "-uu", p.pattern, "."}, key: place, limit: p.limit,
		})
	}
	return list
}

func notDirectory(line string) string {
	if strings.HasSuffix(line, "/") {
		return ""
	}
	return line
}

// place is the path and line number of a match: how the text is shown differs
// where it is not UTF-8 or ends in "\r".
func place(line string) string {
	parts := strings.SplitN(line, ":", 3)
	return strings.TrimPrefix(strings.Join(parts[:min(2, len(parts))], ":"), "./")
}

func main() {
	dir := flag.String("tree", "", "directory to search; it becomes a git repository")
	rounds := flag.Int("rounds", 7, "rounds to take the medians of")
	flag.Parse()
	ok, err := run(*dir, *rounds)
	if err != nil {
		fmt.Fprintln(os.Stderr, "search:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

func run(dir string, rounds int) (ok bool, err error) {
	if dir, err = tree.Prepare(dir); err != nil {
		return false, err
	}
	temp, err := os.MkdirTemp("", "bench")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(temp)
	ours := filepath.Join(temp, "searchcmd")
	build := exec.Command("go", "build", "-o", ours, "./fsimpl/internal/searchcmd")
	build.Dir, build.Stderr = "..", os.Stderr
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // nothing here needs the dynamic loader
	if err := build.Run(); err != nil {
		return false, fmt.Errorf("build (run from the directory bench): %w", err)
	}
	ok = true
	fmt.Printf("%-62s %9s %9s %6s %6s %5s %7s\n", "medians of "+fmt.Sprint(rounds)+" rounds", "ours", "theirs", "wall", "limit", "cpu", "memory")
	list := contests(ours)
	for _, c := range list {
		passed, err := c.race(dir, rounds)
		if err != nil {
			return false, fmt.Errorf("%s: %w", c.name, err)
		}
		ok = ok && passed
	}
	// A child is charged with the memory its parent had when it started, so
	// outputs are held only after the races.
	for _, c := range list {
		equal, err := c.equal(dir)
		if err != nil {
			return false, fmt.Errorf("%s: %w", c.name, err)
		}
		if !equal {
			ok = false
			fmt.Println("OUTPUTS DIFFER:", c.name)
		}
	}
	if ok {
		fmt.Println("all outputs are equal")
	}
	return ok, nil
}

// equal compares the outputs.
func (c *contest) equal(dir string) (bool, error) {
	truth := c.truth
	if truth == nil {
		truth = c.theirs
	}
	want, err := c.output(dir, truth)
	if err != nil {
		return false, err
	}
	got, err := c.output(dir, c.ours)
	if err != nil {
		return false, err
	}
	return len(want) > 0 && slices.Equal(want, got), nil
}

func (c *contest) output(dir string, args []string) ([]string, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%q: %w", args, err)
	}
	var keys []string
	for line := range strings.Lines(string(out)) {
		if key := c.key(strings.TrimSuffix(line, "\n")); key != "" {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}

// race lets the programs take turns and prints a row.
func (c *contest) race(dir string, rounds int) (bool, error) {
	var ours, theirs []measure.Sample
	for range rounds {
		for _, side := range []struct {
			args []string
			to   *[]measure.Sample
		}{{c.theirs, &theirs}, {c.ours, &ours}} {
			s, err := measure.Run(dir, side.args)
			if err != nil {
				return false, err
			}
			*side.to = append(*side.to, s)
		}
	}
	a, b := measure.Median(ours), measure.Median(theirs)
	wall, cpu := float64(a.Wall)/float64(b.Wall), float64(a.CPU)/float64(b.CPU)
	passed := wall <= c.limit && a.Memory <= maxMemory<<10
	note := ""
	if !passed {
		note = "  OVER THE LIMIT"
	}
	ms := func(d time.Duration) string { return fmt.Sprintf("%d ms", d.Milliseconds()) }
	fmt.Printf("%-62s %9s %9s %6.2f %6.2f %5.2f %3d MiB%s\n", c.name, ms(a.Wall), ms(b.Wall), wall, c.limit, cpu, a.Memory>>10, note)
	return passed, nil
}
