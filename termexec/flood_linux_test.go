package termexec_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/testenv"
	"github.com/toolfacade/toolfacade/sandbox"
	"github.com/toolfacade/toolfacade/termexec"
)

// peak is the highest resident memory since the last call, in bytes.
func peak(t *testing.T) int64 {
	t.Helper()
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(raw), "VmHWM:")
	var kib int64
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		t.Skipf("the peak of memory cannot be reset: %v", err)
	}
	return kib << 10
}

// maxExtra is how much memory a flood may cost the host.
const maxExtra = 16 << 20

// TestFlood writes a lot, 2 GiB with TOOLFACADE_FULL=1, in the foreground and in
// the background, and checks the memory of the host and every offset.
func TestFlood(t *testing.T) {
	size := int64(160 << 20)
	if testenv.Full() {
		size = 2 << 30
	}
	line := fmt.Sprintf("yes 0123456789abcde | head -c %d", size)
	began := time.Now()
	if err := exec.CommandContext(t.Context(), "/bin/sh", "-c", line+" >/dev/null").Run(); err != nil {
		t.Fatal(err)
	}
	plain := time.Since(began)
	term := open(t, t.TempDir(), &termexec.Options{Sandbox: sandbox.None{}, OutputLimit: 4 << 30})
	for name, yield := range map[string]int{"foreground": 0, "background": 3_600_000} {
		t.Run(name, func(t *testing.T) {
			debug.FreeOSMemory()
			before := peak(t)
			began := time.Now()
			out, err := term.RunCommand(t.Context(), facade.TerminalRunInput{Command: line, YieldMS: yield, Timeout: 600})
			took := time.Since(began)
			extra := peak(t) - before
			t.Logf("%d MiB: %.2f times the time of > /dev/null, %.1f MiB of memory", size>>20, took.Seconds()/plain.Seconds(), float64(extra)/(1<<20))
			if err != nil || out.TotalBytes != size || out.State != facade.TaskSucceeded || !out.Truncated {
				t.Fatalf("the flood ends as %s after %d bytes, %v", out.State, out.TotalBytes, err)
			}
			if extra > maxExtra {
				t.Errorf("it took %d bytes of memory, more than %d", extra, int64(maxExtra))
			}
			for _, offset := range []int64{0, 1, 100_003, 50 << 20, size - 200_001, size - 7} {
				checkFlood(t, term, out.TaskID, offset)
			}
			gap := int64(100 << 20) // neither at the start nor at the end
			got, err := term.ProcessOutput(t.Context(), facade.TerminalOutputInput{TaskID: out.TaskID, Offset: &gap})
			if err != nil || got.Offset <= gap || got.Offset < size-300_000 || got.Offset > size {
				t.Errorf("what is not kept gives %d bytes from %d, %v", len(got.Content), got.Offset, err)
			}
		})
	}
}

// checkFlood reads a piece of the flood and compares it with what was written.
func checkFlood(t *testing.T, term *termexec.Terminal, id string, offset int64) {
	t.Helper()
	got, err := term.ProcessOutput(t.Context(), facade.TerminalOutputInput{TaskID: id, Offset: &offset, Limit: 4000})
	if err != nil || got.Offset != offset || got.Content == "" {
		t.Fatalf("from byte %d come %d bytes from %d, %v", offset, len(got.Content), got.Offset, err)
	}
	want := strings.Repeat("0123456789abcde\n", 300)[offset%16:]
	if want = want[:len(got.Content)]; got.Content != want {
		t.Errorf("from byte %d comes %.40q, want %.40q", offset, got.Content, want)
	}
}
