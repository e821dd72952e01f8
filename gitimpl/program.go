package gitimpl

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"

	"github.com/toolfacade/toolfacade/facade"
)

// The oldest git that works: 2.38 has safe.bareRepository and reads names of
// objects separated by NUL.
const (
	oldestMajor = 2
	oldestMinor = 38
)

// program is the git binary. It is looked for at the first use, and again as
// long as it is not found.
type program struct {
	name string // as given by the host, or "git"

	mu    sync.Mutex
	path  string
	ident os.FileInfo
}

// find returns the absolute path of a git that is new enough.
func (p *program) find(ctx context.Context) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.path != "" {
		if fi, err := os.Stat(p.path); err == nil && os.SameFile(fi, p.ident) && fi.ModTime().Equal(p.ident.ModTime()) {
			return p.path, nil
		}
	}
	path, err := exec.LookPath(p.name)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return "", fail(facade.CodeUnavailable, ErrNoGit, "the git program is not installed").
			WithHint("install git %d.%d or newer, for example from https://git-scm.com", oldestMajor, oldestMinor)
	}
	fi, err := os.Stat(path)
	if err != nil {
		return "", fail(facade.CodeUnavailable, ErrNoGit, "the git program cannot be read")
	}
	if err := checkVersion(ctx, path); err != nil {
		return "", err
	}
	p.path, p.ident = path, fi
	return path, nil
}

var versionPattern = regexp.MustCompile(`git version (\d+)\.(\d+)`)

func checkVersion(ctx context.Context, path string) error {
	var out []byte
	run := process{
		path: path, args: []string{"--version"}, env: []string{"LC_ALL=C"}, dir: os.TempDir(), grace: defaultGrace,
		stdout: func(r io.Reader) (err error) {
			const enough = 256
			out, err = io.ReadAll(io.LimitReader(r, enough))
			return err
		},
	}
	code, err := run.run(ctx)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	m := versionPattern.FindSubmatch(out)
	if err != nil || code != 0 || m == nil {
		return fail(facade.CodeUnavailable, ErrNoGit, "the git program does not tell its version").
			WithHint("install git %d.%d or newer", oldestMajor, oldestMinor)
	}
	major, _ := strconv.Atoi(string(m[1]))
	minor, _ := strconv.Atoi(string(m[2]))
	if major > oldestMajor || major == oldestMajor && minor >= oldestMinor {
		return nil
	}
	return fail(facade.CodeUnavailable, ErrNoGit, "git %d.%d is too old", major, minor).
		WithHint("%s", fmt.Sprintf("install git %d.%d or newer", oldestMajor, oldestMinor))
}
