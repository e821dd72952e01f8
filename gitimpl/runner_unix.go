//go:build unix

package gitimpl

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// groupPoll is how often a stopped process group is looked at until it is
// empty.
const groupPoll = 5 * time.Millisecond

// ownGroup starts a program as the leader of a new process group, so that its
// descendants can be signalled with it.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// terminate asks the group of p to stop. Git removes its lock files then,
// which it cannot do when killed.
func terminate(p *os.Process) error {
	err := syscall.Kill(-p.Pid, syscall.SIGTERM)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	// A halted process takes the signal when it goes on.
	_ = syscall.Kill(-p.Pid, syscall.SIGCONT)
	return err
}

// endGroup stops what is left of a group whose leader is gone: it asks, waits
// up to grace for the rest to clean up, and kills.
func endGroup(pgid int, grace time.Duration) {
	if syscall.Kill(-pgid, syscall.SIGTERM) != nil {
		return
	}
	for end := time.Now().Add(min(grace, time.Second)); time.Now().Before(end); time.Sleep(groupPoll) {
		if syscall.Kill(-pgid, 0) != nil {
			return
		}
	}
	_ = syscall.Kill(-pgid, syscall.SIGKILL)
}

// isTextBusy reports that a program could not start because a process has it
// open for writing.
func isTextBusy(err error) bool { return errors.Is(err, syscall.ETXTBSY) }
