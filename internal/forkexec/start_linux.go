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
	// Under, when not nil, becomes the program's parent in place of this
	// process.
	Under *Supervisor
}

// Supervisor is a program that another one is started under: in a session of
// its own, as a child of this process and the parent of that program. What
// its child leaves behind becomes its own (PR_SET_CHILD_SUBREAPER).
//
// The order of events makes this possible without anything running in between:
// this process forks, the fork forks again for the program, and then executes
// the supervisor, which keeps the child.
type Supervisor struct {
	Path  string
	Args  []string // with the program's name in front
	Env   []string
	Files []*os.File // descriptors 0, 1, 2, …; behind them the supervisor reads its child's id, 8 bytes
	// Child is the id of the program's process, set by [Plan.Start].
	Child int
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
	under  *child  // forked first
	tell   uintptr // where the child's id is written to for under
	pid    uint64
}

// Start forks, runs the plan in the child and executes the program. The error
// of a step is a [*StepError]. With a supervisor it returns the supervisor's
// process.
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
	c := p.lay(e.Files, w)
	var over Plan
	if e.Under != nil {
		pidR, pidW, err := os.Pipe()
		if err != nil {
			return nil, errors.Join(err, w.Close())
		}
		defer func() { _ = pidR.Close() }()
		defer func() { _ = pidW.Close() }() // the child wrote, not we
		over.add("subreaper", unix.SYS_PRCTL, unix.PR_SET_CHILD_SUBREAPER, 1)
		over.Chdir("/")
		over.add("execve "+e.Under.Path, unix.SYS_EXECVE, over.text(e.Under.Path), over.list(e.Under.Args), over.list(e.Under.Env))
		c.under = over.lay(append(e.Under.Files[:len(e.Under.Files):len(e.Under.Files)], pidR), w)
		c.tell = pidW.Fd()
	}
	syscall.ForkLock.Lock()
	pid, errno := forkChild(c)
	syscall.ForkLock.Unlock()
	runtime.KeepAlive(p)
	runtime.KeepAlive(&over)
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
	if err := p.reported(r, proc, &over, e.Under); err != nil {
		return nil, err
	}
	return proc, nil
}

// lay lays out what a child needs.
func (p *Plan) lay(files []*os.File, report *os.File) *child {
	c := &child{flags: p.flags, steps: p.steps, base: uintptr(len(files)) + 1, report: report.Fd()}
	for _, f := range files {
		c.fds = append(c.fds, f.Fd())
	}
	c.tmp = make([]uintptr, len(c.fds))
	return c
}

// The numbers in a report that are no failed steps of the plan.
const (
	ofClone      = 1 << 29   // the fork below the supervisor
	ofSupervisor = 1 << 30   // added to the steps of the supervisor
	isChild      = 1<<32 - 1 // the id of the supervisor's child follows
)

