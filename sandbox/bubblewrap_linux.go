//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/internal/forkexec"
)

// Bubblewrap contains children with the program bwrap, version 0.8 or later. It
// works where distributions allow namespaces to bwrap alone. bwrap is process 1
// of the child's namespace; an INT or TERM ends it with the child at once, and
// a child that a signal ended has the exit code 128 plus that signal.
type Bubblewrap struct {
	// Path of the program; "" looks for bwrap.
	Path string
}

var _ Sandbox = Bubblewrap{}

// Name implements [Sandbox].
func (Bubblewrap) Name() string { return "bubblewrap" }

func (b Bubblewrap) program() (string, error) {
	if b.Path != "" {
		return b.Path, nil
	}
	path, err := exec.LookPath("bwrap")
	if err != nil {
		return "", fmt.Errorf("the program bwrap is not installed: %w", err)
	}
	return path, nil
}

// Start implements [Sandbox].
func (b Bubblewrap) Start(c Child, p Policy) (*os.Process, error) {
	program, err := b.program()
	if err != nil {
		return nil, err
	}
	entries, err := layout(p)
	if err != nil {
		return nil, err
	}
	rules, err := filterFile(filter(p.Network))
	if err != nil {
		return nil, fmt.Errorf("the filter of system calls: %w", err)
	}
	defer func() { _ = rules.Close() }() // it lies in memory
	args := []string{
		program, "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--cap-drop", "ALL",
		"--seccomp", strconv.Itoa(len(c.Files)), "--dev", "/dev", "--proc", "/proc", "--dir", "/run",
		"--perms", "1777", "--size", strconv.FormatInt(p.tmpSize(), 10), "--tmpfs", "/tmp",
		"--perms", "1777", "--size", strconv.FormatInt(p.tmpSize(), 10), "--tmpfs", "/dev/shm",
		"--symlink", "/tmp", "/var/tmp",
	}
	if p.Network {
		args = append(args, "--share-net")
	}
	for _, e := range entries {
		switch e.kind {
		case readOnly:
			args = append(args, "--ro-bind", e.from, e.path)
		case writable:
			args = append(args, "--bind", e.from, e.path)
		case link:
			args = append(args, "--symlink", e.from, e.path)
		case device: // --dev has them all
		}
	}
	args = append(args, "--remount-ro", "/", "--chdir", c.Dir, "--", c.Path)
	c.Args = append(args, c.Args[1:]...)
	c.Path, c.Dir = program, "/"
	c.Files = append(c.Files[:len(c.Files):len(c.Files)], rules)
	// Not as os/exec does: bwrap passes on what a C library left open.
	var plan forkexec.Plan
	plan.Group()
	c.Limits.Plan(&plan)
	plan.DieWithParent()
	child, err := plan.Start(forkexec.Exec{Path: c.Path, Args: c.Args, Env: c.Env, Dir: c.Dir, Files: c.Files, Under: c.Under})
	if err != nil {
		return nil, fmt.Errorf("bwrap: %w", err)
	}
	return child, nil
}

// filterFile holds a filter for bwrap to read.
func filterFile(prog []unix.SockFilter) (*os.File, error) {
	var raw bytes.Buffer
	if err := binary.Write(&raw, binary.NativeEndian, prog); err != nil {
		return nil, err
	}
	fd, err := unix.MemfdCreate("filter", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "filter")
	_, err = f.Write(raw.Bytes())
	if err == nil {
		_, err = f.Seek(0, 0)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Probe implements [Sandbox]: it starts a real child.
func (b Bubblewrap) Probe(ctx context.Context) Report {
	cause, fix := "", ""
	if _, err := b.program(); err != nil {
		cause, fix = err.Error(), "install bubblewrap (apt-get install bubblewrap, dnf install bubblewrap)"
	} else if err := try(ctx, b); err != nil {
		cause, fix = err.Error(), "let bwrap make namespaces: sysctl user.max_user_namespaces=10000, install its AppArmor profile, or in a container allow namespaces in the seccomp profile"
	}
	return contained(b.Name(), cause, fix)
}
