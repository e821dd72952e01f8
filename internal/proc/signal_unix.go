//go:build unix

package proc

import (
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// politeSignals are tried before KILL. INT comes first: many programs, Python
// among them, clean up on INT but not on TERM.
var politeSignals = []syscall.Signal{unix.SIGINT, unix.SIGTERM}

func signalGroup(p *os.Process, s syscall.Signal) { _ = unix.Kill(-p.Pid, s) }

func killGroup(pid int) { _ = unix.Kill(-pid, unix.SIGKILL) }

func signalName(s *os.ProcessState) string {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return unix.SignalName(w.Signal())
	}
	return ""
}

func maxRSS(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return u.Maxrss // bytes there, KiB elsewhere
	}
	return u.Maxrss << 10
}
