//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime is what this process and those it has waited for have used.
func processorTime() time.Duration {
	var total time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var use syscall.Rusage
		if syscall.Getrusage(who, &use) == nil {
			total += time.Duration(use.Utime.Nano() + use.Stime.Nano())
		}
	}
	return total
}
