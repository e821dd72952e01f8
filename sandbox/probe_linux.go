//go:build amd64 || arm64

package sandbox

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/toolfacade/toolfacade/internal/proc"
)

// probeLimit is how long a probe may take.
const probeLimit = 20 * time.Second

// try runs a shell in s.
func try(ctx context.Context, s Sandbox) error {
	p, err := proc.Start(proc.Command{
		Path: "/bin/sh", Args: []string{"-c", "exit 42"}, Env: []string{"PATH=/usr/bin:/bin"}, Dir: "/",
		Timeout: probeLimit, Contained: true,
		Launch: func(c proc.Child) (*os.Process, error) { return s.Start(c, Policy{}) },
	})
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, p.Stop)
	defer stop()
	if r := p.Result(); r.ExitCode != 42 {
		return fmt.Errorf("a shell in the sandbox ended with exit code %d: %s", r.ExitCode, r.Stderr)
	}
	return p.Log().Close()
}
