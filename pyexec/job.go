package pyexec

import (
	"context"
	_ "embed"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/exectool"
)

//go:embed boot.py
var boot []byte

// job prepares a program: its source, or a copy of the launcher, in a directory
// of its own, which goes when the program has ended.
func (p *Python) job(ctx context.Context, in facade.PythonRunInput) (exectool.Job, error) {
	if err := p.check(in); err != nil {
		return exectool.Job{}, err
	}
	dir, err := p.run.Directory(in.Cwd)
	if err != nil {
		return exectool.Job{}, err
	}
	env, err := exectool.Environment(in.Env)
	if err != nil {
		return exectool.Job{}, err
	}
	python, err := p.choose(ctx, in.Python)
	if err != nil {
		return exectool.Job{}, err
	}
	src, err := p.source(in, dir)
	if err != nil {
		return exectool.Job{}, err
	}
	spool, err := src.lay(p.run.Spool())
	if err != nil {
		return exectool.Job{}, err
	}
	artifacts := filepath.Join(spool, "artifacts")
	args := []string{"-u"}
	if python.safe {
		args = append(args, "-P")
	}
	file := src.file
	if file == "" {
		file = filepath.Join(spool, "main.py")
	}
	timeout := time.Duration(in.Timeout * float64(time.Second))
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	return exectool.Job{
		Label: exectool.Label(append([]string{src.label}, in.Args...)...), Dir: dir,
		Path: python.path, Args: append(append(args, filepath.Join(spool, "boot.py"), file, src.name, src.where), in.Args...),
		Env: append([]string{
			"PYTHONUTF8=1", "PYTHONIOENCODING=utf-8", "PYTHONDONTWRITEBYTECODE=1", "MPLBACKEND=Agg",
			"MPLCONFIGDIR=" + spool, "PYTHON_ARTIFACTS=" + artifacts,
		}, env...),
		Stdin: in.Stdin, Timeout: timeout, Writable: []string{spool}, ReadOnly: python.need,
		Finish: func(id string, out *facade.PythonRunOutput) { p.finish(spool, id, out) },
	}, nil
}

// check refuses what this implementation cannot do.
func (p *Python) check(in facade.PythonRunInput) error {
	if err := in.Validate(); err != nil {
		return err
	}
	if in.Session != "" {
		e := facade.Errorf(facade.CodeUnsupported, "interpreters that keep their variables are not offered here")
		e.Field = "session"
		return e.WithHint("leave out 'session', and write what has to last to a file")
	}
	return p.run.Ready()
}

// source is a program's text or file.
type source struct {
	label string // what lists show
	name  string // what the program and its tracebacks call it
	file  string // absolute; "" when code is laid into the spool
	where string // the directory of its modules
	code  string
}

func (p *Python) source(in facade.PythonRunInput, dir string) (source, error) {
	if in.Code != "" {
		return source{label: in.Code, name: "<code>", where: dir, code: in.Code}, nil
	}
	if isSource(in.Script) {
		return source{label: in.Script, name: "<code>", where: dir, code: in.Script}, nil
	}
	rel, err := p.run.File("script", in.Script)
	if err != nil {
		return source{}, err
	}
	file := filepath.Join(p.run.Dir(), rel)
	return source{label: in.Script, name: in.Script, file: file, where: filepath.Dir(file)}, nil
}

// isSource tells source from a path: a path has one line and none of the
// characters that statements need.
func isSource(script string) bool {
	if strings.ContainsAny(script, "\n\r;()=\"'#") {
		return true
	}
	for _, word := range []string{"import ", "from ", "print ", "raise ", "assert "} {
		if strings.HasPrefix(script, word) {
			return true
		}
	}
	return script == "pass"
}

// lay makes the directory of a run.
func (s source) lay(under string) (string, error) {
	spool, err := os.MkdirTemp(under, "run-")
	if err == nil {
		err = os.Mkdir(filepath.Join(spool, "artifacts"), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(spool, "boot.py"), boot, 0o600)
	}
	if err == nil && s.file == "" {
		err = os.WriteFile(filepath.Join(spool, "main.py"), []byte(s.code), 0o600)
	}
	if err != nil {
		e := facade.Errorf(facade.CodeOf(err), "the program could not be laid down")
		e.Err = err
		return "", e.WithHint("the host's temporary directory is full or cannot be written")
	}
	return spool, nil
}
