package pyexec

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// interpreter is what runs a program.
type interpreter struct {
	path string   // absolute
	safe bool     // it knows -P
	need []string // what a sandbox has to show of it
	boot boot     // how it starts programs
}

// system is the host's interpreter, asked once what it is: python3 may be a
// wrapper script that costs many times the start of the real one.
type system struct {
	path string

	mu    sync.Mutex
	found *interpreter
}

// about is what an interpreter tells about itself.
type about struct {
	Executable string `json:"executable"`
	Base       string `json:"base"`
	Prefix     string `json:"prefix"`
	Minor      int    `json:"minor"`
	compiled
}

// askLimit is how long the question may take.
const askLimit = 30 * time.Second

func (s *system) get(ctx context.Context) (interpreter, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.found != nil {
		return *s.found, nil
	}
	name := s.path
	if name == "" {
		name = "python3"
	}
	missing := func(err error) error {
		e := facade.Errorf(facade.CodeUnavailable, "no Python interpreter works on this machine")
		e.Err = err
		return e.WithHint("install python3 (apt-get install python3), or the host has to name an interpreter")
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return interpreter{}, missing(err)
	}
	limited, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	cmd := exec.CommandContext(limited, path, "-I", "-c", ask, bootSource)
	cmd.WaitDelay = time.Second
	raw, err := cmd.Output()
	var told about
	if err == nil {
		err = json.Unmarshal(raw, &told)
	}
	if err != nil {
		if ctx.Err() != nil {
			return interpreter{}, ctx.Err()
		}
		return interpreter{}, missing(err)
	}
	s.found = &interpreter{path: told.Executable, safe: told.Minor >= 11, boot: told.launcher()}
	for _, dir := range []string{told.Base, told.Prefix, filepath.Dir(filepath.Dir(told.Executable))} {
		if !strings.HasPrefix(dir+"/", "/usr/") && filepath.Clean(dir) != "/" && !slices.Contains(s.found.need, dir) {
			s.found.need = append(s.found.need, dir)
		}
	}
	return *s.found, nil
}

// choose finds the interpreter that a call names.
func (p *Python) choose(ctx context.Context, name string) (interpreter, error) {
	sys, err := p.system.get(ctx)
	if err != nil {
		return sys, err
	}
	switch name {
	case "system":
		return sys, nil
	case "", "venv":
		for _, dir := range []string{".venv", "venv"} {
			if own, ok := p.venv(dir, sys); ok {
				return own, nil
			}
		}
		return sys, nil
	}
	if name == sys.path {
		return sys, nil
	}
	// A file below the root is never run outside the sandbox, not even to ask
	// what it is. It has what the system's interpreter has to run on.
	rel, err := p.run.Relative("python", name)
	if err == nil {
		path := filepath.Join(p.run.Dir(), rel)
		if info, statErr := os.Stat(path); statErr == nil && info.Mode().IsRegular() {
			return interpreter{path: path, safe: sys.safe, need: sys.need, boot: sys.boot}, nil
		}
		return interpreter{}, noInterpreter(facade.CodeNotFound, "there is no interpreter %s", name)
	}
	if strings.HasPrefix(filepath.Clean(name), "/usr/") {
		if info, statErr := os.Stat(name); statErr == nil && info.Mode().IsRegular() {
			return interpreter{path: filepath.Clean(name), boot: sys.boot}, nil
		}
		return interpreter{}, noInterpreter(facade.CodeNotFound, "there is no interpreter %s", name)
	}
	if facade.CodeOf(err) == facade.CodeOutsideRoot {
		return interpreter{}, noInterpreter(facade.CodeOutsideRoot, "the interpreter %s is outside the root", name)
	}
	return interpreter{}, err
}

func noInterpreter(code facade.Code, format, name string) error {
	e := facade.Errorf(code, format, name).WithPath(name)
	e.Field = "python"
	return e.WithHint("use venv, system, or the path of an interpreter below the root or in /usr")
}

// venv is a virtual environment of the project that was made from the system's
// interpreter: only then everything it needs is known to be harmless to show.
func (p *Python) venv(dir string, sys interpreter) (interpreter, bool) {
	path := filepath.Join(p.run.Dir(), dir, "bin", "python")
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return interpreter{}, false
	}
	if _, err := p.run.Root().Stat(dir + "/pyvenv.cfg"); err != nil {
		return interpreter{}, false
	}
	seen := strings.HasPrefix(real, "/usr/") || strings.HasPrefix(real, p.run.Dir()+"/")
	for _, need := range sys.need {
		seen = seen || strings.HasPrefix(real, need+"/")
	}
	return interpreter{path: path, safe: sys.safe, need: sys.need, boot: sys.boot}, seen
}
