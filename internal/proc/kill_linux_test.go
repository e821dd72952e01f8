package proc

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/internal/testenv"
)

// python is an interpreter that is no wrapper script.
func python(t testing.TB) string {
	t.Helper()
	if _, err := os.Stat("/usr/bin/python3"); err == nil {
		return "/usr/bin/python3"
	}
	return testenv.NeedProgram(t, "python3")
}

// survives reports whether a process runs on. One that was killed may still be
// on its way out, beyond its own code.
func survives(pid int) bool {
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if !alive(pid) {
			return false
		}
	}
	return true
}

// alive reports whether a process runs.
func alive(pid int) bool {
	s, ok := readStat(pid)
	return ok && s.state != 'Z' && s.state != 'X'
}

// escape starts the script and returns the id of the process that tries to
// outlive it.
func escape(t testing.TB, args ...string) (*Process, int) {
	t.Helper()
	script, err := filepath.Abs("testdata/escape.py")
	if err != nil {
		t.Fatal(err)
	}
	c := Command{
		Path: python(t), Args: append([]string{"-u", script}, args...),
		Env: os.Environ(), Dir: t.TempDir(), SpillDir: t.TempDir(), Grace: 20 * time.Millisecond,
	}
	p := begin(t, c)
	if err := p.Log().Wait(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	out, err := p.Log().Read(0, 100)
	if err != nil {
		t.Fatal(err)
	}
	line := strings.TrimSpace(string(out.Data))
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatalf("the script wrote %q", line)
	}
	return p, pid
}

var kinds = []string{"child", "setpgid", "setsid", "daemon", "ignoreterm", "clearenv"}

func TestStopKillsTheTree(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			p, pid := escape(t, kind)
			if !alive(pid) {
				t.Fatal("the process to kill does not run")
			}
			p.Stop()
			if r := finish(t, p); r.Cause != Canceled || len(r.Leaked) > 0 {
				t.Errorf("cause %v, leaked %v", r.Cause, r.Leaked)
			}
			if survives(pid) {
				t.Errorf("%d survived", pid)
				killProcess(Survivor{PID: pid})
			}
		})
	}
}

func TestEndKillsWhatIsLeft(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			p, pid := escape(t, kind, "end")
			if r := finish(t, p); r.Cause != Exited || r.ExitCode != 0 || len(r.Leaked) > 0 {
				t.Errorf("the result is %+v", r)
			}
			if survives(pid) {
				t.Errorf("%d survived", pid)
				killProcess(Survivor{PID: pid})
			}
		})
	}
}

