// Package measure runs programs and takes the time, the processor time and the
// memory they need.
package measure

import (
	"slices"
	"time"
)

// Sample is one run of a program.
type Sample struct {
	Wall, CPU time.Duration
	Memory    int64 // KiB at most
}

// Median takes the medians of times and the most memory.
func Median(samples []Sample) Sample {
	var wall, cpu []time.Duration
	var m Sample
	for _, s := range samples {
		wall, cpu = append(wall, s.Wall), append(cpu, s.CPU)
		m.Memory = max(m.Memory, s.Memory)
	}
	slices.Sort(wall)
	slices.Sort(cpu)
	m.Wall, m.CPU = wall[len(wall)/2], cpu[len(cpu)/2]
	return m
}
