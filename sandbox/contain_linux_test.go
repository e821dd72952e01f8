//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/internal/proc"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const python = "/usr/bin/python3"

func needPython(t testing.TB) {
	t.Helper()
	if _, err := os.Stat(python); err != nil {
		testenv.Missing(t, "no Python: %v", err)
	}
}

// each runs a test in every sandbox that works here.
func each(t *testing.T, test func(t *testing.T, s Sandbox)) {
	t.Helper()
	for _, s := range []Sandbox{Namespaces{}, Bubblewrap{}} {
		t.Run(s.Name(), func(t *testing.T) {
			if err := Require(t.Context(), s, FileWrites, FileReads, Network, ProcessTree, Syscalls); err != nil {
				testenv.Missing(t, "%v", err)
			}
			test(t, s)
		})
	}
}

// command is a contained command whose directory is the one it may write.
func command(t testing.TB, s Sandbox, p Policy, path string, args ...string) proc.Command {
	t.Helper()
	dir := p.Writable[0]
	return proc.Command{
		Path: path, Args: args, Dir: dir, SpillDir: t.TempDir(),
		Env:       []string{"PATH=/usr/bin:/bin", "PYTHONUNBUFFERED=1"},
		Contained: true, Timeout: time.Minute, Grace: 20 * time.Millisecond, Window: 64 << 10,
		Launch: func(c proc.Child) (*os.Process, error) { return s.Start(c, p) },
	}
}

func start(t testing.TB, c proc.Command) *proc.Process {
	t.Helper()
	p, err := proc.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Stop()
		<-p.Done()
		if err := p.Log().Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// shell runs a contained shell line.
func shell(t testing.TB, s Sandbox, p Policy, line string) proc.Result {
	t.Helper()
	return start(t, command(t, s, p, "/bin/sh", "-c", line)).Result()
}

// surroundings are what the probes try to reach.
func surroundings(t *testing.T) (root string, args []string) {
	t.Helper()
	root, away := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{away + "/secret": "secret", root + "/protected/file": "kept", root + "/parent/inner/file": "kept"} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	abstract := fmt.Sprintf("toolfacade-test-%d", os.Getpid())
	short, err := os.MkdirTemp("", "s") //nolint:usetesting // the name of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(short) })
	port := 0
	for _, l := range [][2]string{{"tcp", "127.0.0.1:0"}, {"unix", short + "/sock"}, {"unix", "@" + abstract}} {
		listener, err := net.Listen(l[0], l[1])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close() })
		if a, ok := listener.Addr().(*net.TCPAddr); ok {
			port = a.Port
		}
	}
	return root, []string{away + "/secret", away + "/out", fmt.Sprint(port), short + "/sock", fmt.Sprint(os.Getpid()), abstract}
}

func probes(t *testing.T, s Sandbox, p Policy, args []string) map[string]string {
	t.Helper()
	code, err := os.ReadFile("testdata/probe.py")
	if err != nil {
		t.Fatal(err)
	}
	c := command(t, s, p, python, append([]string{"-c", string(code)}, args...)...)
	c.Contained = s.Name() != "none"
	r := start(t, c).Result()
	if r.ExitCode != 0 {
		t.Fatalf("the probes end with %d, %s: %s", r.ExitCode, r.Signal, r.Stderr)
	}
	out := map[string]string{}
	for line := range strings.Lines(r.Stdout) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		out[name] = rest
	}
	return out
}

func TestProbesAreBlocked(t *testing.T) {
	needPython(t)
	t.Setenv("HOST_SECRET", "1")
	each(t, func(t *testing.T, s Sandbox) {
		// A file that a C library left open for children.
		fd, err := unix.Open("/etc/passwd", unix.O_RDONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = unix.Close(fd) }()
		root, args := surroundings(t)
		p := Policy{Writable: []string{root, filepath.Dir(args[3])}, ReadOnly: []string{root + "/protected", root + "/parent/inner"}}
		got := probes(t, s, p, args)
		if len(got) < 46 {
			t.Errorf("only %d probes ran", len(got))
		}
		for name, what := range got {
			if !strings.HasPrefix(what, "blocked") {
				t.Errorf("%s: %s", name, what)
			}
		}
		if _, err := os.Stat(args[1]); err == nil {
			t.Error("a file was written outside")
		}
	})
}

