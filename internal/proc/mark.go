package proc

import "crypto/rand"

// markName is the environment variable that a command's processes inherit and
// are found by when they left its process group.
const markName = "TOOLFACADE_PROCESS"

func newMark() string { return rand.Text() }

// MarkVariable is the environment variable that marks the processes of a
// command for [KillMarked].
func MarkVariable(mark string) string { return markName + "=" + mark }
