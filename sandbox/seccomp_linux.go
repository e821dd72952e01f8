//go:build amd64 || arm64

package sandbox

import "golang.org/x/sys/unix"

// Offsets in struct seccomp_data.
const (
	dataNumber = 0
	dataArch   = 4
	dataArgs   = 16
)

// newNamespaces are the clone flags that make namespaces.
const newNamespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET |
	unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

// refused are system calls that no contained program needs, by the error they
// get. With "no such call" programs fall back to older ones.
var refused = []struct {
	errno unix.Errno
	calls []uint32
}{
	{unix.EPERM, []uint32{
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
		unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
		unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
		unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT,
		unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
		unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_OPEN_BY_HANDLE_AT,
		unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
		unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_REBOOT, unix.SYS_QUOTACTL, unix.SYS_ACCT,
		unix.SYS_PIDFD_GETFD, unix.SYS_KCMP, unix.SYS_SYSLOG, unix.SYS_LOOKUP_DCOOKIE,
		unix.SYS_FANOTIFY_INIT, unix.SYS_NFSSERVCTL, unix.SYS_VHANGUP,
	}},
	{unix.ENOSYS, []uint32{
		unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
		unix.SYS_CLONE3, // its flags lie in memory, where a filter cannot look
	}},
}

func statement(code uint16, k uint32) unix.SockFilter { return unix.SockFilter{Code: code, K: k} }

func load(offset uint32) unix.SockFilter {
	return statement(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, offset)
}

func answer(action uint32) unix.SockFilter { return statement(unix.BPF_RET|unix.BPF_K, action) }

func refuse(e unix.Errno) unix.SockFilter {
	return answer(unix.SECCOMP_RET_ERRNO | uint32(e))
}

// jump goes over the next n instructions unless the test holds.
func jump(test uint16, k uint32, n uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jf: n, K: k}
}

// argument refuses a call when one of its arguments passes the test. The low
// half is enough: the kernel takes these arguments as 32 bits.
func argument(call uint32, arg uint32, test uint16, e unix.Errno, values ...uint32) []unix.SockFilter {
	out := []unix.SockFilter{jump(unix.BPF_JEQ, call, uint8(2*len(values)+2)), load(dataArgs + 8*arg)}
	for _, v := range values {
		out = append(out, jump(test, v, 1), refuse(e))
	}
	return append(out, answer(unix.SECCOMP_RET_ALLOW))
}

// filter is the seccomp program. Without a network it refuses sockets of the
// machine's own families too: those are reached through files and numbers, not
// through the network's namespace.
func filter(network bool) []unix.SockFilter {
	out := []unix.SockFilter{
		load(dataArch), jump(unix.BPF_JEQ, auditArch, 1), // over the next when it differs
		statement(unix.BPF_JMP|unix.BPF_JA, 1), answer(unix.SECCOMP_RET_KILL_PROCESS),
		load(dataNumber),
	}
	out = append(out, foreignCalls()...)
	for _, r := range refused {
		for _, call := range r.calls {
			out = append(out, jump(unix.BPF_JEQ, call, 1), refuse(r.errno))
		}
	}
	out = append(out, argument(unix.SYS_CLONE, 0, unix.BPF_JSET, unix.EPERM, newNamespaces)...)
	out = append(out, argument(unix.SYS_IOCTL, 1, unix.BPF_JEQ, unix.EPERM, unix.TIOCSTI, unix.TIOCLINUX)...)
	if !network {
		out = append(out, argument(unix.SYS_SOCKET, 0, unix.BPF_JEQ, unix.EACCES, unix.AF_UNIX, unix.AF_VSOCK)...)
	}
	return append(out, answer(unix.SECCOMP_RET_ALLOW))
}
