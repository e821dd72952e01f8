//go:build amd64 || arm64

package taskspool

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// dial connects to a task's supervisor, also one that only begins to listen. It
// returns nil when the task has ended.
func (s *Spool) dial(ctx context.Context, id string) (*net.UnixConn, error) {
	if _, err := s.read(id); err != nil {
		return nil, err
	}
	for {
		// The address of a socket is short; the way over a descriptor always fits.
		dir, err := os.Open(s.path(id))
		if missing(err) {
			return nil, notFound(id)
		}
		if err != nil {
			return nil, err
		}
		conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Net: "unix", Name: fmt.Sprintf("/proc/self/fd/%d/control", dir.Fd())})
		_ = dir.Close() // it was only looked into
		if err == nil {
			return conn, nil
		}
		if s.ended(id) {
			return nil, nil
		}
		select {
		case <-time.After(2 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// ask sends a request to a supervisor and returns its answer. When ctx ends the
// request is taken back. The answer is "" when the task has ended.
func (s *Spool) ask(ctx context.Context, id, request string) (word string, n int, err error) {
	conn, err := s.dial(ctx, id)
	if err != nil || conn == nil {
		return "", 0, err
	}
	defer func() { _ = conn.Close() }() // the answer is what counts
	stop := context.AfterFunc(ctx, func() {
		_ = conn.CloseWrite()
		_ = conn.SetDeadline(time.Now().Add(time.Second))
	})
	defer stop()
	if _, err := io.WriteString(conn, request); err != nil && ctx.Err() == nil && !s.gone(id) {
		return "", 0, err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err == nil {
		_, err = fmt.Sscanf(line, "%s %d", &word, &n)
	}
	switch {
	case err == nil, s.gone(id):
		return word, n, nil
	case ctx.Err() != nil:
		return "", 0, ctx.Err()
	}
	return "", 0, err
}

// gone reports whether a task ends within a moment.
func (s *Spool) gone(id string) bool {
	for range 200 {
		if s.ended(id) {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

// Cancel implements [facade.TaskQueue].
func (s *Spool) Cancel(ctx context.Context, id string) (facade.TaskInfo, error) {
	info, err := s.Get(ctx, id)
	if err != nil || info.State.Done() {
		return info, err
	}
	if _, _, err := s.ask(ctx, id, "cancel\n"); err != nil {
		return info, err
	}
	if err := s.Wait(ctx, id, facade.TaskEnd); err != nil {
		return info, err
	}
	return s.Get(ctx, id)
}

// Input implements [facade.TaskFeeder].
func (s *Spool) Input(ctx context.Context, id, data string, eof bool) (int, error) {
	then := "more"
	if eof {
		then = "eof"
	}
	word, n, err := s.ask(ctx, id, fmt.Sprintf("input %d %s\n%s", len(data), then, data))
	switch {
	case err != nil:
		return n, err
	case word == "ok":
		return n, nil
	case word == "busy":
		return n, errors.Join(ctx.Err(), context.Cause(ctx))
	}
	return n, facade.Errorf(facade.CodeConflict, "the input of task %s is closed", id).
		WithHint("it has ended, its input was closed, or it was not started in the background")
}
