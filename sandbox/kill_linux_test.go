//go:build amd64 || arm64

package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/internal/proc"
)

// running lists the host's processes whose command line holds text.
func running(t testing.TB, text string) []string {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, path := range all {
		if line, err := os.ReadFile(path); err == nil && strings.Contains(string(line), text) {
			found = append(found, path)
		}
	}
	return found
}

// gone waits until no process has text in its command line.
func gone(t testing.TB, text string) {
	t.Helper()
	var left []string
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if left = running(t, text); len(left) == 0 {
			return
		}
	}
	t.Errorf("still running: %v", left)
}

// escapeScript is the engine's own script, with a number of seconds to sleep
// that names its processes.
func escapeScript(t testing.TB, seconds string) string {
	t.Helper()
	code, err := os.ReadFile("../internal/proc/testdata/escape.py")
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(code), `"600"`, `"`+seconds+`"`)
}

func TestNothingSurvives(t *testing.T) {
	needPython(t)
	each(t, func(t *testing.T, s Sandbox) {
		for i, kind := range []string{"child", "setpgid", "setsid", "daemon", "ignoreterm", "clearenv", "hidden"} {
			for _, end := range []string{"", "end"} {
				t.Run(kind+end, func(t *testing.T) {
					seconds := "7" + strings.Repeat("0", i) + "31" + strings.Repeat("9", len(end)+len(s.Name())%7)
					c := command(t, s, Policy{Writable: []string{t.TempDir()}}, python, append([]string{"-c", escapeScript(t, seconds)}, strings.Fields(kind+" "+end)...)...)
					p := start(t, c)
					if err := p.Log().Wait(t.Context(), 0); err != nil {
						t.Fatal(err)
					}
					if end == "" {
						for deadline := time.Now().Add(5 * time.Second); len(running(t, "sleep\x00"+seconds)) == 0; {
							if time.Now().After(deadline) {
								t.Fatal("the process to kill does not run")
							}
						}
						p.Stop()
					}
					<-p.Done()
					gone(t, "sleep\x00"+seconds)
				})
			}
		}
	})
}

// TestHostDies kills a host, this test again, with contained children.
func TestHostDies(t *testing.T) {
	const mark = "86731"
	if name := os.Getenv("TOOLFACADE_TEST_HOST"); name != "" {
		s, err := Named(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			_, err := proc.Start(command(t, s, Policy{Writable: []string{t.TempDir()}}, "/bin/sh", "-c", "setsid sleep "+mark+" & sleep "+mark))
			if err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Minute)
		return
	}
	each(t, func(t *testing.T, s Sandbox) {
		host := exec.Command(os.Args[0], "-test.run=^TestHostDies$")
		host.Env = append(os.Environ(), "TOOLFACADE_TEST_HOST="+s.Name())
		if err := host.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(20 * time.Second); len(running(t, "sleep\x00"+mark)) < 6; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Error("the children do not run")
				break
			}
		}
		if err := host.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = host.Wait() // killed
		gone(t, "sleep\x00"+mark)
	})
}

func TestRepeatedly(t *testing.T) {
	each(t, func(t *testing.T, s Sandbox) {
		p := Policy{Writable: []string{t.TempDir()}}
		for range 30 {
			if r := shell(t, s, p, "echo on"); r.Stdout != "on\n" || r.ExitCode != 0 {
				t.Fatalf("the result is %+v", r)
			}
		}
	})
}
