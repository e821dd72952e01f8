package exectool

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/proc"
	"github.com/toolfacade/toolfacade/sandbox"
)

// prepare turns a spec into a command; dir is the task's own directory.
func (r *Runner) prepare(spec facade.TaskSpec, dir string) (proc.Command, error) {
	if err := r.Ready(); err != nil {
		return proc.Command{}, err
	}
	path, err := r.program(spec)
	if err != nil {
		return proc.Command{}, err
	}
	cwd, err := r.Directory(spec.Dir)
	if err != nil {
		return proc.Command{}, err
	}
	args := slices.Clone(spec.Flags)
	if spec.File != "" {
		args = append(args, filepath.Join(dir, spec.File))
	}
	limit := spec.OutputLimit
	if limit <= 0 {
		limit = r.opts.OutputLimit
	}
	policy := sandbox.Policy{
		Writable: []string{r.dir},
		ReadOnly: slices.Concat(r.opts.ReadOnly, spec.ReadOnly),
		Network:  r.opts.Network,
		Memory:   r.opts.Memory, Processes: r.opts.Processes,
	}
	if len(spec.Files) > 0 {
		policy.Writable = append(policy.Writable, dir)
	}
	return proc.Command{
		Path: path, Args: append(args, spec.Args...), Dir: cwd,
		Env:   slices.Concat(r.environment(), r.opts.Env, spec.Env),
		Stdin: spec.Stdin, KeepInput: spec.KeepInput, Timeout: spec.Timeout,
		Limits: r.opts.Limits, OutputLimit: limit, SpillDir: r.spool, Contained: r.Contained(),
		Launch: func(c proc.Child) (*os.Process, error) { return r.box.Start(c, policy) },
	}, nil
}

// program finds the program of a spec: a name in PATH, a path below the root,
// or an absolute path.
func (r *Runner) program(spec facade.TaskSpec) (string, error) {
	name := spec.Program
	switch {
	case filepath.IsAbs(name):
		return name, nil
	case strings.ContainsAny(name, "/"+string(filepath.Separator)):
		rel, err := r.File("command", name)
		return filepath.Join(r.dir, rel), err
	}
	if path, ok := r.look(name); ok {
		return path, nil
	}
	return "", facade.Errorf(facade.CodeNotFound, "there is no program %s", name).
		WithHint("install it, give its path, or leave out 'args' to run a line of the shell")
}

// look finds a program in the PATH that commands get.
func (r *Runner) look(name string) (string, bool) {
	path := ""
	for _, v := range slices.Concat(r.environment(), r.opts.Env) {
		if p, ok := strings.CutPrefix(v, "PATH="); ok {
			path = p
		}
	}
	for _, dir := range filepath.SplitList(path) {
		full := filepath.Join(dir, name)
		if info, err := os.Stat(full); err == nil && filepath.IsAbs(full) && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return full, true
		}
	}
	return "", false
}

// environment is what every program gets: quiet, UTF-8, and nothing of the
// host's that could be a secret.
func (r *Runner) environment() []string {
	path, home := "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "/tmp"
	if !r.Contained() {
		path, home = os.Getenv("PATH"), os.Getenv("HOME")
	}
	return []string{
		"PATH=" + path, "HOME=" + home, "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "TERM=dumb", "NO_COLOR=1",
		"PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0",
	}
}

func startError(label string, err error) error {
	if e, ok := errors.AsType[*facade.Error](err); ok {
		return e
	}
	if errors.Is(err, syscall.E2BIG) {
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
	e.Err = err
	return e.WithHint("check that the program exists and may be executed")
}
