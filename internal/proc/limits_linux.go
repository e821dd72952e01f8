//go:build amd64 || arm64

package proc

import (
	"time"

	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/internal/forkexec"
)

// Plan adds the steps that set l in the child.
func (l Limits) Plan(p *forkexec.Plan) {
	if l.CPU > 0 {
		seconds := uint64((l.CPU + time.Second - 1) / time.Second)
		// At the soft limit comes XCPU, which tells why; KILL a second later.
		p.Limit(unix.RLIMIT_CPU, seconds, seconds+1)
	}
	for _, r := range []struct {
		which int
		value int64
	}{
		{unix.RLIMIT_AS, l.Memory},
		{unix.RLIMIT_FSIZE, l.FileSize},
		{unix.RLIMIT_NOFILE, int64(l.OpenFiles)},
		{unix.RLIMIT_NPROC, int64(l.Processes)},
	} {
		if r.value > 0 {
			p.Limit(r.which, uint64(r.value), uint64(r.value))
		}
	}
}

// Lead makes the child join its control groups and lead a process group, or a
// session when it has a terminal of its own.
func (c Child) Lead(p *forkexec.Plan) {
	for _, procs := range c.Groups {
		p.WriteFile(procs, "0")
	}
	if c.Terminal {
		p.Session()
	} else {
		p.Group()
	}
}
