//go:build amd64 || arm64

package forkexec

import (
	"encoding/binary"
	"errors"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Exec is the program that the child becomes.
type Exec struct {
	Path  string
	Args  []string // with the program's name in front
	Env   []string
	Dir   string     // "" leaves it where the plan does
	Files []*os.File // descriptors 0, 1, 2, …; all others are closed
}

// StepError says which step of the child failed.
type StepError struct {
	Step  string
	Errno syscall.Errno
}

// Error implements error.
func (e *StepError) Error() string { return e.Step + ": " + e.Errno.Error() }

// Unwrap returns the error number.
func (e *StepError) Unwrap() error { return e.Errno }

// child is all that the forked process needs, laid out beforehand.
type child struct {
	flags  uintptr
	steps  []step
	fds    []uintptr
	tmp    []uintptr
	base   uintptr
	report uintptr
	status [2]uint32
}

// Start forks, runs the plan in the child and executes the program. The error
// of a step is a [*StepError].
func (p *Plan) Start(e Exec) (*os.Process, error) {
	if e.Dir != "" {
		p.Chdir(e.Dir)
	}
	p.add("execve "+e.Path, unix.SYS_EXECVE, p.text(e.Path), p.list(e.Args), p.list(e.Env))
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // it was only read
	c := &child{flags: p.flags, steps: p.steps, base: uintptr(len(e.Files)) + 1, report: w.Fd()}
	for _, f := range e.Files {
		c.fds = append(c.fds, f.Fd())
	}
	c.tmp = make([]uintptr, len(c.fds))
	syscall.ForkLock.Lock()
	pid, errno := forkChild(c)
	syscall.ForkLock.Unlock()
	runtime.KeepAlive(p)
	runtime.KeepAlive(e)
	if err := w.Close(); err != nil || errno != 0 {
		if errno != 0 {
			err = &StepError{"clone", errno}
		}
		return nil, err
	}
	proc, err := os.FindProcess(int(pid))
	if err != nil {
		return nil, err
	}
	if err := p.reported(r, proc); err != nil {
		return nil, err
	}
	return proc, nil
}

// reported reads which step failed; nothing when the program runs.
func (p *Plan) reported(r *os.File, proc *os.Process) error {
	var raw [8]byte
	n, _ := r.Read(raw[:]) // the end means that exec closed the pipe
	if n < len(raw) {
		return nil
	}
	_, err := proc.Wait()
	i, errno := binary.NativeEndian.Uint32(raw[:]), binary.NativeEndian.Uint32(raw[4:])
	name := "descriptors"
	if int(i) < len(p.steps) {
		name = p.steps[i].name
	}
	return errors.Join(&StepError{name, syscall.Errno(errno)}, err)
}

// list lays out a zero-terminated array of strings.
func (p *Plan) list(texts []string) uintptr {
	addrs := make([]uintptr, len(texts)+1)
	for i, s := range texts {
		addrs[i] = p.text(s)
	}
	p.keep = append(p.keep, addrs)
	return uintptr(unsafe.Pointer(&addrs[0]))
}

//go:linkname beforeFork syscall.runtime_BeforeFork
func beforeFork()

//go:linkname afterFork syscall.runtime_AfterFork
func afterFork()

//go:linkname afterForkInChild syscall.runtime_AfterForkInChild
func afterForkInChild()

// forkChild forks; it returns in the parent only. From the clone on the child
// may neither allocate nor grow its stack, so it makes raw system calls and
// nothing else: the rest of the runtime has no threads there.
//
//go:noinline
//go:norace
//go:nocheckptr
func forkChild(c *child) (uintptr, syscall.Errno) {
	var (
		pid, r, fd uintptr
		e          syscall.Errno
		i          int
		s          *step
	)
	beforeFork()
	// The order of clone's last arguments differs by architecture; all are 0.
	pid, _, e = syscall.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD)|c.flags, 0, 0, 0, 0, 0)
	if e != 0 || pid != 0 {
		afterFork()
		return pid, e
	}
	afterForkInChild()
	i = len(c.steps)
	// The report moves out of the way of the descriptors to come, then all
	// files do, and then each takes its place.
	c.report, _, e = syscall.RawSyscall6(unix.SYS_FCNTL, c.report, unix.F_DUPFD_CLOEXEC, c.base, 0, 0, 0)
	if e != 0 {
		goto fail
	}
	for fd = 0; fd < uintptr(len(c.fds)); fd++ {
		c.tmp[fd], _, e = syscall.RawSyscall6(unix.SYS_FCNTL, c.fds[fd], unix.F_DUPFD_CLOEXEC, c.base, 0, 0, 0)
		if e != 0 {
			goto fail
		}
	}
	for fd = 0; fd < uintptr(len(c.fds)); fd++ {
		_, _, e = syscall.RawSyscall6(unix.SYS_DUP3, c.tmp[fd], fd, 0, 0, 0, 0)
		if e != 0 {
			goto fail
		}
	}
	// Whatever else is open, some C library's files too, ends with exec.
	_, _, e = syscall.RawSyscall6(unix.SYS_CLOSE_RANGE, uintptr(len(c.fds)), ^uintptr(0)>>32, unix.CLOSE_RANGE_CLOEXEC, 0, 0, 0)
	if e != 0 {
		goto fail
	}
	for i = 0; i < len(c.steps); i++ {
		s = &c.steps[i]
		if s.onFD {
			s.args[0] = fd
		}
		r, _, e = syscall.RawSyscall6(s.trap, s.args[0], s.args[1], s.args[2], s.args[3], s.args[4], s.args[5])
		if e != 0 && e != s.pass {
			goto fail
		}
		if s.open {
			fd = r
		}
	}
fail:
	c.status[0], c.status[1] = uint32(i), uint32(e)
	_, _, _ = syscall.RawSyscall6(unix.SYS_WRITE, c.report, uintptr(unsafe.Pointer(&c.status)), unsafe.Sizeof(c.status), 0, 0, 0)
	for {
		_, _, _ = syscall.RawSyscall6(unix.SYS_EXIT_GROUP, 253, 0, 0, 0, 0, 0)
	}
}
