package gitimpl

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Git removes its lock files when it is told to stop, with one gap: a signal
// that arrives while it creates a lock finds it not yet noted. Creating a file
// takes a while on a busy disk, so that this is not rare. Therefore a process
// group is halted first. Which locks it has open is known then, and those that
// still exist after its end are removed. Locks of other processes are not in
// the list.

// heldLock is a lock file that a process of ours has open.
type heldLock struct {
	path string
	info os.FileInfo
}

// halt stops the group and returns the lock files in dirs that it has open.
// The group stays halted; the signal that ends it must be followed by SIGCONT.
func halt(pgid int, dirs []string, patience time.Duration) []heldLock {
	if len(dirs) == 0 || syscall.Kill(-pgid, syscall.SIGSTOP) != nil {
		return nil
	}
	var held []heldLock
	for _, pid := range haltedGroup(pgid, patience) {
		fds := filepath.Join("/proc", strconv.Itoa(pid), "fd")
		entries, err := os.ReadDir(fds)
		if err != nil {
			continue
		}
		for _, e := range entries {
			path, err := os.Readlink(filepath.Join(fds, e.Name()))
			if err != nil || !strings.HasSuffix(path, ".lock") || !inAny(dirs, path) {
				continue
			}
			if info, err := os.Lstat(path); err == nil {
				held = append(held, heldLock{path, info})
			}
		}
	}
	return held
}

func inAny(dirs []string, path string) bool {
	for _, dir := range dirs {
		if within(dir, path) {
			return true
		}
	}
	return false
}

// haltedGroup lists the processes of a group, once all of them have stopped.
func haltedGroup(pgid int, patience time.Duration) []int {
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		pids, halted := group(pgid)
		if halted || time.Now().After(end) {
			return pids
		}
	}
}

// group lists the living processes of a group, and reports whether all of them
// have stopped.
func group(pgid int) (pids []int, halted bool) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, true
	}
	halted = true
	for _, file := range stats {
		raw, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		// "pid (name) state parent group …"; the name can hold anything.
		f := bytes.Fields(raw[bytes.LastIndexByte(raw, ')')+1:])
		const groupField = 2
		if len(f) <= groupField || string(f[groupField]) != strconv.Itoa(pgid) || f[0][0] == 'Z' {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			continue
		}
		pids = append(pids, pid)
		halted = halted && f[0][0] == 'T'
	}
	return pids, halted
}

// removeHeld removes the locks that are still the same files.
func removeHeld(held []heldLock) {
	for _, l := range held {
		if now, err := os.Lstat(l.path); err == nil && os.SameFile(now, l.info) {
			_ = os.Remove(l.path)
		}
	}
}
