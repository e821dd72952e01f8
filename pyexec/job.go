package pyexec

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/exectool"
)

// job prepares a program.
func (p *Python) job(ctx context.Context, in facade.PythonRunInput) (exectool.Job, error) {
	if err := p.check(in); err != nil {
		return exectool.Job{}, err
	}
	dir, err := p.run.Relative("cwd", in.Cwd)
	if err != nil {
		return exectool.Job{}, err
	}
	if err := exectool.Words("args", in.Args...); err != nil {
		return exectool.Job{}, err
	}
	env, err := exectool.Environment(in.Env)
	if err != nil {
		return exectool.Job{}, err
	}
	src, err := p.source(in, dir)
	if err != nil {
		return exectool.Job{}, err
	}
	python, err := p.choose(ctx, in.Python)
	if err != nil {
		return exectool.Job{}, err
	}
	about, err := p.metadata(in, src)
	if err != nil {
		return exectool.Job{}, err
	}
	timeout := time.Duration(in.Timeout * float64(time.Second))
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	spec := facade.TaskSpec{
		Label: exectool.Label(append([]string{src.label}, in.Args...)...), Dir: dir,
		Program: python.path, Flags: append(python.flags(), "-c", python.boot.start), File: program, Args: append([]string{src.file, src.name}, in.Args...),
		Files: []facade.TaskFile{{Name: program, Data: slices.Concat(python.boot.head, []byte(src.code))}},
		Env:   append(variables(), env...),
		Stdin: in.Stdin, Timeout: timeout, ReadOnly: python.need,
	}
	job := exectool.Job{Spec: spec, Request: exectool.Request{Code: src.code, Argv: append([]string{src.name}, in.Args...)}}
	if src.file != "" {
		job.Request.File = filepath.Join(p.run.Dir(), dir, src.file)
	}
	if len(about.dependencies) > 0 {
		return job, p.provide(&job.Spec, in, about, python, src.code)
	}
	return job, nil
}

// variables are what every interpreter gets.
func variables() []string {
	return []string{"PYTHONUTF8=1", "PYTHONIOENCODING=utf-8", "PYTHONDONTWRITEBYTECODE=1", "MPLBACKEND=Agg"}
}

// flags are the interpreter's own arguments.
func (i interpreter) flags() []string {
	if i.safe {
		return []string{"-u", "-P"}
	}
	return []string{"-u"}
}

// check refuses what this implementation cannot do.
func (p *Python) check(in facade.PythonRunInput) error {
	if err := in.Validate(); err != nil {
		return err
	}
	return p.run.Ready()
}

// source is a program's text or file.
type source struct {
	label string // what lists show
	name  string // what the program and its tracebacks call it
	file  string // relative to the directory it runs in; "" for code
	path  string // the same relative to the root
	code  string
}

func (p *Python) source(in facade.PythonRunInput, dir string) (source, error) {
	if in.Code != "" {
		return source{label: in.Code, name: "<code>", code: in.Code}, nil
	}
	if isSource(in.Script) {
		return source{label: in.Script, name: "<code>", code: in.Script}, nil
	}
	rel, err := p.run.File("script", in.Script)
	if err != nil {
		return source{}, err
	}
	file, err := filepath.Rel(dir, rel)
	return source{label: in.Script, name: in.Script, file: file, path: rel}, err
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
