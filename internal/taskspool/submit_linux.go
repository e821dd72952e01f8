//go:build amd64 || arm64

package taskspool

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/proc"
)

//go:embed supervisor.py
var supervisor string

// meta is what the host writes down before a task starts.
type meta struct {
	Info facade.TaskInfo `json:"info"`
	Host string          `json:"host"`
	Cap  int64           `json:"cap"`  // of the output file
	Mark string          `json:"mark"` // in the environment of the task's processes
}

// Submit implements [facade.TaskQueue].
func (s *Spool) Submit(ctx context.Context, spec facade.TaskSpec) (facade.TaskInfo, error) {
	s.reap(false)
	if err := ctx.Err(); err != nil {
		return facade.TaskInfo{}, err
	}
	var t *starting
	var known string
	err := s.exclusive(func() (err error) {
		if known = s.known(spec.Key); known != "" {
			return nil
		}
		if err = s.admit(spec.Session); err == nil {
			t, err = s.lay(spec)
		}
		return err
	})
	if err != nil {
		return facade.TaskInfo{}, laidError(err)
	}
	if known != "" {
		return s.Get(ctx, known)
	}
	defer t.close()
	if err := s.launch(t, spec); err != nil {
		return facade.TaskInfo{}, errors.Join(err, os.RemoveAll(s.path(t.meta.Info.ID)))
	}
	s.sweep(ctx)
	info := t.meta.Info
	info.State, info.Started = facade.TaskRunning, &info.Created
	return info, nil
}

// laidError is the error of what went wrong before the start.
func laidError(err error) error {
	if _, ok := errors.AsType[*facade.Error](err); ok {
		return err
	}
	e := facade.Errorf(facade.CodeOf(err), "the task could not be laid down")
	e.Err = err
	return e.WithHint("the host's directory of tasks is full or cannot be written")
}

// known returns the task that a key names, "" when there is none.
func (s *Spool) known(key string) string {
	if key == "" {
		return ""
	}
	raw, err := os.ReadFile(s.keyPath(key))
	if err != nil {
		return ""
	}
	id := string(raw)
	if _, err := os.Stat(s.path(id, "meta.json")); err != nil || number(id) == 0 {
		return ""
	}
	return id
}

func (s *Spool) keyPath(key string) string {
	sum := sha256.Sum256([]byte(key))
	return s.path("keys", hex.EncodeToString(sum[:]))
}

// admit checks the caps.
func (s *Spool) admit(session string) error {
	running, own := s.Running(session)
	switch {
	case own >= s.opts.MaxPerSession:
		return busy(own, "in this session")
	case running >= s.opts.MaxRunning:
		return busy(running, "here")
	}
	return nil
}

func busy(n int, where string) error {
	e := facade.Errorf(facade.CodeBusy, "%d tasks run %s already, which is the limit", n, where).
		WithHint("wait for one to end, or cancel one")
	e.RetryAfter = time.Second
	return e
}

// starting is a task that is being started.
type starting struct {
	meta  meta
	dir   string
	lock  *os.File
	files []*os.File // closed when the task has its own
}

func (t *starting) close() {
	for _, f := range t.files {
		_ = f.Close() // the processes have their own
	}
}

// open keeps a file until the task has its own.
func (t *starting) open(f *os.File, err error) (*os.File, error) {
	if err == nil {
		t.files = append(t.files, f)
	}
	return f, err
}

// lay makes a task's directory. It is complete and locked when it appears.
func (s *Spool) lay(spec facade.TaskSpec) (t *starting, err error) {
	t = &starting{meta: meta{
		Info: facade.TaskInfo{
			Session: spec.Session, Tool: spec.Tool, Label: spec.Label, State: facade.TaskStarting,
			Created: time.Now(), Isolation: s.opts.Isolation,
		},
		Host: s.host, Mark: rand.Text(), Cap: proc.DefaultSpill,
	}}
	n, err := s.next()
	if err != nil {
		return nil, err
	}
	id := prefix + strconv.FormatInt(n, 10)
	t.meta.Info.ID, t.dir = id, s.path(id)
	fresh := s.path(".new-" + id)
	defer func() {
		if err != nil {
			t.close()
			err = errors.Join(err, os.RemoveAll(fresh))
		}
	}()
	if err := os.MkdirAll(filepath.Join(fresh, "run"), 0o700); err != nil {
		return nil, err
	}
	if t.lock, err = t.open(lock(filepath.Join(fresh, "lock"))); err != nil {
		return nil, err
	}
	for _, f := range spec.Files {
		if f.Name == "" || f.Name == ".." || strings.ContainsAny(f.Name, "/\x00") {
			return nil, facade.InvalidArgument("files", "%q is no name of a file", f.Name)
		}
		if err := os.WriteFile(filepath.Join(fresh, "run", f.Name), f.Data, 0o600); err != nil {
			return nil, err
		}
	}
	if spec.Stdin != "" {
		if err := os.WriteFile(filepath.Join(fresh, "stdin"), []byte(spec.Stdin), 0o600); err != nil {
			return nil, err
		}
	}
	if err := writeJSON(filepath.Join(fresh, "meta.json"), t.meta); err != nil {
		return nil, err
	}
	if err := os.Rename(fresh, t.dir); err != nil {
		return nil, err
	}
	if spec.Key == "" {
		return t, nil
	}
	if err := os.MkdirAll(s.path("keys"), 0o700); err != nil {
		return nil, err
	}
	return t, os.WriteFile(s.keyPath(spec.Key), []byte(id), 0o600)
}