// reported reads which step failed; nothing when the programs run.
func (p *Plan) reported(r *os.File, proc *os.Process, over *Plan, under *Supervisor) error {
	var failed error
	for {
		var raw [8]byte
		if n, _ := r.Read(raw[:]); n < len(raw) { // the end means that exec closed the pipe
			break
		}
		i, value := binary.NativeEndian.Uint32(raw[:4]), binary.NativeEndian.Uint32(raw[4:])
		if i == isChild {
			under.Child = int(value)
			continue
		}
		steps := p.steps
		if i >= ofSupervisor {
			i, steps = i-ofSupervisor, over.steps
		}
		name := "descriptors"
		switch {
		case i == ofClone:
			name = "clone"
		case int(i) < len(steps):
			name = steps[i].name
		}
		failed = errors.Join(failed, &StepError{name, syscall.Errno(value)})
	}
	if failed == nil {
		return nil
	}
	if under != nil { // the other of the two may run
		_ = proc.Kill()
		if under.Child > 0 {
			_ = unix.Kill(under.Child, unix.SIGKILL)
		}
	}
	_, err := proc.Wait()
	return errors.Join(failed, err)
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
	flags := uintptr(unix.SIGCHLD)
	if c.under == nil {
		flags |= c.flags
	}
	beforeFork()
	// The order of clone's last arguments differs by architecture; all are 0.
	pid, _, e := syscall.RawSyscall6(unix.SYS_CLONE, flags, 0, 0, 0, 0, 0)
	if e != 0 || pid != 0 {
		afterFork()
		return pid, e
	}
	afterForkInChild()
	if c.under != nil {
		_, _, _ = syscall.RawSyscall6(unix.SYS_SETSID, 0, 0, 0, 0, 0, 0) // a new process leads no group: it cannot fail
		pid, _, e = syscall.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD)|c.flags, 0, 0, 0, 0, 0)
		if e != 0 {
			giveUp(c, ofClone, e)
		}
		if pid != 0 {
			c.pid = uint64(pid)
			_, _, _ = syscall.RawSyscall6(unix.SYS_WRITE, c.tell, uintptr(unsafe.Pointer(&c.pid)), unsafe.Sizeof(c.pid), 0, 0, 0)
			c.status[0], c.status[1] = isChild, uint32(pid)
			_, _, _ = syscall.RawSyscall6(unix.SYS_WRITE, c.report, uintptr(unsafe.Pointer(&c.status)), unsafe.Sizeof(c.status), 0, 0, 0)
			become(c.under, ofSupervisor)
		}
	}
	become(c, 0)
	return 0, 0 // never
}

// become moves the descriptors to their places and makes the steps, of which
// the last executes the program. It reports a failure, with first added to the
// step's number, and does not return.
//
//go:nosplit
//go:norace
//go:nocheckptr
func become(c *child, first int) {
	var (
		r, fd uintptr
		e     syscall.Errno
		s     *step
	)
	i := len(c.steps)
	// The report moves out of the way of the descriptors to come, then all
	// files do, and then each takes its place.
	c.report, _, e = syscall.RawSyscall6(unix.SYS_FCNTL, c.report, unix.F_DUPFD_CLOEXEC, c.base, 0, 0, 0)
	if e != 0 {
		giveUp(c, first+i, e)
	}
	for fd = 0; fd < uintptr(len(c.fds)); fd++ {
		c.tmp[fd], _, e = syscall.RawSyscall6(unix.SYS_FCNTL, c.fds[fd], unix.F_DUPFD_CLOEXEC, c.base, 0, 0, 0)
		if e != 0 {
			giveUp(c, first+i, e)
		}
	}
	for fd = 0; fd < uintptr(len(c.fds)); fd++ {
		_, _, e = syscall.RawSyscall6(unix.SYS_DUP3, c.tmp[fd], fd, 0, 0, 0, 0)
		if e != 0 {
			giveUp(c, first+i, e)
		}
	}
	// Whatever else is open, some C library's files too, ends with exec.
	_, _, e = syscall.RawSyscall6(unix.SYS_CLOSE_RANGE, uintptr(len(c.fds)), ^uintptr(0)>>32, unix.CLOSE_RANGE_CLOEXEC, 0, 0, 0)
	if e != 0 {
		giveUp(c, first+i, e)
	}
	for i = 0; i < len(c.steps); i++ {
		s = &c.steps[i]
		if s.onFD {
			s.args[0] = fd
		}
		r, _, e = syscall.RawSyscall6(s.trap, s.args[0], s.args[1], s.args[2], s.args[3], s.args[4], s.args[5])
		if e != 0 && e != s.pass {
			giveUp(c, first+i, e)
		}
		if s.open {
			fd = r
		}
	}
}

// giveUp reports a failed step and ends the child.
//
//go:nosplit
//go:norace
//go:nocheckptr
func giveUp(c *child, step int, e syscall.Errno) {
	c.status[0], c.status[1] = uint32(step), uint32(e)
	_, _, _ = syscall.RawSyscall6(unix.SYS_WRITE, c.report, uintptr(unsafe.Pointer(&c.status)), unsafe.Sizeof(c.status), 0, 0, 0)
	for {
		_, _, _ = syscall.RawSyscall6(unix.SYS_EXIT_GROUP, 253, 0, 0, 0, 0, 0)
	}
}
