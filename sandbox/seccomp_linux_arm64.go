package sandbox

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// foreignCalls is empty: there is one calling convention.
func foreignCalls() []unix.SockFilter { return nil }
