//go:build amd64 || arm64

package proc

import (
	"fmt"
	"os"

	"github.com/toolfacade/toolfacade/internal/forkexec"
)

// Direct starts a child in a process group of its own, with its limits set
// before its first instruction. Under a supervisor it dies with that.
func Direct(c Child) (*os.Process, error) {
	if c.Limits == (Limits{}) && c.Under == nil && !c.Terminal && len(c.Groups) == 0 {
		return start(c)
	}
	var p forkexec.Plan
	c.Lead(&p)
	c.Limits.Plan(&p)
	if c.Under != nil {
		p.DieWithParent()
	}
	child, err := p.Start(forkexec.Exec{Path: c.Path, Args: c.Args, Env: c.Env, Dir: c.Dir, Files: c.Files, Under: c.Under})
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	return child, nil
}
