//go:build unix

package measure

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// Run runs a program in the tree with its output thrown away.
func Run(tree string, args []string) (Sample, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Stderr = tree, os.Stderr
	begin := time.Now()
	if err := cmd.Run(); err != nil {
		return Sample{}, fmt.Errorf("%q: %w", args, err)
	}
	s := Sample{Wall: time.Since(begin), CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		s.Memory = int64(usage.Maxrss) //nolint:unconvert // of another type on some systems
		if runtime.GOOS == "darwin" {
			s.Memory >>= 10 // it counts bytes
		}
	}
	return s, nil
}

// CPU is the processor time that this process has used.
func CPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0 // not for this process
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
