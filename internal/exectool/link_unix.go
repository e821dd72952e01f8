//go:build unix

package exectool

import (
	"errors"
	"net"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// link is this process's end of a socket that carries descriptors.
type link struct{ *net.UnixConn }

// newLink makes a socket and returns both of its ends.
func newLink() (theirs *os.File, ours link, err error) {
	syscall.ForkLock.RLock()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err == nil {
		unix.CloseOnExec(fds[0])
		unix.CloseOnExec(fds[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, link{}, os.NewSyscallError("socketpair", err)
	}
	theirs, mine := os.NewFile(uintptr(fds[0]), "worker"), os.NewFile(uintptr(fds[1]), "link")
	conn, err := net.FileConn(mine)
	err = errors.Join(err, mine.Close())
	if err != nil {
		return nil, link{}, errors.Join(err, theirs.Close())
	}
	return theirs, link{conn.(*net.UnixConn)}, nil
}

// send sends data, and with its start the descriptors of files.
func (l link) send(data []byte, files []*os.File) error {
	var fds []int
	for _, f := range files {
		fds = append(fds, int(f.Fd()))
	}
	n, _, err := l.WriteMsgUnix(data, unix.UnixRights(fds...), nil)
	if err == nil && n < len(data) {
		_, err = l.Write(data[n:])
	}
	return err
}

func signalName(s syscall.Signal) string { return unix.SignalName(s) }
