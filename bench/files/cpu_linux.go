package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the processor time that a process has used, of all its threads,
// by the clock that Linux keeps for each process.
func cpuTime(pid int) (time.Duration, error) {
	const all = 2 // CPUCLOCK_SCHED
	var t unix.Timespec
	err := unix.ClockGettime(int32(^pid<<3|all), &t)
	return time.Duration(t.Nano()), err
}
