//go:build amd64 || arm64

package proc

import "github.com/toolfacade/toolfacade/internal/forkexec"

// Supervisor is a program that becomes the parent of a child.
type Supervisor = forkexec.Supervisor
