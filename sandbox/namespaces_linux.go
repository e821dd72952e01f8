//go:build amd64 || arm64

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/internal/forkexec"
)

// Namespaces contains children with Linux namespaces of their own: user, mount,
// process, network, IPC, host name and control group. It needs no helper
// program and no privilege where the system lets users make namespaces; kernel
// 5.12 or later. The child has the host user's id and no capability.
//
// The child is process 1 of its namespace: it gets only those signals it has
// handlers for, KILL from outside excepted, and when it ends all its processes
// end.
type Namespaces struct{}

var _ Sandbox = Namespaces{}

// Name implements [Sandbox].
func (Namespaces) Name() string { return "namespaces" }

// Start implements [Sandbox].
func (Namespaces) Start(c Child, p Policy) (*os.Process, error) {
	entries, err := layout(p, c.Terminal)
	if err != nil {
		return nil, err
	}
	undo, err := bind(&c, p)
	if err != nil {
		return nil, err
	}
	var plan forkexec.Plan
	flags := uintptr(newNamespaces)
	if p.Network {
		flags &^= unix.CLONE_NEWNET
	}
	plan.Clone(flags)
	c.Lead(&plan)
	sameUser(&plan)
	if !p.Network {
		plan.LoopbackUp()
	}
	newRoot(&plan, entries, p)
	plan.Umask(0o022)
	if c.Limits.Processes == 0 {
		c.Limits.Processes = DefaultProcesses // set in the namespace it counts those of the namespace only
	}
	c.Limits.Plan(&plan)
	plan.Chdir(c.Dir)
	plan.DropCapabilities()
	plan.DieWithParent()
	plan.Filter(filter(p.Network))
	child, err := plan.Start(forkexec.Exec{Path: c.Path, Args: c.Args, Env: c.Env, Files: c.Files, Under: c.Under})
	if err != nil {
		undo()
		return nil, fmt.Errorf("start in namespaces: %w", err)
	}
	return child, nil
}

// sameUser maps the host's user and group to themselves, and nobody else.
func sameUser(plan *forkexec.Plan) {
	plan.WriteFile("/proc/self/setgroups", "deny")
	plan.WriteFile("/proc/self/uid_map", fmt.Sprintf("%d %d 1", os.Geteuid(), os.Geteuid()))
	plan.WriteFile("/proc/self/gid_map", fmt.Sprintf("%d %d 1", os.Getegid(), os.Getegid()))
}

const (
	stage   = "/tmp" // where the new root is built, in the child's view only
	oldRoot = "/.old"
)

// newRoot builds a root of entries on an empty file system and leaves the old
// one.
func newRoot(plan *forkexec.Plan, entries []entry, p Policy) {
	const secure = unix.MS_NOSUID | unix.MS_NODEV
	plan.Umask(0)
	plan.Mount("none", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
	plan.Mount("root", stage, "tmpfs", secure, "size=1m,mode=0755")
	plan.Mkdir(stage+oldRoot, 0o700)
	plan.Pivot(stage, stage+oldRoot)
	plan.Chdir("/")
	for _, d := range []string{"/dev", "/etc", "/proc", "/run", "/tmp", "/var"} {
		plan.Mkdir(d, 0o755)
	}
	plan.Mount("proc", "/proc", "proc", secure|unix.MS_NOEXEC, "")
	size := fmt.Sprintf("size=%d,mode=1777", p.tmpSize())
	plan.Mount("tmp", "/tmp", "tmpfs", secure, size)
	plan.Mkdir("/dev/shm", 0o1777)
	plan.Mount("shm", "/dev/shm", "tmpfs", secure|unix.MS_NOEXEC, size)
	plan.Mkdir("/dev/pts", 0o755)
	plan.Mount("pts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620")
	plan.Symlink("pts/ptmx", "/dev/ptmx")
	plan.Symlink("/tmp", "/var/tmp")
	for name, target := range map[string]string{"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"} {
		plan.Symlink("/proc/self/fd"+target, "/dev/"+name)
	}
	for _, e := range entries {
		place(plan, e)
	}
	plan.Detach(oldRoot)
	plan.Rmdir(oldRoot)
	for _, d := range []string{"/proc", "/"} {
		plan.Attributes(d, unix.MOUNT_ATTR_RDONLY, false)
	}
}

// place makes one entry of the new root.
func place(plan *forkexec.Plan, e entry) {
	if e.kind == masked {
		if strings.HasPrefix(e.path, "/proc/") { // nothing else is there before it is placed
			plan.Mount(oldRoot+os.DevNull, e.path, "", unix.MS_BIND, "")
			plan.Attributes(e.path, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NODEV, false)
		}
		return
	}
	for _, d := range parents(e.path) {
		plan.Mkdir(d, 0o755)
	}
	switch {
	case e.kind == link:
		plan.Symlink(e.from, e.path)
		return
	case e.dir:
		plan.Mkdir(e.path, 0o755)
	default:
		plan.Touch(e.path)
	}
	plan.Mount(oldRoot+e.from, e.path, "", unix.MS_BIND|unix.MS_REC, "")
	set := uint64(unix.MOUNT_ATTR_NOSUID)
	if e.kind != device {
		set |= unix.MOUNT_ATTR_NODEV
	}
	if e.kind == readOnly {
		set |= unix.MOUNT_ATTR_RDONLY
	}
	plan.Attributes(e.path, set, true)
}

// Probe implements [Sandbox]: it starts a real child.
func (n Namespaces) Probe(ctx context.Context) Report {
	cause, fix := explain(try(ctx, n))
	return contained(n.Name(), cause, fix)
}

func contained(name, cause, fix string) Report {
	return Report{Sandbox: name, Findings: append(
		findings(cause, fix, FileWrites, FileReads, Network, ProcessTree, Syscalls), grouped()...)}
}

// explain turns the failure of a probe into a cause and a fix.
func explain(err error) (cause, fix string) {
	if err == nil {
		return "", ""
	}
	cause = err.Error()
	step, ok := errors.AsType[*forkexec.StepError](err)
	switch {
	case !ok:
		fix = "install a shell at /bin/sh"
	case step.Errno == unix.ENOSYS:
		fix = "use a kernel of 5.12 or later"
	case step.Errno == unix.ENOSPC || step.Step == "clone":
		fix = "let users make namespaces: sysctl user.max_user_namespaces=10000, and in a container allow clone with namespaces in its seccomp profile"
	case step.Step == "mount proc":
		fix = "the container hides parts of /proc: run it with unmasked paths (systempaths=unconfined), or choose none and trust the container"
	case strings.HasPrefix(step.Step, "mount"), strings.HasPrefix(step.Step, "bind"), strings.Contains(step.Step, "map"), strings.HasPrefix(step.Step, "open"), step.Step == "pivot_root":
		fix = "let users make namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0, or install bubblewrap with its AppArmor profile"
	default:
		fix = "choose another sandbox"
	}
	return cause, fix
}
