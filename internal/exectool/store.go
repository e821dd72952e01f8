package exectool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/taskspool"
)

// taskDir is where background tasks are kept, "" when there is no such place.
func (r *Runner) taskDir() string {
	dir := r.opts.TaskDir
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		sum := sha256.Sum256([]byte(r.dir))
		dir = filepath.Join(cache, "toolfacade", "tasks", hex.EncodeToString(sum[:12]))
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	return filepath.Join(abs, r.hooks.Tool)
}

// within reports whether a path is below the root, where programs could reach
// it. What does not exist yet is judged by its nearest parent.
func (r *Runner) within(path string) bool {
	for p := path; ; p = filepath.Dir(p) {
		real, err := filepath.EvalSymlinks(p)
		if err == nil || filepath.Dir(p) == p {
			rest, err := filepath.Rel(r.dir, filepath.Join(real, strings.TrimPrefix(path, p)))
			return err == nil && filepath.IsLocal(rest)
		}
	}
}

// background returns the store of background tasks. Unless make says so it
// returns nil where there is none yet, and where none can be.
func (r *Runner) background(create bool) facade.TaskStore {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept != nil || r.noKept != nil || r.closed || r.opts.EndTasks || r.noBox != nil {
		return r.kept
	}
	dir := r.taskDir()
	if _, err := os.Stat(dir); !create && err != nil {
		return nil
	}
	r.kept, r.noKept = r.openSpool(dir)
	return r.kept
}

// openSpool opens the store of background tasks in a directory.
func (r *Runner) openSpool(dir string) (facade.TaskStore, error) {
	if dir == "" || r.within(dir) {
		return nil, errors.New("there is no place outside the root to keep tasks in")
	}
	python, err := supervisor()
	if err != nil {
		return nil, err
	}
	s, err := taskspool.Open(dir, &taskspool.Options{
		Prepare: r.prepare, Finish: r.hooks.Finish, Interpreter: python, Isolation: r.box.Name(),
		MaxRunning: r.opts.MaxRunning, MaxPerSession: r.opts.MaxPerSession,
		Keep: r.opts.Keep, MaxAge: r.opts.KeepFor, MaxBytes: r.opts.KeepBytes,
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// askLimit is how long the question about an interpreter may take.
const askLimit = 30 * time.Second

// supervisor finds the interpreter of supervisors: one that is no wrapper
// script, as those may do anything between.
func supervisor() (string, error) {
	const ask = "import sys, select, _socket, json; print(sys.executable if sys.version_info >= (3, 6) else '')"
	var failed error
	for _, name := range []string{"/usr/bin/python3", "/usr/local/bin/python3", "python3"} {
		path, err := exec.LookPath(name)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), askLimit)
		cmd := exec.CommandContext(ctx, path, "-I", "-S", "-c", ask)
		cmd.WaitDelay = time.Second
		out, err := cmd.Output()
		cancel()
		if real := strings.TrimSpace(string(out)); err == nil && filepath.IsAbs(real) {
			return real, nil
		}
		failed = errors.Join(failed, fmt.Errorf("%s does not serve: %w", path, errors.Join(err, errors.New("it is no Python 3.6"))))
	}
	return "", failed
}

// stores lists the stores there are.
func (r *Runner) stores() []facade.TaskStore {
	if kept := r.background(false); kept != nil {
		return []facade.TaskStore{kept, r.own}
	}
	return []facade.TaskStore{r.own}
}

// mine reports whether the caller may see a task: it is of the session, or of a
// host that is gone.
func (r *Runner) mine(ctx context.Context) func(facade.TaskInfo) bool {
	session := facade.Info(ctx).Session
	return func(i facade.TaskInfo) bool {
		return i.Session == session || i.Orphan && !r.opts.KeepSessions
	}
}

// handle is a task in its store.
type handle struct {
	store facade.TaskStore
	id    string
}

// find returns the session's task, by name or else by process id.
func (r *Runner) find(ctx context.Context, id string, pid int) (handle, error) {
	mine := r.mine(ctx)
	if id != "" {
		store := facade.TaskStore(r.own)
		if kept := r.background(false); kept != nil && !isOwn(id) {
			store = kept
		}
		info, err := store.Get(ctx, id)
		if err == nil && mine(info) && (info.Tool == "" || info.Tool == r.hooks.Tool) {
			return handle{store, id}, nil
		}
		if err != nil && facade.CodeOf(err) != facade.CodeNotFound {
			return handle{}, err
		}
		return handle{}, r.unknown(ctx, "task_id", "there is no task %q", id)
	}
	if pid == 0 {
		return handle{}, facade.InvalidArgument("task_id", "field 'task_id' must not be empty").WithHint("%s shows the tasks", r.hooks.List)
	}
	for _, store := range r.stores() {
		all, err := store.List(ctx, facade.TaskFilter{Tool: r.hooks.Tool, Visible: func(i facade.TaskInfo) bool { return i.PID == pid && mine(i) }})
		if err != nil {
			return handle{}, err
		}
		if len(all) > 0 {
			return handle{store, all[0].ID}, nil
		}
	}
	return handle{}, r.unknown(ctx, "pid", "process %d was not started here", pid)
}

// unknown is the error for a task that is not there; it lists those that are.
func (r *Runner) unknown(ctx context.Context, field, format string, arg any) error {
	e := facade.Errorf(facade.CodeNotFound, format, arg)
	e.Field = field
	tasks, err := r.tasks(ctx, "", 20)
	if err != nil {
		return err
	}
	var known []string
	for _, t := range tasks {
		known = append(known, t.ID)
	}
	if len(known) == 0 {
		return e.WithHint("nothing was started in this session, or it is forgotten")
	}
	return e.WithHint("known tasks: %s", strings.Join(known, ", "))
}
