package sandbox

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// x32 marks calls of another calling convention with numbers of their own.
const x32 = 0x40000000

func foreignCalls() []unix.SockFilter {
	return []unix.SockFilter{jump(unix.BPF_JGE, x32, 1), refuse(unix.ENOSYS)}
}
