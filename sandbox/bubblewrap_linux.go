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
	"slices"
	"strconv"
	"strings"

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
	entries, err := layout(p, c.Terminal)
	if err != nil {
		return nil, err
	}
	undo, err := bind(&c, p)
	if err != nil {
		return nil, err
	}
	rules, err := filterFile(filter(p.Network))
	if err != nil {
		undo()
		return nil, fmt.Errorf("the filter of system calls: %w", err)
	}
	w := wrapper{args: []string{program}, files: slices.Clone(c.Files)}
	defer func() { // they were only read, or lie in memory
		for _, f := range w.files[len(c.Files):] {
			_ = f.Close()
		}
	}()
	w.isolate(p)
	w.add("--seccomp", w.pass(rules))
	for _, e := range entries {
		w.place(e)
	}
	w.add("--remount-ro", "/proc", "--remount-ro", "/", "--chdir", c.Dir, "--", c.Path)
	w.add(c.Args[1:]...)
	// Not as os/exec does: bwrap passes on what a C library left open.
	var plan forkexec.Plan
	c.Lead(&plan)
	c.Limits.Plan(&plan)
	plan.DieWithParent()
	child, err := plan.Start(forkexec.Exec{Path: program, Args: w.args, Env: c.Env, Dir: "/", Files: w.files, Under: c.Under})
	if err != nil {
		undo()
		return nil, fmt.Errorf("bwrap: %w", err)
	}
	return child, nil
}

// wrapper collects bwrap's arguments and the files it reads.
type wrapper struct {
	args  []string
	files []*os.File
}

func (w *wrapper) add(args ...string) { w.args = append(w.args, args...) }

// pass passes a file on and returns the number bwrap knows it by.
func (w *wrapper) pass(f *os.File) string {
	w.files = append(w.files, f)
	return strconv.Itoa(len(w.files) - 1)
}

func (w *wrapper) isolate(p Policy) {
	w.add("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--cap-drop", "ALL")
	if p.Network {
		w.add("--share-net")
	}
	size := strconv.FormatInt(p.tmpSize(), 10)
	w.add("--dev", "/dev", "--proc", "/proc", "--dir", "/run",
		"--perms", "1777", "--size", size, "--tmpfs", "/tmp",
		"--perms", "1777", "--size", size, "--tmpfs", "/dev/shm",
		"--symlink", "/tmp", "/var/tmp")
}

func (w *wrapper) place(e entry) {
	switch e.kind {
	case readOnly:
		// For each mount bwrap reads the list of all of them, so small files
		// are copied instead.
		if f := small(e); f != nil {
			w.add("--perms", "0644", "--file", w.pass(f), e.path)
			return
		}
		w.add("--ro-bind", e.from, e.path)
	case writable:
		w.add("--bind", e.from, e.path)
	case link:
		w.add("--symlink", e.from, e.path)
	case masked:
		w.add("--ro-bind", os.DevNull, e.path)
	case device: // --dev has them all
	}
}

// smallFile is how long a file of the system's settings may be to be copied.
const smallFile = 256 << 10

// small opens a small file of the system's settings.
func small(e entry) *os.File {
	if e.dir || !strings.HasPrefix(e.path, "/etc/") {
		return nil
	}
	f, err := os.Open(e.from)
	if err != nil {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Size() > smallFile {
		_ = f.Close() // it was only opened
		return nil
	}
	return f
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
