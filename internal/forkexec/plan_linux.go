//go:build amd64 || arm64

package forkexec

import (
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// step is one system call of the child.
type step struct {
	name string
	trap uintptr
	args [6]uintptr
	pass unix.Errno // this error counts as success
	open bool       // the result is the descriptor of later steps
	onFD bool       // the first argument is that descriptor
}

// Plan is what the child does before it becomes the program, in order. The
// arguments are laid out in the parent: the child allocates nothing. The zero
// Plan does nothing.
type Plan struct {
	flags uintptr
	steps []step
	keep  []any // what the arguments point to
}

// Clone adds clone flags, as unix.CLONE_NEWPID.
func (p *Plan) Clone(flags uintptr) { p.flags |= flags }

func (p *Plan) add(name string, trap uintptr, args ...uintptr) *step {
	s := step{name: name, trap: trap}
	copy(s.args[:], args)
	p.steps = append(p.steps, s)
	return &p.steps[len(p.steps)-1]
}

// text returns the address of s with a terminating zero. Everything kept lies
// on the heap, which does not move.
func (p *Plan) text(s string) uintptr {
	if s, _, cut := strings.Cut(s, "\x00"); cut {
		return p.text(s)
	}
	b := append([]byte(s), 0)
	p.keep = append(p.keep, b)
	return uintptr(unsafe.Pointer(&b[0]))
}

func pointer[T any](p *Plan, v *T) uintptr {
	p.keep = append(p.keep, v)
	return uintptr(unsafe.Pointer(v))
}

// cwd is AT_FDCWD, which is negative, as an argument.
func cwd() uintptr {
	fd := unix.AT_FDCWD
	return uintptr(fd)
}

// Group makes the child the leader of a process group.
func (p *Plan) Group() { p.add("setpgid", unix.SYS_SETPGID, 0, 0) }

// Session makes the child the leader of a session, and its first file, a
// terminal, the terminal of that session.
func (p *Plan) Session() {
	p.add("setsid", unix.SYS_SETSID)
	p.add("controlling terminal", unix.SYS_IOCTL, 0, unix.TIOCSCTTY, 0)
}

// Limit sets a resource limit.
func (p *Plan) Limit(which int, soft, hard uint64) {
	p.add("prlimit", unix.SYS_PRLIMIT64, 0, uintptr(which), pointer(p, &unix.Rlimit{Cur: soft, Max: hard}), 0)
}

// WriteFile writes text to an existing file.
func (p *Plan) WriteFile(path, text string) {
	p.add("open "+path, unix.SYS_OPENAT, cwd(), p.text(path), unix.O_WRONLY|unix.O_CLOEXEC).open = true
	p.add("write "+path, unix.SYS_WRITE, 0, p.text(text), uintptr(len(text))).onFD = true
	p.add("close "+path, unix.SYS_CLOSE, 0).onFD = true
}

// Touch makes an empty file, or leaves what is there.
func (p *Plan) Touch(path string) {
	p.add("create "+path, unix.SYS_OPENAT, cwd(), p.text(path), unix.O_WRONLY|unix.O_CREAT|unix.O_CLOEXEC, 0o644).open = true
	p.add("close "+path, unix.SYS_CLOSE, 0).onFD = true
}

// Mkdir makes a directory, or leaves the one that is there.
func (p *Plan) Mkdir(path string, mode uint32) {
	p.add("mkdir "+path, unix.SYS_MKDIRAT, cwd(), p.text(path), uintptr(mode)).pass = unix.EEXIST
}

// Symlink makes a symbolic link.
func (p *Plan) Symlink(target, path string) {
	p.add("symlink "+path, unix.SYS_SYMLINKAT, p.text(target), cwd(), p.text(path))
}

// Rmdir removes an empty directory.
func (p *Plan) Rmdir(path string) {
	p.add("rmdir "+path, unix.SYS_UNLINKAT, cwd(), p.text(path), unix.AT_REMOVEDIR)
}

// Umask sets the file mode creation mask.
func (p *Plan) Umask(mask int) { p.add("umask", unix.SYS_UMASK, uintptr(mask)) }

// Mount mounts, as mount(2) does.
func (p *Plan) Mount(source, target, fstype string, flags uintptr, data string) {
	name := "mount " + fstype
	if fstype == "" {
		name = "bind " + source
	}
	p.add(name, unix.SYS_MOUNT, p.text(source), p.text(target), p.text(fstype), flags, p.text(data))
}

// Attributes sets attributes of a mount, as unix.MOUNT_ATTR_RDONLY, and of all
// below it when recursive.
func (p *Plan) Attributes(path string, set uint64, recursive bool) {
	attr := &unix.MountAttr{Attr_set: set}
	flags := uintptr(0)
	if recursive {
		flags = unix.AT_RECURSIVE
	}
	p.add("mount_setattr "+path, unix.SYS_MOUNT_SETATTR, cwd(), p.text(path), flags, pointer(p, attr), unsafe.Sizeof(*attr))
}

// Pivot makes root the root and moves the old one to old, below it.
func (p *Plan) Pivot(root, old string) {
	p.add("pivot_root", unix.SYS_PIVOT_ROOT, p.text(root), p.text(old))
}

// Detach unmounts a tree, at the latest when nobody uses it.
func (p *Plan) Detach(path string) {
	p.add("umount "+path, unix.SYS_UMOUNT2, p.text(path), unix.MNT_DETACH)
}

// Chdir changes the directory.
func (p *Plan) Chdir(path string) { p.add("chdir "+path, unix.SYS_CHDIR, p.text(path)) }

// lastCapability is above every capability that kernels know; dropping one
// that the kernel does not know is refused and harmless.
const lastCapability = 63

// DropCapabilities gives up all capabilities, and the right to gain any by
// executing a file.
func (p *Plan) DropCapabilities() {
	p.add("no_new_privs", unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1)
	for c := range uintptr(lastCapability + 1) {
		p.add("drop from the bounding set", unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, c).pass = unix.EINVAL
	}
	p.add("clear ambient", unix.SYS_PRCTL, unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL)
	header := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	p.add("capset", unix.SYS_CAPSET, pointer(p, header), pointer(p, &[2]unix.CapUserData{}))
}

// DieWithParent kills the child when the thread that started it ends.
func (p *Plan) DieWithParent() {
	p.add("pdeathsig", unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL))
}

// Filter installs a seccomp filter. The child must not be able to gain
// privileges any more.
func (p *Plan) Filter(prog []unix.SockFilter) {
	p.keep = append(p.keep, prog)
	f := &unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]}
	p.add("seccomp", unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, pointer(p, f))
}

// LoopbackUp brings the loopback interface of a new network namespace up.
func (p *Plan) LoopbackUp() {
	type request struct { // struct ifreq
		name  [unix.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	r := &request{name: [unix.IFNAMSIZ]byte{'l', 'o'}, flags: unix.IFF_UP}
	p.add("socket", unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0).open = true
	p.add("loopback up", unix.SYS_IOCTL, 0, unix.SIOCSIFFLAGS, pointer(p, r)).onFD = true
	p.add("close socket", unix.SYS_CLOSE, 0).onFD = true
}
