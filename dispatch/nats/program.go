package nats

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/proc"
	"github.com/toolfacade/toolfacade/sandbox"
)

// command turns a spec into a process of this machine. The returned function
// removes the task's own files.
func (w *Worker) command(id string, spec facade.TaskSpec) (proc.Command, func(), error) {
	none := func() {}
	dir, err := w.directory(spec.Dir)
	if err != nil {
		return proc.Command{}, none, err
	}
	path, err := w.program(spec.Program)
	if err != nil {
		return proc.Command{}, none, err
	}
	policy := sandbox.Policy{
		Writable: []string{w.dir}, ReadOnly: spec.ReadOnly, Network: w.opts.Network, Memory: w.opts.Memory, Processes: w.opts.Processes,
	}
	args := slices.Clone(spec.Flags)
	remove := none
	if len(spec.Files) > 0 {
		own, err := w.lay(id, spec.Files)
		remove = func() { _ = os.RemoveAll(own) } // in a temporary directory
		if err != nil {
			remove()
			return proc.Command{}, none, err
		}
		policy.Writable = append(policy.Writable, own)
		if spec.File != "" {
			args = append(args, filepath.Join(own, spec.File))
		}
	}
	limit := spec.OutputLimit
	if limit <= 0 {
		limit = w.opts.OutputLimit
	}
	return proc.Command{
		Path: path, Args: append(args, spec.Args...), Dir: dir, Env: slices.Concat(w.environment(), w.opts.Env, spec.Env),
		Stdin: spec.Stdin, KeepInput: spec.KeepInput, Timeout: spec.Timeout, Limits: w.opts.Limits,
		OutputLimit: limit, SpillDir: w.spool, SpillMax: limit + spillRoom,
		Contained: w.contained(),
		Launch:    func(c proc.Child) (*os.Process, error) { return w.box.Start(c, policy) },
	}, remove, nil
}

// spillRoom is what a program may write above its limit before it is killed.
const spillRoom = 4 << 20

func (w *Worker) contained() bool { return w.box.Name() != sandbox.None{}.Name() }

// directory checks a directory below the root.
func (w *Worker) directory(rel string) (string, error) {
	if rel == "" {
		rel = "."
	}
	info, err := w.root.Stat(filepath.FromSlash(rel))
	if err != nil || !info.IsDir() {
		return "", facade.Errorf(facade.CodeNotFound, "the worker's root has no directory %s", rel)
	}
	return filepath.Join(w.dir, rel), nil
}

// program finds a program: at an absolute path, below the root, or in PATH.
func (w *Worker) program(name string) (string, error) {
	switch {
	case filepath.IsAbs(name):
		return name, nil
	case strings.Contains(name, "/"):
		if _, err := w.root.Stat(filepath.FromSlash(name)); err != nil {
			return "", facade.Errorf(facade.CodeNotFound, "the worker's root has no program %s", name)
		}
		return filepath.Join(w.dir, name), nil
	}
	for _, v := range slices.Backward(slices.Concat(w.environment(), w.opts.Env)) {
		path, ok := strings.CutPrefix(v, "PATH=")
		if !ok {
			continue
		}
		for _, dir := range filepath.SplitList(path) {
			full := filepath.Join(dir, name)
			if info, err := os.Stat(full); err == nil && filepath.IsAbs(full) && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				return full, nil
			}
		}
		break
	}
	return "", facade.Errorf(facade.CodeNotFound, "the worker has no program %s", name)
}

// lay puts a task's files into a directory of its own.
func (w *Worker) lay(id string, files []facade.TaskFile) (string, error) {
	dir := filepath.Join(w.spool, id)
	err := os.Mkdir(dir, 0o700)
	for _, f := range files {
		if err == nil && (f.Name != filepath.Base(f.Name) || f.Name == "." || f.Name == "..") {
			err = facade.InvalidArgument("files", "%q is no name of a file", f.Name)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600)
		}
	}
	return dir, err
}

// environment is what every program gets: quiet, UTF-8, and nothing of the
// worker's that could be a secret.
func (w *Worker) environment() []string {
	path, home := "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "/tmp"
	if !w.contained() {
		path, home = os.Getenv("PATH"), os.Getenv("HOME")
	}
	return []string{
		"PATH=" + path, "HOME=" + home, "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "TERM=dumb", "NO_COLOR=1",
		"PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0",
	}
}

func startError(spec facade.TaskSpec, err error) error {
	if missing, ok := errors.AsType[*sandbox.UnavailableError](err); ok {
		return facade.Errorf(facade.CodeUnavailable, "%s", missing.Error())
	}
	e := facade.Errorf(facade.CodeUnavailable, "%s could not be started on the worker", spec.Label)
	e.Err = err
	return e
}

// finish writes down how a program ended.
func finish(info *facade.TaskInfo, res proc.Result) {
	info.State, info.Reason = ending(res)
	if res.Signal == "" && res.ExitCode >= 0 {
		code := res.ExitCode
		info.ExitCode = &code
	}
	started, ended := res.Started, res.Ended
	info.Signal, info.TotalBytes = res.Signal, res.TotalBytes
	info.Started, info.Ended = &started, &ended
	for _, s := range res.Leaked {
		info.Leaked = append(info.Leaked, facade.LeakedProcess{PID: s.PID, Command: s.Command})
	}
}

// ending names how a program ended.
func ending(res proc.Result) (facade.TaskState, string) {
	switch res.Cause {
	case proc.TimedOut:
		return facade.TaskTimedOut, "it was killed at its time limit"
	case proc.Canceled:
		return facade.TaskCanceled, ""
	case proc.OutputLimit:
		return facade.TaskOutputLimit, "it was killed for writing too much"
	case proc.Exited:
	}
	switch {
	case res.OutOfMemory && (res.Signal != "" || res.ExitCode != 0):
		return facade.TaskOOMKilled, "it needed more memory than it may have"
	case res.ExitCode == 0 && res.Signal == "":
		return facade.TaskSucceeded, ""
	}
	return facade.TaskFailed, ""
}
