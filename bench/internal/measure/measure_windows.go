package measure

import (
	"errors"
	"time"
)

// Run is not available: the programs compared with are Unix ones.
func Run(string, []string) (Sample, error) {
	return Sample{}, errors.New("the benchmark runs on Unix only")
}

// Answer is not available.
func Answer(dir string, args []string) (Sample, error) { return Run(dir, args) }

// CPU is not available.
func CPU() time.Duration { return 0 }
