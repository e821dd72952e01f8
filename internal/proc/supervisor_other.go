//go:build !linux || (!amd64 && !arm64)

package proc

import "os"

// Supervisor is a program that becomes the parent of a child. No child is
// started under one on this system.
type Supervisor struct {
	Path  string
	Args  []string
	Env   []string
	Files []*os.File
	Child int
}
