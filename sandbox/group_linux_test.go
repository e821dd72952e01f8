//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/internal/proc"
)

// hungry starts four processes that fill 64 MiB each.
const hungry = `
import os, time
for i in range(4):
    if os.fork() == 0:
        data = b"x" * (64 << 20)
        time.sleep(1)
        os._exit(0)
print(sum(os.waitstatus_to_exitcode(os.wait()[1]) == 0 for i in range(4)))
`

// bomb forks until it is refused, at most 200 times.
const bomb = `
import os, time, signal
n = 0
try:
    for i in range(200):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        n += 1
except BlockingIOError:
    print("refused after", n, flush=True)
else:
    print("never refused", flush=True)
os._exit(0)
`

func TestBounds(t *testing.T) {
	needPython(t)
	for _, c := range []struct {
		name, code string
		policy     Policy
		held       Capability
		check      func(r proc.Result) bool
	}{
		{"memory", hungry, Policy{Memory: 128 << 20}, Memory, func(r proc.Result) bool { return r.OutOfMemory && r.Stdout != "4\n" }},
		{"memory that is enough", hungry, Policy{Memory: 1 << 30}, Memory, func(r proc.Result) bool { return !r.OutOfMemory && r.Stdout == "4\n" }},
		{"processes", bomb, Policy{Processes: 20}, Processes, func(r proc.Result) bool { return strings.HasPrefix(r.Stdout, "refused after 1") }},
		{"both", bomb, Policy{Processes: 20, Memory: 1 << 30}, Processes, func(r proc.Result) bool { return strings.HasPrefix(r.Stdout, "refused after 1") }},
	} {
		for _, s := range []Sandbox{None{}, Namespaces{}, Bubblewrap{}} {
			t.Run(c.name+"/"+s.Name(), func(t *testing.T) {
				c.policy.Writable = []string{t.TempDir()}
				cmd := command(t, s, c.policy, python, "-c", c.code)
				cmd.Contained = s.Name() != "none"
				bounded := Report{Findings: grouped()}
				if !bounded.Holds(c.held) {
					_, err := proc.Start(cmd)
					e, ok := errors.AsType[*UnavailableError](err)
					if !ok || !strings.Contains(e.Error(), "control group") || !strings.Contains(e.Fix(), "Delegate") {
						t.Errorf("without control groups the start gives %v", err)
					}
					return
				}
				if r := start(t, cmd).Result(); !c.check(r) {
					t.Errorf("the result is %+v", r)
				}
				for _, k := range controllers {
					home, err := findHome(k.name)
					if err != nil {
						t.Fatal(err)
					}
					if left, err := filepath.Glob(filepath.Join(home.dir, groupPrefix+"*")); err != nil || len(left) > 0 {
						t.Errorf("control groups are left: %v, %v", left, err)
					}
				}
			})
		}
	}
}

// TestForkBomb starts processes without end under a policy that says nothing.
func TestForkBomb(t *testing.T) {
	needPython(t)
	if os.Geteuid() == 0 {
		t.Skip("limits do not hold for root; TestAsOrdinaryUser runs this test, TestBounds bounds root")
	}
	code := strings.ReplaceAll(bomb, "range(200)", "range(4000)")
	r := start(t, command(t, Namespaces{}, Policy{Writable: []string{t.TempDir()}}, python, "-c", code)).Result()
	if !strings.HasPrefix(r.Stdout, "refused after 20") {
		t.Errorf("the bomb says %q, %+v", r.Stdout, r)
	}
}

func TestSweepGroups(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{groupPrefix + "4194305-gone", groupPrefix + "1-lives", groupPrefix + "x", "others"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	sweepGroups(dir)
	var left []string
	for _, path := range must(filepath.Glob(dir + "/*")) {
		left = append(left, filepath.Base(path))
	}
	if diff := cmp.Diff([]string{"others", groupPrefix + "1-lives", groupPrefix + "x"}, left); diff != "" {
		t.Error(diff)
	}
}

func must(paths []string, err error) []string {
	if err != nil {
		panic(err)
	}
	return paths
}

const mountinfo = `22 28 0:20 / /proc rw,nosuid shared:14 - proc proc rw
30 23 0:26 / /sys/fs/cgroup/unified rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate
31 23 0:27 /docker/ab /sys/fs/cgroup/mem\040ory rw - cgroup cgroup rw,memory
short - cgroup
`

func TestHierarchies(t *testing.T) {
	want := []hierarchy{
		{"/", "/sys/fs/cgroup/unified", 1, []string{"rw", "nsdelegate"}},
		{"/docker/ab", "/sys/fs/cgroup/mem ory", 0, []string{"rw", "memory"}},
	}
	got := hierarchies(strings.NewReader(mountinfo))
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(hierarchy{})); diff != "" {
		t.Error(diff)
	}
	const own = "9:name=systemd:/\n4:cpu,memory:/a b:c\n0::/user.slice/x\n"
	for _, c := range []struct {
		controller string
		version    int
		want       string
		ok         bool
	}{
		{"memory", 0, "/a b:c", true}, {"cpu", 0, "/a b:c", true}, {"memory", 1, "/user.slice/x", true}, {"pids", 0, "", false},
	} {
		if path, ok := ownGroup(own, c.controller, c.version); path != c.want || ok != c.ok {
			t.Errorf("the group of %s in version %d is %q, %v", c.controller, c.version+1, path, ok)
		}
	}
}

// TestUnified chooses the place of new groups in trees of version 2 made of
// plain files.
func TestUnified(t *testing.T) {
	root := t.TempDir()
	for path, text := range map[string]string{
		"free/cgroup.subtree_control":       "memory pids",
		"up/leaf/cgroup.subtree_control":    "pids memory",
		"up/cgroup.subtree_control":         "memory",
		"closed/leaf/cgroup.procs":          "",
		"closed/cgroup.subtree_control/dir": "",
	} {
		path = filepath.Join(root, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for dir, ok := range map[string]bool{"free": true, "up/leaf": true, "closed/leaf": false, "missing": false} {
		dir = filepath.Join(root, dir)
		if home, err := unified(dir, root, "memory"); (err == nil) != ok || ok && home.dir != dir {
			t.Errorf("for %s the place is %v, %v", dir, home, err)
		}
	}
}

func FuzzHierarchies(f *testing.F) {
	f.Add(mountinfo, "0::/x\n")
	f.Fuzz(func(t *testing.T, mounts, own string) {
		for _, h := range hierarchies(strings.NewReader(mounts)) {
			if h.point == "" {
				t.Errorf("%q has a mount of nothing", mounts)
			}
		}
		if path, ok := ownGroup(own, "memory", 0); ok && !strings.Contains(own, path) {
			t.Errorf("%q gives %q", own, path)
		}
	})
}
