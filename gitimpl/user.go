package gitimpl

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// userConfig is the file that stands in for the user's own configuration in
// untrusted repositories. It holds what is the user's but starts no program.
type userConfig struct {
	mu   sync.Mutex
	path string
}

// userAllowed are the settings of the user that take effect.
var userAllowed = []string{
	"user.name", "user.email", "author.name", "author.email", "committer.name", "committer.email",
	"core.excludesfile", "http.proxy", "http.sslcainfo", "http.sslcapath", "init.defaultbranch",
}

// userFile returns the path of the file, written at the first use.
func (g *Git) userFile(ctx context.Context, git string) (string, error) {
	u := &g.user
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.path != "" {
		return u.path, nil
	}
	list, err := g.userSettings(ctx, git)
	if err != nil {
		return "", err
	}
	dir, err := g.temp.sub("home")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "config")
	const private = 0o600
	if err := os.WriteFile(path, []byte(render(list)), private); err != nil {
		return "", err
	}
	u.path = path
	return path, nil
}

// forget lets the next call read the user's configuration again.
func (u *userConfig) forget() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.path = ""
}

// userSettings reads the user's configuration, includes and all.
func (g *Git) userSettings(ctx context.Context, git string) ([]setting, error) {
	dir, err := g.temp.sub("empty")
	if err != nil {
		return nil, err
	}
	var out []byte
	run := process{
		path: git, args: []string{"config", "--global", "--includes", "--null", "--list"}, dir: dir, grace: g.opts.Grace,
		env:    slices.Concat(g.env.base, g.env.trusted, []string{"GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir)}),
		stdout: func(r io.Reader) (err error) { out, err = io.ReadAll(r); return err },
	}
	// Without a configuration file git fails; then there are no settings.
	if _, err := run.run(ctx); err != nil {
		return nil, err
	}
	var list []setting
	excludes := ""
	for _, s := range splitSettings(out) {
		switch {
		case s.sub != "" || !slices.Contains(userAllowed, s.key()):
		case s.key() == "core.excludesfile":
			excludes = expandHome(s.value)
		default:
			list = append(list, s)
		}
	}
	if excludes == "" {
		excludes = defaultExcludes()
	}
	if excludes != "" {
		list = append(list, setting{section: "core", name: "excludesfile", value: excludes})
	}
	return list, nil
}

func expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return path
}

// defaultExcludes is where git looks for the user's ignore rules when no
// setting names a file.
func defaultExcludes() string {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	path := filepath.Join(dir, "git", "ignore")
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}
