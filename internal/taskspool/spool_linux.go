//go:build amd64 || arm64

package taskspool

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/facade"
)

// Spool keeps tasks in a directory. Several hosts may use one directory at the
// same time. The kernel's locks say who lives: a supervisor holds one as long
// as it lives, and so does a host, whatever ends them.
type Spool struct {
	dir    string
	opts   Options
	host   string
	beacon *os.File // locked: this host lives

	mu       sync.Mutex
	final    map[string]facade.TaskInfo // tasks whose end is written down
	children map[string]int             // supervisors that are to be reaped, by task
	pids     map[string]int             // of programs, by task, until supervisors write them down
	swept    time.Time
}

var (
	_ facade.TaskStore  = (*Spool)(nil)
	_ facade.TaskFeeder = (*Spool)(nil)
)

// Open opens the spool in dir and makes it when it is not there.
func Open(dir string, opts *Options) (*Spool, error) {
	s := &Spool{
		dir: dir, opts: *opts, host: rand.Text(),
		final: map[string]facade.TaskInfo{}, children: map[string]int{}, pids: map[string]int{},
	}
	s.opts.fill()
	if err := os.MkdirAll(s.path("hosts"), 0o700); err != nil {
		return nil, fmt.Errorf("the directory of tasks: %w", err)
	}
	err := s.exclusive(func() (err error) {
		s.beacon, err = lock(s.path("hosts", s.host))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the directory of tasks: %w", err)
	}
	s.sweep(context.Background())
	return s, nil
}

// Close implements [facade.TaskStore].
func (s *Spool) Close() error {
	s.reap(true)
	return errors.Join(os.Remove(s.beacon.Name()), s.beacon.Close())
}

func (s *Spool) path(elem ...string) string {
	return filepath.Join(append([]string{s.dir}, elem...)...)
}

// exclusive runs do while no other host and no other call does.
func (s *Spool) exclusive(do func() error) error {
	f, err := os.OpenFile(s.path("lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // nothing was written
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return err
		}
		return do()
	}
}

// lock makes a locked file.
func lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// held reports whether somebody holds the lock on a file.
func held(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // gives up the lock too
	return errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK)
}

const prefix = "task-"

// number returns the number in a task's name, 0 when it is none.
func number(id string) int64 {
	digits, ok := strings.CutPrefix(id, prefix)
	n, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || n <= 0 || prefix+strconv.FormatInt(n, 10) != id {
		return 0
	}
	return n
}

// ids lists the tasks there are, the latest first.
func (s *Spool) ids() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, fmt.Errorf("the directory of tasks: %w", err)
	}
	var numbers []int64
	for _, e := range entries {
		if n := number(e.Name()); n > 0 {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	var ids []string
	for _, n := range slices.Backward(numbers) {
		ids = append(ids, prefix+strconv.FormatInt(n, 10))
	}
	return ids, nil
}

// List implements [facade.TaskQueue].
func (s *Spool) List(ctx context.Context, filter facade.TaskFilter) ([]facade.TaskInfo, error) {
	s.reap(false)
	ids, err := s.ids()
	if err != nil {
		return nil, err
	}
	var out []facade.TaskInfo
	for _, id := range ids {
		info, err := s.info(ctx, id)
		switch {
		case facade.CodeOf(err) == facade.CodeNotFound: // removed just now
		case err != nil:
			return nil, err
		case filter.Match(info):
			out = append(out, info)
		}
		if filter.Limit > 0 && len(out) == filter.Limit {
			break
		}
	}
	return out, nil
}

// reap takes the exits of supervisors that have ended; at the end also of those
// that are about to.
func (s *Spool) reap(wait bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for end := time.Now().Add(time.Second); ; time.Sleep(time.Millisecond) {
		ending := false
		for id, pid := range s.children {
			got, err := unix.Wait4(pid, nil, unix.WNOHANG, nil)
			if got == pid || errors.Is(err, unix.ECHILD) {
				delete(s.children, id)
			} else if wait && s.written(id) {
				ending = true
			}
		}
		if !ending || time.Now().After(end) {
			return
		}
	}
}

func notFound(id string) error {
	e := facade.Errorf(facade.CodeNotFound, "there is no task %q", id)
	e.Field = "task_id"
	return e.WithHint("it never was, or it is forgotten")
}

// missing reports whether a file is not there.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