// TestProbesReach shows that the probes can fail: without a sandbox they get
// what they want. It runs only those that touch nothing but this test's own
// files, sockets and processes.
func TestProbesReach(t *testing.T) {
	needPython(t)
	root, args := surroundings(t)
	own := []string{
		"read a secret outside", "write outside", "write the protected file", "move the protected file's parent", "loopback of the host",
		"socket file", "abstract socket", "kill a host process", "see host processes",
	}
	got := probes(t, None{}, Policy{Writable: []string{root}}, append(args, own...))
	if len(got) != len(own) {
		t.Fatalf("%d probes ran, want %d", len(got), len(own))
	}
	for _, name := range own {
		if !strings.HasPrefix(got[name], "DONE") {
			t.Errorf("%s: %s, though nothing is contained", name, got[name])
		}
	}
}

func TestWork(t *testing.T) {
	each(t, func(t *testing.T, s Sandbox) {
		root := t.TempDir()
		p := Policy{Writable: []string{root}}
		r := shell(t, s, p, "pwd; echo x > new && cat new; echo y > /tmp/y && cat /var/tmp/y; echo z > /dev/shm/z; id -u; echo err >&2; exit 3")
		want := fmt.Sprintf("%s\nx\ny\n%d\n", root, os.Geteuid())
		if r.Stdout != want || r.Stderr != "err\n" || r.ExitCode != 3 {
			t.Errorf("the result is %+v, want %q", r, want)
		}
		if text, err := os.ReadFile(root + "/new"); err != nil || string(text) != "x\n" {
			t.Errorf("the host sees %q, %v", text, err)
		}
	})
}

func TestTmpIsBounded(t *testing.T) {
	each(t, func(t *testing.T, s Sandbox) {
		p := Policy{Writable: []string{t.TempDir()}, TmpSize: 1 << 20}
		if r := shell(t, s, p, "head -c 3000000 /dev/zero > /tmp/big"); r.ExitCode == 0 {
			t.Error("/tmp took more than its size")
		}
	})
}

func TestNetworkIsAChoice(t *testing.T) {
	needPython(t)
	each(t, func(t *testing.T, s Sandbox) {
		root, args := surroundings(t)
		p := Policy{Writable: []string{root, filepath.Dir(args[3])}, Network: true}
		got := probes(t, s, p, args)
		for _, name := range []string{"loopback of the host", "socket file"} {
			if !strings.HasPrefix(got[name], "DONE") {
				t.Errorf("%s: %s, though the policy gives the network", name, got[name])
			}
		}
		for _, name := range []string{"kill a host process", "write outside", "ptrace"} {
			if !strings.HasPrefix(got[name], "blocked") {
				t.Errorf("%s: %s", name, got[name])
			}
		}
	})
}

func TestLimitsHold(t *testing.T) {
	each(t, func(t *testing.T, s Sandbox) {
		c := command(t, s, Policy{Writable: []string{t.TempDir()}}, "/bin/sh", "-c", "ulimit -n; ulimit -v")
		c.Limits = Limits{OpenFiles: 64, Memory: 1 << 30}
		if r := start(t, c).Result(); r.Stdout != "64\n1048576\n" {
			t.Errorf("the limits are %q %s", r.Stdout, r.Stderr)
		}
	})
}

func TestBadPolicy(t *testing.T) {
	each(t, func(t *testing.T, s Sandbox) {
		for _, path := range []string{"relative", "/", "/no/such/path"} {
			c := command(t, s, Policy{Writable: []string{t.TempDir(), path}}, "/bin/sh", "-c", "true")
			if p, err := proc.Start(c); err == nil {
				<-p.Done()
				t.Errorf("the policy with %q is taken", path)
			}
		}
	})
}
