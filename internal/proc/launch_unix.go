//go:build unix

package proc

import (
	"fmt"
	"os"
	"syscall"
)

// start starts a child without limits.
func start(c Child) (*os.Process, error) {
	p, err := os.StartProcess(c.Path, c.Args, &os.ProcAttr{
		Dir: c.Dir, Env: c.Env, Files: c.Files,
		Sys: &syscall.SysProcAttr{Setpgid: !c.Terminal, Setsid: c.Terminal, Setctty: c.Terminal},
	})
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	return p, nil
}
