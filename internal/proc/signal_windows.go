package proc

import (
	"os"
	"syscall"
)

// politeSignals is empty: Windows has no signal that another process could
// send.
var politeSignals []syscall.Signal

func signalGroup(*os.Process, syscall.Signal) {}

// killGroup does nothing: on Windows only the started process is killed.
func killGroup(int) {}

func signalName(*os.ProcessState) string { return "" }

func maxRSS(*os.ProcessState) int64 { return 0 }
