package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// cpuTime is the processor time that a process has used, in the system's ticks
// of ten milliseconds.
func cpuTime(pid int) (time.Duration, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := bytes.Cut(raw, []byte(") ")) // behind the name
	fields := bytes.Fields(rest)
	if len(fields) < 13 {
		return 0, fmt.Errorf("unexpected: %s", raw)
	}
	var ticks int64
	for _, f := range fields[11:13] {
		n, err := strconv.ParseInt(string(f), 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}
