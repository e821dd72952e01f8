package pyexec

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// launch is the file that uv runs: the metadata of the program, the
// launcher and the program.
const launch = "launch.py"

// uvCache is where uv keeps what it downloaded and the environments it made,
// below the root. Programs can write there, but then they can write all that
// the programs of this root are made of.
const uvCache = ".toolfacade/uv"

// maxSource is how much of a script is looked through for metadata.
const maxSource = 16 << 20

// metadata reads what a program says of itself.
func (p *Python) metadata(in facade.PythonRunInput, src source) (metadata, error) {
	text, field := src.code, "code"
	if in.Code == "" {
		field = "script"
	}
	if src.path != "" {
		f, err := p.run.Root().Open(src.path)
		if err != nil {
			return metadata{}, scriptError(in.Script, err)
		}
		raw, err := io.ReadAll(io.LimitReader(f, maxSource))
		if err = errors.Join(err, f.Close()); err != nil {
			return metadata{}, scriptError(in.Script, err)
		}
		text = string(raw)
	}
	m, err := readMetadata(text)
	if err != nil {
		return m, facade.InvalidArgument(field, "the metadata in '# /// script' cannot be read: %v", err).
			WithHint("write it as '# dependencies = [\"name>=1\"]' between '# /// script' and '# ///', or leave the block out")
	}
	return m, nil
}

func scriptError(name string, err error) error {
	e := facade.Errorf(facade.CodeOf(err), "%s cannot be read", name).WithPath(name)
	e.Field, e.Err = "script", err
	return e
}

// findUV finds uv.
func (p *Python) findUV() (string, error) {
	path := p.uv
	if path == "" {
		path = "uv"
	}
	path, err := exec.LookPath(path)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	return path, err
}

// provide has uv run a program that declares dependencies: in the same sandbox,
// with the same limits and the same launcher. Where it cannot, the program does
// not run.
func (p *Python) provide(spec *facade.TaskSpec, in facade.PythonRunInput, m metadata, python interpreter, code string) error {
	names := strings.Join(m.dependencies, ", ")
	if in.Session != "" {
		e := facade.Errorf(facade.CodeUnsupported, "the interpreter of a session takes no dependencies; the code declares %s", names)
		e.Field = "session"
		return e.WithHint("leave out 'session', or take the block '# /// script' out and import what .venv has")
	}
	uv, err := p.findUV()
	if err != nil {
		e := facade.Errorf(facade.CodeUnavailable, "the program declares dependencies (%s), and uv, which provides them, is not installed", names)
		e.Err = err
		return e.WithHint("the host has to install uv (https://docs.astral.sh/uv); or install %s into .venv and take the block '# /// script' out", names)
	}
	cache := filepath.Join(p.run.Dir(), filepath.FromSlash(uvCache))
	flags := []string{"run", "--quiet"}
	if !m.requiresPython || in.Python != "" && in.Python != "venv" {
		flags = append(flags, "--python", python.path)
	}
	spec.Program, spec.Flags, spec.File = uv, append(flags, "--script"), launch
	spec.Files = []facade.TaskFile{{Name: launch, Data: []byte(m.block + alone(code))}}
	spec.Env = append([]string{
		"UV_CACHE_DIR=" + cache, "UV_NO_PROGRESS=1", "UV_PYTHON_DOWNLOADS=never", "PYTHONUNBUFFERED=1", "PYTHONSAFEPATH=1",
	}, spec.Env...)
	if !p.run.Networked() {
		spec.Env = append(spec.Env, "UV_OFFLINE=1") // or it would try for long
	}
	if !strings.HasPrefix(uv, "/usr/") {
		spec.ReadOnly = append(spec.ReadOnly[:len(spec.ReadOnly):len(spec.ReadOnly)], uv)
	}
	return nil
}

// unprovided says that a program did not begin because uv could not provide its
// dependencies: the launcher makes the directory of artifacts first of all.
func (p *Python) unprovided(dir string, info *facade.TaskInfo) {
	if _, err := os.Lstat(filepath.Join(dir, "artifacts")); err == nil {
		return
	}
	if about, err := os.Lstat(filepath.Join(dir, launch)); err != nil || !about.Mode().IsRegular() {
		return // not by uv
	}
	raw, err := os.ReadFile(filepath.Join(dir, launch))
	if err != nil {
		return
	}
	m, err := readMetadata(string(raw))
	if err != nil {
		return
	}
	why := fmt.Sprintf("uv did not provide its dependencies (%s); the program itself did not begin", strings.Join(m.dependencies, ", "))
	if !p.run.Networked() {
		why += ". Programs here have no network, so only what uv has in its cache can be used: the host has to allow the network"
	}
	if info.State == facade.TaskFailed {
		info.State = facade.TaskStartFailed
	}
	info.Reason = strings.TrimPrefix(info.Reason+"; "+why, "; ")
}
