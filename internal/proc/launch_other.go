//go:build !linux || (!amd64 && !arm64)

package proc

import (
	"errors"
	"os"
)

// Direct starts a child in a process group of its own. Limits are ignored on
// this system, and a supervisor is refused.
func Direct(c Child) (*os.Process, error) {
	if c.Under != nil {
		return nil, errors.New("no program can be started under a supervisor on this system")
	}
	return start(c)
}
