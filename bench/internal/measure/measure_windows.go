package measure

import (
	"errors"
	"time"
)

// Run is not available: the programs compared with are Unix ones.
func Run(string, []string) (Sample, error) {
	return Sample{}, errors.New("the benchmark runs on Unix only")
}

// CPU is not available.
func CPU() time.Duration { return 0 }
