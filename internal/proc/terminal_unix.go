//go:build unix

package proc

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/creack/pty"
)

// openTerminal returns a new terminal for the child, and the host's side of it
// to read and to write.
func openTerminal() (child, out, feed *os.File, err error) {
	host, child, err := pty.Open()
	if err != nil {
		if errors.Is(err, pty.ErrUnsupported) {
			err = errors.ErrUnsupported
		}
		return nil, nil, nil, fmt.Errorf("open a terminal: %w", err)
	}
	defer func() { _ = host.Close() }() // its duplicates stay
	err = pty.Setsize(host, &pty.Winsize{Rows: terminalRows, Cols: terminalColumns})
	if err == nil {
		out, err = duplicate(host)
	}
	if err == nil {
		if feed, err = duplicate(host); err != nil {
			_ = out.Close() // nothing was read
		}
	}
	if err != nil {
		return nil, nil, nil, errors.Join(fmt.Errorf("the terminal's host side: %w", err), child.Close())
	}
	return child, out, feed, nil
}

// duplicate lets reading and writing end apart, and either be interrupted.
func duplicate(f *os.File) (*os.File, error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	fd := -1
	var dupErr error
	err = conn.Control(func(from uintptr) {
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		if fd, dupErr = syscall.Dup(int(from)); dupErr == nil {
			syscall.CloseOnExec(fd)
			dupErr = syscall.SetNonblock(fd, true)
		}
	})
	if err := errors.Join(err, dupErr); err != nil {
		if fd >= 0 {
			_ = syscall.Close(fd) // nothing was written
		}
		return nil, err
	}
	return os.NewFile(uintptr(fd), "terminal"), nil
}
