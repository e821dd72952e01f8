package gitimpl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/toolfacade/toolfacade/facade"
)

// osNull is an empty file to git on every system: git for Windows knows this
// spelling.
const osNull = "/dev/null"

// shadows are the private common directories, one per work tree. Each has
// links to the real objects, refs and logs, and a configuration of its own.
type shadows struct {
	mu    sync.Mutex
	byDir map[string]*shadow // by common and git directory
}

// shadow stands in for the common directory of one repository.
type shadow struct {
	dir string

	mu       sync.Mutex
	identity [sha256.Size]byte
	settings []setting
}

// shared are the entries of a common directory that git needs. Hooks,
// attributes, configuration and legacy definitions of remotes are not among
// them.
var shared = []string{"HEAD", "objects", "refs", "packed-refs", "logs", "shallow", "worktrees", "reftable", "info/exclude"}

// shadowOf returns the private common directory for p, and the settings in
// it, up to date with the configuration of the repository. The files are read
// each time: they are small, and a stale copy would be hard to notice.
func (g *Git) shadowOf(ctx context.Context, git string, p *place) (*shadow, []setting, error) {
	raw, local, err := readConfigs(p)
	if err != nil {
		return nil, nil, err
	}
	s, err := g.shadows.get(p, &g.temp)
	if err != nil {
		return nil, nil, err
	}
	identity := sha256.Sum256(slices.Concat(raw, []byte{0}, local))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.settings != nil && s.identity == identity {
		return s, s.settings, nil
	}
	list, err := g.effective(ctx, git, raw, local)
	if err != nil {
		return nil, nil, err
	}
	if err := s.write(list); err != nil {
		return nil, nil, err
	}
	s.identity, s.settings = identity, list
	return s, list, nil
}

// readConfigs returns the configuration of the repository and, if there is
// one, that of the work tree.
func readConfigs(p *place) (raw, local []byte, err error) {
	const longest = 1 << 20
	raw, err = readRegular(filepath.Join(p.common, "config"), longest)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		local, err = readRegular(filepath.Join(p.gitDir, "config.worktree"), longest)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fail(facade.CodeConflict, ErrNotRepository, "the repository's configuration is not a regular file, or is too long")
	}
	return raw, local, nil
}

// effective is what of the configuration reaches git.
func (g *Git) effective(ctx context.Context, git string, raw, local []byte) ([]setting, error) {
	list, err := g.parseConfig(ctx, git, raw)
	if err != nil {
		return nil, err
	}
	perWorktree := slices.ContainsFunc(list, func(s setting) bool {
		return s.key() == "extensions.worktreeconfig" && !strings.EqualFold(s.value, "false")
	})
	if perWorktree && len(local) > 0 {
		more, err := g.parseConfig(ctx, git, local)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	list, err = filterSettings(list)
	if err != nil {
		return nil, err
	}
	return append(list, setting{section: "core", name: "bare", value: "false"}), nil
}

// get returns the shadow for a work tree's common directory, made if need be.
func (s *shadows) get(p *place, temp *tempDir) (*shadow, error) {
	key := p.common + "\x00" + p.gitDir
	s.mu.Lock()
	defer s.mu.Unlock()
	if sh, ok := s.byDir[key]; ok {
		return sh, nil
	}
	digest := sha256.Sum256([]byte(key))
	const enough = 8
	dir, err := temp.sub(filepath.Join("repositories", hex.EncodeToString(digest[:enough])))
	if err != nil {
		return nil, err
	}
	const private = 0o700
	if err := os.MkdirAll(filepath.Join(dir, "info"), private); err != nil {
		return nil, err
	}
	for _, name := range shared {
		name = filepath.FromSlash(name)
		if name == "reftable" {
			if _, err := os.Lstat(filepath.Join(p.common, name)); err != nil {
				continue
			}
		}
		if err := os.Symlink(filepath.Join(p.common, name), filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fail(facade.CodeUnavailable, err, "untrusted repositories need symbolic links, which this system refuses").
				WithHint("on Windows switch on developer mode, or let the host trust the repository's configuration")
		}
	}
	if s.byDir == nil {
		s.byDir = map[string]*shadow{}
	}
	sh := &shadow{dir: dir}
	s.byDir[key] = sh
	return sh, nil
}

// write replaces the configuration file at once, so that a git that starts in
// this moment sees the old or the new one.
func (s *shadow) write(list []setting) error {
	kept := slices.DeleteFunc(slices.Clone(list), func(s setting) bool {
		return s.key() == "remote.url" || s.key() == "remote.pushurl"
	})
	const private = 0o600
	temp := filepath.Join(s.dir, "config.new")
	if err := os.WriteFile(temp, []byte(render(kept)), private); err != nil {
		return err
	}
	return os.Rename(temp, filepath.Join(s.dir, "config"))
}

// ensureLogs makes the directory of ref logs that a new repository lacks: git
// cannot make it where the link to it leads.
func (p *place) ensureLogs() error {
	const mode = 0o777 // less the umask, as git does
	err := os.Mkdir(filepath.Join(p.common, "logs"), mode)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fail(facade.CodeOf(err), err, "the git directory cannot be written")
	}
	return nil
}
