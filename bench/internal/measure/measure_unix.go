//go:build unix

package measure

import (
	"errors"
	"fmt"
	"io"
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
	return sample(cmd, time.Since(begin)), nil
}

// Answer runs a program as [Run] does, but the time counts only until it writes
// its answer: the first of its output. Of one that writes nothing all counts.
func Answer(tree string, args []string) (Sample, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Stderr = tree, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Sample{}, err
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return Sample{}, fmt.Errorf("%q: %w", args, err)
	}
	_, err = io.ReadFull(out, make([]byte, 1))
	took := time.Since(begin)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if _, rest := io.Copy(io.Discard, out); rest != nil {
		err = errors.Join(err, rest)
	}
	if err = errors.Join(err, cmd.Wait()); err != nil {
		return Sample{}, fmt.Errorf("%q: %w", args, err)
	}
	return sample(cmd, took), nil
}

func sample(cmd *exec.Cmd, wall time.Duration) Sample {
	s := Sample{Wall: wall, CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		s.Memory = int64(usage.Maxrss) //nolint:unconvert // of another type on some systems
		if runtime.GOOS == "darwin" {
			s.Memory >>= 10 // it counts bytes
		}
	}
	return s
}

// CPU is the processor time that this process has used.
func CPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0 // not for this process
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
