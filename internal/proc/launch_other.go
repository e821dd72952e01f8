//go:build !linux || (!amd64 && !arm64)

package proc

import "os"

// Direct starts a child in a process group of its own. Limits are ignored on
// this system.
func Direct(c Child) (*os.Process, error) { return start(c) }