// next gives out a number that no task ever had.
func (s *Spool) next() (int64, error) {
	raw, err := os.ReadFile(s.path("count"))
	if err != nil && !missing(err) {
		return 0, err
	}
	n, _ := strconv.ParseInt(string(raw), 10, 64) // 0 in a new directory
	if ids, err := s.ids(); err != nil {
		return 0, err
	} else if len(ids) > 0 {
		n = max(n, number(ids[0]))
	}
	n++
	return n, replace(s.path("count"), []byte(strconv.FormatInt(n, 10)))
}

// replace writes a file at once.
func replace(path string, data []byte) error {
	if err := os.WriteFile(path+".tmp", data, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".tmp", path)
}

func writeJSON(path string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return replace(path, raw)
}

func readJSON(path string, v any) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, v)
}

// launch starts the program under its supervisor.
func (s *Spool) launch(t *starting, spec facade.TaskSpec) error {
	cmd, err := s.opts.Prepare(spec, filepath.Join(t.dir, "run"))
	if err != nil {
		return err
	}
	if cmd.Launch == nil {
		cmd.Launch = proc.Direct
	}
	theirs, ours, err := t.pipes(spec)
	if err != nil {
		return laidError(err)
	}
	under := &proc.Supervisor{
		Path: s.opts.Interpreter, Args: append([]string{s.opts.Interpreter, "-I", "-S", "-c", supervisor}, settings(t.meta, spec, cmd)...),
		Env: []string{"PATH=/usr/bin:/bin"}, Files: ours,
	}
	process, err := cmd.Launch(proc.Child{
		Path: cmd.Path, Args: append([]string{cmd.Path}, cmd.Args...), Env: append(cmd.Env[:len(cmd.Env):len(cmd.Env)], proc.MarkVariable(t.meta.Mark)),
		Dir: cmd.Dir, Files: theirs, Limits: cmd.Limits, Under: under,
	})
	if err != nil {
		return startError(spec.Label, err)
	}
	if under.Child == 0 {
		_ = process.Kill()
		_, err := process.Wait()
		return startError(spec.Label, errors.Join(errors.New("the sandbox starts nothing under a supervisor"), err))
	}
	s.mu.Lock()
	s.children[t.meta.Info.ID], s.pids[t.meta.Info.ID] = process.Pid, under.Child
	s.mu.Unlock()
	t.meta.Info.PID = under.Child
	return process.Release()
}

// settings are the supervisor's arguments.
func settings(m meta, spec facade.TaskSpec, cmd proc.Command) []string {
	keep, limit := int64(0), cmd.OutputLimit
	if spec.KeepInput {
		keep = 1
	}
	grace, delay := cmd.Grace, cmd.WaitDelay
	if grace <= 0 {
		grace = proc.DefaultGrace
	}
	if delay <= 0 {
		delay = proc.DefaultWaitDelay
	}
	var args []string
	for _, n := range []int64{m.Cap, limit, spec.Timeout.Milliseconds(), grace.Milliseconds(), delay.Milliseconds(), keep} {
		args = append(args, strconv.FormatInt(n, 10))
	}
	return args
}

// pipes makes the descriptors of the program and of its supervisor.
func (t *starting) pipes(spec facade.TaskSpec) (theirs, ours []*os.File, err error) {
	open := func(f *os.File, e error) *os.File {
		f, e = t.open(f, e)
		err = errors.Join(err, e)
		return f
	}
	pipe := func(size int) (r, w *os.File) {
		r, w, e := os.Pipe()
		r, w = open(r, e), open(w, e)
		if e == nil && size > 0 {
			_, _ = unix.FcntlInt(r.Fd(), unix.F_SETPIPE_SZ, size) // a refusal costs only speed
		}
		return r, w
	}
	null := open(os.OpenFile(os.DevNull, os.O_RDWR, 0))
	stdin, feed := null, null
	if spec.Stdin != "" || spec.KeepInput {
		stdin, feed = pipe(0)
	}
	outR, outW := pipe(pipeSize)
	errR, errW := pipe(pipeSize)
	trouble := open(os.OpenFile(filepath.Join(t.dir, "trouble"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600))
	dir := open(os.Open(t.dir))
	return []*os.File{stdin, outW, errW}, []*os.File{null, null, trouble, dir, t.lock, outR, errR, feed}, err
}

// pipeSize is what an output's pipe holds where the system lets us choose.
const pipeSize = 1 << 20

func startError(label string, err error) error {
	if errors.Is(err, unix.E2BIG) {
		e := facade.Errorf(facade.CodeTooLarge, "%s is too long: the system takes 128 KiB in one argument, and some megabytes in all", strings.ReplaceAll(label, "\n", " "))
		e.Err = err
		return e.WithHint("put it into a file and run that, or pass it with 'stdin'")
	}
	code := facade.CodeOf(err)
	if code == facade.CodeInternal || code == facade.CodeInvalidArgument {
		code = facade.CodeUnavailable
	}
	if errors.Is(err, fs.ErrNotExist) {
		code = facade.CodeNotFound
	}
	e := facade.Errorf(code, "%s could not be started", strings.ReplaceAll(label, "\n", " "))
	e.Err = fmt.Errorf("start under a supervisor: %w", err)
	return e.WithHint("check that the program exists and may be executed")
}
