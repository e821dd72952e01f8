package pyexec_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/pyexec"
	"github.com/toolfacade/toolfacade/sandbox"
)

// TestStandBy looks at the child that waits for the next program: it is there
// only while nothing runs, no program is handed to it twice, and it ends with
// its interpreter.
func TestStandBy(t *testing.T) {
	p := opened(t, t.TempDir(), sandbox.None{}, pyexec.PoolOptions{Size: 1})
	seen := map[string]bool{}
	var parent string
	for range 3 {
		out, err := p.Run(t.Context(), facade.PythonRunInput{Code: `import os
me, parent = os.getpid(), os.getppid()
print(me, parent, len(open(f"/proc/{parent}/task/{parent}/children").read().split()))`})
		var pid, beside string
		if _, scanErr := fmt.Sscan(out.Stdout, &pid, &parent, &beside); err != nil || scanErr != nil {
			t.Fatalf("a run gives %+v, %v, %v", out, err, scanErr)
		}
		if seen[pid] || beside != "1" {
			t.Errorf("a program runs in process %s, one of %s", pid, beside)
		}
		seen[pid] = true
	}
	var waiting string
	for end := time.Now().Add(10 * time.Second); waiting == "" || seen[waiting]; {
		raw, err := os.ReadFile("/proc/" + parent + "/task/" + parent + "/children")
		if err != nil || time.Now().After(end) {
			t.Fatalf("nothing waits for the next program: %v", err)
		}
		waiting = strings.TrimSpace(string(raw))
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Sscan(waiting, &pid); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); syscall.Kill(pid, 0) == nil && !zombie(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("process %d outlives its interpreter", pid)
		}
	}
}

// zombie reports whether a process has ended and nobody has asked how.
func zombie(pid int) bool {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, _ := strings.Cut(string(raw), ") ")
	return err == nil && strings.HasPrefix(after, "Z")
}
