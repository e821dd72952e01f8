//go:build !linux

package gitimpl

import "time"

// heldLock is a lock file that a process of ours has open. Only Linux tells
// which files those are; elsewhere a call that is cancelled in the instant when
// git creates a lock can leave it behind.
type heldLock struct{}

func halt(int, []string, time.Duration) []heldLock { return nil }

func removeHeld([]heldLock) {}
