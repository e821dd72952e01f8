//go:build amd64 || arm64

package sandbox

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/internal/proc"
)

// controller bounds one thing of all processes in a control group.
type controller struct {
	name       string
	capability Capability
	// The files of version 1 and of version 2 that take the bound, and those
	// that count what the bound ended.
	max, count [2]string
}

var controllers = []controller{
	{"memory", Memory, [2]string{"memory.limit_in_bytes", "memory.max"}, [2]string{"memory.oom_control", "memory.events"}},
	{"pids", Processes, [2]string{"pids.max", "pids.max"}, [2]string{"pids.events", "pids.events"}},
}

// bounds are what a policy asks of each controller, 0 for nothing.
func (p Policy) bounds() []int64 { return []int64{p.Memory, int64(p.Processes)} }

// group is one control group of a child.
type group struct {
	dir string
	controller
	version int // 0 for version 1, 1 for version 2
}

// bind makes the control groups that the policy asks for and gives them to the
// child. The returned function removes them; it is for a child that did not
// start.
func bind(c *Child, p Policy) (undo func(), err error) {
	undo = func() {}
	if p.Memory <= 0 && p.Processes <= 0 {
		return undo, nil
	}
	groups, err := makeGroups(p.bounds())
	if err != nil {
		return undo, err
	}
	for _, g := range groups {
		c.Groups = append(c.Groups, filepath.Join(g.dir, "cgroup.procs"))
	}
	if c.Ended != nil {
		c.Ended(func(r *proc.Result) {
			for _, g := range groups {
				r.OutOfMemory = r.OutOfMemory || g.name == "memory" && g.ended()
				g.remove()
			}
		})
	}
	return func() {
		for _, g := range groups {
			g.remove()
		}
	}, nil
}

// makeGroups makes a group for each controller with a bound; in version 2 one
// serves all.
func makeGroups(bounds []int64) (out []group, err error) {
	defer func() {
		if err != nil {
			for _, g := range out {
				g.remove()
			}
			out = nil
		}
	}()
	name := fmt.Sprintf("%s%d-%s", groupPrefix, os.Getpid(), rand.Text()[:8])
	for i, k := range controllers {
		if bounds[i] <= 0 {
			continue
		}
		home, err := findHome(k.name)
		if err != nil {
			return out, unbound(k, err)
		}
		sweepGroups(home.dir)
		g := group{filepath.Join(home.dir, name), k, home.version}
		if err := os.Mkdir(g.dir, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
			return out, unbound(k, err)
		}
		out = append(out, g)
		if err := g.limit(bounds[i]); err != nil {
			return out, unbound(k, err)
		}
	}
	return out, nil
}

// unbound is why a controller bounds nothing here.
func unbound(k controller, err error) error {
	return &UnavailableError{Missing: []Report{{Sandbox: "control groups", Findings: findings(
		fmt.Sprintf("no control group that bounds %s can be made: %v", k.name, err), groupFix, k.capability)}}}
}

const groupFix = "give the host a control group of its own, in a systemd service with Delegate=yes and DelegateSubgroup=host, " +
	"or run the host in a container or service with a memory and a process limit"

// limit writes the bound. Swap would be a way around that of the memory.
func (g group) limit(most int64) error {
	err := os.WriteFile(filepath.Join(g.dir, g.max[g.version]), []byte(strconv.FormatInt(most, 10)), 0)
	if g.name != "memory" {
		return err
	}
	for file, value := range map[string]string{
		"memory.swap.max": "0", "memory.oom.group": "1", // version 2
		"memory.memsw.limit_in_bytes": strconv.FormatInt(most, 10), // version 1
	} {
		other := os.WriteFile(filepath.Join(g.dir, file), []byte(value), 0)
		if other != nil && !errors.Is(other, os.ErrNotExist) && !errors.Is(other, os.ErrPermission) { // not in this kernel
			err = errors.Join(err, other)
		}
	}
	return err
}

// ended reports whether the kernel killed for the bound.
func (g group) ended() bool {
	text, err := os.ReadFile(filepath.Join(g.dir, g.count[g.version]))
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		if n, ok := strings.CutPrefix(line, "oom_kill "); ok {
			return strings.TrimSpace(n) != "0"
		}
	}
	return false
}

// removeFor is how long the last processes of a group may take to disappear.
const removeFor = time.Second

// remove removes the group when its last process is gone. What stays is swept
// later.
func (g group) remove() {
	for end := time.Now().Add(removeFor); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if err := unix.Rmdir(g.dir); !errors.Is(err, unix.EBUSY) {
			return
		}
	}
}

const groupPrefix = "toolfacade-"

// sweepGroups removes what hosts that are gone left in dir. A group with
// processes cannot be removed.
func sweepGroups(dir string) {
	old, _ := filepath.Glob(filepath.Join(dir, groupPrefix+"*")) // the pattern is right
	for _, path := range old {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(path), groupPrefix), "-")
		n, err := strconv.Atoi(pid)
		if err == nil && errors.Is(unix.Kill(n, 0), unix.ESRCH) {
			_ = unix.Rmdir(path) // or the next sweep does
		}
	}
}

// grouped says which bounds can be held here; it tries.
func grouped() []Finding {
	var out []Finding
	for i, k := range controllers {
		bounds := make([]int64, len(controllers))
		bounds[i] = 1 << 20
		made, err := makeGroups(bounds)
		cause, fix := "", ""
		if e, ok := errors.AsType[*UnavailableError](err); ok {
			cause, fix = e.Missing[0].Findings[0].Cause, e.Fix()
		}
		for _, g := range made {
			g.remove()
		}
		out = append(out, findings(cause, fix, k.capability)...)
	}
	return out
}
