//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// measure runs a program in the tree with its output thrown away.
func measure(tree string, args []string) (sample, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Stderr = tree, os.Stderr
	begin := time.Now()
	if err := cmd.Run(); err != nil {
		return sample{}, fmt.Errorf("%q: %w", args, err)
	}
	s := sample{wall: time.Since(begin), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		s.memory = int64(usage.Maxrss) //nolint:unconvert // of another type on some systems
		if runtime.GOOS == "darwin" {
			s.memory >>= 10 // it counts bytes
		}
	}
	return s, nil
}
