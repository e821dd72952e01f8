package gitimpl

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// follow makes a branch of a remote the upstream of a local one. Git itself
// would write that into the private configuration.
func (r *repo) follow(ctx context.Context, local refName, remote string, ref refName) error {
	branch := strings.TrimPrefix(string(local), "refs/heads/")
	if err := r.configure(ctx, pair{"branch." + branch + ".remote", remote}); err != nil {
		return err
	}
	return r.configure(ctx, pair{"branch." + branch + ".merge", string(ref)})
}

// configure sets one value in the repository's own configuration file, which
// has been checked to be a regular file in an allowed place.
func (r *repo) configure(ctx context.Context, s pair) error {
	dir, err := r.g.temp.sub("empty")
	if err != nil {
		return err
	}
	stderr := tail{limit: stderrLimit}
	run := process{
		path: r.program, dir: dir, grace: r.g.opts.Grace, stderr: stderr.write, lockDirs: []string{r.common},
		args: []string{"config", "--file", filepath.Join(r.common, "config"), "--replace-all", s.key, s.value},
		env: slices.Concat(r.g.env.base, fixedUntrusted, []string{
			"GIT_CONFIG_GLOBAL=" + osNull, homeVar() + "=" + dir, "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir),
		}),
	}
	code, err := run.run(ctx)
	if err != nil {
		return err
	}
	if code != 0 {
		ge := &GitError{Verb: "config", ExitCode: code, Stderr: r.mask.clean(string(stderr.buf))}
		return cause(facade.Errorf(facade.CodeIO, "the upstream cannot be recorded: %s", lastLine(ge.Stderr)), nil, ge)
	}
	return nil
}
