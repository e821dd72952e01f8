//go:build unix

package pyexec_test

import (
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/sandbox"
)

// BenchmarkCost runs the same program directly and through each sandbox, in
// turns, so that a busy machine slows all of them. It reports the ratios of
// the fastest quarter; every output is checked.
func BenchmarkCost(b *testing.B) {
	const path = "/usr/bin/python3"
	if _, err := exec.LookPath(path); err != nil {
		b.Skip(err)
	}
	boxes := []sandbox.Sandbox{sandbox.None{}, sandbox.Namespaces{}, sandbox.Bubblewrap{}}
	took := make([][]time.Duration, len(boxes)+1)
	for b.Loop() {
		start := time.Now()
		out, err := exec.CommandContext(b.Context(), path, "-c", "print(6 * 7)").Output()
		took[0] = append(took[0], time.Since(start))
		if err != nil || string(out) != "42\n" {
			b.Fatalf("%q, %v", out, err)
		}
		for i, box := range boxes {
			p := open(b, b.TempDir(), box)
			if out, err := p.Run(b.Context(), facade.PythonRunInput{Code: "pass"}); err != nil || out.ExitCode == nil {
				b.Fatalf("%+v, %v", out, err) // asks the interpreter once
			}
			start := time.Now()
			out, err := p.Run(b.Context(), facade.PythonRunInput{Code: "print(6 * 7)"})
			took[i+1] = append(took[i+1], time.Since(start))
			if err != nil || out.Stdout != "42\n" {
				b.Fatalf("%+v, %v", out, err)
			}
		}
	}
	direct := quarter(took[0])
	for i, box := range boxes {
		b.ReportMetric(float64(quarter(took[i+1]))/float64(direct), "x-direct/"+box.Name())
	}
}

// quarter is the mean of the fastest quarter.
func quarter(all []time.Duration) time.Duration {
	slices.Sort(all)
	n := max(1, len(all)/4)
	var sum time.Duration
	for _, d := range all[:n] {
		sum += d
	}
	return sum / time.Duration(n)
}
