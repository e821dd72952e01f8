//go:build linux

package termexec_test

import (
	"testing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/sandbox"
	"github.com/toolfacade/toolfacade/termexec"
)

// TestMemoryBound runs a command that needs too much, where a bound can be held,
// and is told that it cannot where not.
func TestMemoryBound(t *testing.T) {
	for _, box := range boxes(t) {
		t.Run(box.Name(), func(t *testing.T) {
			term := open(t, t.TempDir(), &termexec.Options{Sandbox: box, Memory: 64 << 20})
			out, err := term.RunCommand(t.Context(), facade.TerminalRunInput{Command: "head -c 300000000 /dev/zero | tail"})
			if box.Name() != "none" && !box.Probe(t.Context()).Holds(sandbox.Memory) || facade.CodeOf(err) == facade.CodeUnavailable {
				if facade.CodeOf(err) != facade.CodeUnavailable {
					t.Errorf("without control groups the run gives %+v, %v", out, err)
				}
				return
			}
			if err != nil || out.State != facade.TaskOOMKilled || out.Reason == "" {
				t.Errorf("the run gives %+v, %v", out, err)
			}
		})
	}
}
