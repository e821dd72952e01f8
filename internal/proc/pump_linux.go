package proc

import (
	"os"

	"golang.org/x/sys/unix"
)

// widen asks for a larger pipe. A refusal, as above the user's quota of pipe
// memory, costs only speed.
func widen(f *os.File) {
	conn, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = conn.Control(func(fd uintptr) {
		_, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeSize)
	})
}
