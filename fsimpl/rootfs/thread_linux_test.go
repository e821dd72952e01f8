package rootfs

import (
	"os"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// onThread runs setup and then run on a thread that ends with them, so that
// what setup does to the thread stays there. It skips the test if setup fails.
// In run, only t.Error is allowed.
func onThread(t *testing.T, setup func() error, run func()) {
	t.Helper()
	done := make(chan error)
	var start func()
	start = func() {
		runtime.LockOSThread() // without an unlock, the thread ends here
		if unix.Gettid() == os.Getpid() {
			// The main thread stands for the process: it must stay as it is.
			again := make(chan struct{})
			go func() { close(again); start() }()
			<-again
			runtime.UnlockOSThread()
			return
		}
		err := setup()
		if err == nil {
			run()
		}
		done <- err
	}
	go start()
	if err := <-done; err != nil {
		t.Skipf("the thread cannot be set up: %v", err)
	}
}

// stranger is a user without rights, not even on what root's group may use.
const stranger = 4711

// asStranger runs a function as a user without privileges. It needs root, who
// makes the files of others.
func asStranger(t *testing.T, run func()) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("files of another user need root")
	}
	onThread(t, func() error {
		if err := unix.Setfsgid(stranger); err != nil {
			return err
		}
		return unix.Setfsuid(stranger)
	}, run)
}

// syscallFails is a system call that fails, either always or only with the
// given value of one argument.
type syscallFails struct {
	nr    uint32
	errno unix.Errno
	arg   uint32 // counted from 1; 0 for always
	value uint32
}

// newfstatat has this number on arm64 and another on amd64.
var newfstatat = map[string]uint32{"amd64": 262, "arm64": 79}[runtime.GOARCH]

// withFailures runs a function while system calls fail, as on another kernel,
// on a bad disk or behind a filter.
func withFailures(t *testing.T, failures []syscallFails, run func()) {
	t.Helper()
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("system calls have other numbers here")
	}
	const (
		load = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		eq   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		ret  = unix.BPF_RET | unix.BPF_K
	)
	var prog []unix.SockFilter
	for _, f := range failures {
		answer := unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_ERRNO | uint32(f.errno)}
		prog = append(prog, unix.SockFilter{Code: load, K: 0})
		if f.arg == 0 {
			prog = append(prog, unix.SockFilter{Code: eq, Jf: 1, K: f.nr}, answer)
			continue
		}
		prog = append(prog,
			unix.SockFilter{Code: eq, Jf: 3, K: f.nr},
			unix.SockFilter{Code: load, K: 16 + 8*(f.arg-1)},
			unix.SockFilter{Code: eq, Jf: 1, K: f.value}, answer)
	}
	prog = append(prog, unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_ALLOW})
	onThread(t, func() error {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return err
		}
		fprog := unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]}
		_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&fprog)))
		if errno != 0 {
			return errno
		}
		return nil
	}, run)
}

// openFiles counts the descriptors of the process.
func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	check(t, err)
	return len(entries)
}