func TestStopIsQuick(t *testing.T) {
	runs := 40
	if testenv.Full() {
		runs = 200
	}
	took := make([]time.Duration, runs)
	for i := range took {
		p := begin(t, shell(t, "trap '' INT; sleep 600 & echo on; wait; sleep 600"))
		if err := p.Log().Wait(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		p.Stop()
		finish(t, p)
		took[i] = time.Since(start)
	}
	slices.Sort(took)
	p99 := took[len(took)*99/100]
	t.Logf("stop of %d processes that ignore INT: p50 %v, p99 %v", runs, took[runs/2], p99)
	limit := 500 * time.Millisecond
	if !testenv.Full() {
		limit *= 4 // beside other tests on a busy machine
	}
	if p99 > limit {
		t.Errorf("p99 is %v, want at most %v", p99, limit)
	}
}

func descriptors(t testing.TB) int {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(fds)
}

func TestNothingLeaks(t *testing.T) {
	tasks := 100
	if testenv.Full() {
		tasks = 1000
	}
	spill := t.TempDir()
	run := func(line string) {
		c := shell(t, line)
		c.SpillDir, c.Stdin = spill, "x"
		p, err := Start(c)
		if err != nil {
			t.Fatal(err)
		}
		finish(t, p)
		if err := p.Log().Close(); err != nil {
			t.Fatal(err)
		}
	}
	run("true")
	fds, routines := descriptors(t), runtime.NumGoroutine()
	for i := range tasks {
		run([]string{"true", "head -c 300000 /dev/zero", "setsid sleep 600 & exit 1", "cat >/dev/null"}[i%4])
	}
	time.Sleep(20 * time.Millisecond)
	if now := descriptors(t); now > fds+1 {
		t.Errorf("%d descriptors, before %d", now, fds)
	}
	if now := runtime.NumGoroutine(); now > routines+1 {
		t.Errorf("%d goroutines, before %d", now, routines)
	}
	if left, err := os.ReadDir(spill); err != nil || len(left) > 0 {
		t.Errorf("files left: %v, %v", left, err)
	}
}

func TestManyAtOnce(t *testing.T) {
	all := make([]*Process, 64)
	for i := range all {
		all[i] = begin(t, shell(t, "echo on; sleep 600"))
	}
	for _, p := range all {
		if err := p.Log().Wait(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		p.Stop()
	}
	for _, p := range all {
		if r := finish(t, p); r.Stdout != "on\n" || len(r.Leaked) > 0 || alive(p.PID()) {
			t.Errorf("the result is %+v", r)
		}
	}
}

// TestNeighbors runs commands side by side whose ends and starts overlap: none
// may take another's process, just forked, for its own.
func TestNeighbors(t *testing.T) {
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 60 {
				c := shell(t, "exit 3")
				if i%2 == 0 {
					c.Limits = Limits{OpenFiles: 64} // another way to start
				}
				p, err := Start(c)
				if err != nil {
					t.Error(err)
					return
				}
				if r := p.Result(); r.ExitCode != 3 {
					t.Errorf("the result is %+v", r)
				}
			}
		})
	}
	all.Wait()
}

func TestFlood(t *testing.T) {
	size := int64(128 << 20)
	if testenv.Full() {
		size = 2 << 30
	}
	c := shell(t, "yes | head -c "+strconv.FormatInt(size, 10))
	p := begin(t, c)
	var peak, before uint64
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before = m.Sys
	for running := true; running; {
		select {
		case <-p.Done():
			running = false
		case <-time.After(20 * time.Millisecond):
		}
		runtime.ReadMemStats(&m)
		peak = max(peak, m.Sys)
	}
	r := finish(t, p)
	if r.TotalBytes != size || r.Whole {
		t.Errorf("%d bytes, want %d", r.TotalBytes, size)
	}
	if grown := peak - before; grown > 16<<20 {
		t.Errorf("memory grew by %d MiB", grown>>20)
	}
	for at, want := range map[int64]int64{0: 0, DefaultSpill - 2: DefaultSpill - 2, DefaultSpill: size - tailLog, size - 2: size - 2} {
		got, err := p.Log().Read(at, 2)
		if err != nil || got.Offset != want || string(got.Data) != "y\n" {
			t.Errorf("Read(%d) gives %q at %d, %v; want offset %d", at, got.Data, got.Offset, err, want)
		}
	}
	t.Logf("%d MiB in %v", size>>20, r.Ended.Sub(r.Started))
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name, line string
		limits     Limits
		signal     string
		code       int
	}{
		{"cpu", "while :; do :; done", Limits{CPU: time.Second}, "SIGXCPU", -1},
		{"file size", "exec head -c 100000 /dev/zero > file", Limits{FileSize: 1000}, "SIGXFSZ", -1},
		{"open files", "[ $(ulimit -n) = 20 ] && exit 5", Limits{OpenFiles: 20}, "", 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := shell(t, c.line)
			cmd.Limits = c.limits
			if r := finish(t, begin(t, cmd)); r.Signal != c.signal || r.ExitCode != c.code {
				t.Errorf("signal %q, exit code %d; want %q, %d", r.Signal, r.ExitCode, c.signal, c.code)
			}
		})
	}
}

func FuzzStat(f *testing.F) {
	f.Add([]byte("1 (a (b) c) S 2 3"))
	f.Add([]byte("1 () "))
	f.Add([]byte("()\x00 0 0 0"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if s, ok := parseStat(1, raw); ok && (s.state < 'A' || s.state > 'z') {
			t.Errorf("%q parses to %+v", raw, s)
		}
	})
}
