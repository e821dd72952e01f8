//go:build amd64 || arm64

package proc

import (
	"fmt"
	"os"

	"github.com/toolfacade/toolfacade/internal/forkexec"
)

// Direct starts a child in a process group of its own, with its limits set
// before its first instruction.
func Direct(c Child) (*os.Process, error) {
	if c.Limits == (Limits{}) {
		return start(c)
	}
	var p forkexec.Plan
	p.Group()
	c.Limits.Plan(&p)
	child, err := p.Start(forkexec.Exec{Path: c.Path, Args: c.Args, Env: c.Env, Dir: c.Dir, Files: c.Files})
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	return child, nil
}
