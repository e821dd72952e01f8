package proc

import (
	"fmt"
	"os"
	"syscall"
)

// start starts a child in a process group of its own.
func start(c Child) (*os.Process, error) {
	p, err := os.StartProcess(c.Path, c.Args, &os.ProcAttr{
		Dir: c.Dir, Env: c.Env, Files: c.Files,
		Sys: &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP},
	})
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	return p, nil
}
