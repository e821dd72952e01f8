//go:build !unix

package gitimpl

import (
	"os"
	"syscall"
	"time"
)

// ownGroup has nothing to ask for: this system has no process groups, so
// cancelling a call ends git itself, not what git has started.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }

// terminate kills p: this system has no signal that asks a program to stop, so
// a cancelled call can leave a lock file behind.
func terminate(p *os.Process) error { return p.Kill() }

func endGroup(int, time.Duration) {}

func isTextBusy(error) bool { return false }
