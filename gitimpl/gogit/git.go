package gogit

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
	"github.com/toolfacade/toolfacade/internal/hostfs"
)

var (
	_ facade.GitTools        = (*Git)(nil)
	_ facade.GitTools        = (*Extended)(nil)
	_ facade.GitInspector    = (*Extended)(nil)
	_ facade.GitBrancher     = (*Extended)(nil)
	_ facade.GitRemoteLister = (*Extended)(nil)
)

// Git implements the eleven actions of the git tool for the repositories of
// one file system. It is safe for concurrent use.
type Git struct {
	files   volume
	remotes volume
	opts    Options
	locks   gitrule.Locks
}

// New returns the git tool for the repositories in fsys, whose "/" is the
// root. Confinement is fsys's own: on a directory take rootfs.Open. A file
// system of afero's that reaches the host's disk without confinement, as
// afero.OsFs and a BasePathFs on it, which follows symbolic links outside, is
// refused. Nil options are safe defaults.
func New(fsys afero.Fs, opts *Options) (*Git, error) {
	if fsys == nil {
		return nil, errors.New("gogit: no file system")
	}
	g := &Git{}
	if opts != nil {
		g.opts = *opts
	}
	if g.opts.Remotes == nil {
		g.opts.Remotes = fsys
	}
	for _, each := range []afero.Fs{fsys, g.opts.Remotes} {
		if name := hostfs.Unconfined(each); name != "" {
			return nil, fmt.Errorf("gogit: %s is not confined to a directory: use rootfs.Open", name)
		}
	}
	g.files, g.remotes = newVolume(fsys), newVolume(g.opts.Remotes)
	return g, nil
}

// Extended is a [Git] with extra actions: show, blame, branches, switch and
// remotes.
type Extended struct{ *Git }

// Extended returns g with the extra actions. It shares everything with g.
func (g *Git) Extended() *Extended { return &Extended{g} }

// fail returns an error with a code whose cause is a sentinel of gitimpl's.
func fail(code facade.Code, sentinel error, format string, args ...any) *facade.Error {
	e := facade.Errorf(code, format, args...)
	e.Err = sentinel
	return e
}

// inField names the field that an error is about.
func inField(e *facade.Error, field string) *facade.Error {
	e.Field = field
	return e
}

// unsupported reports what only the git program can do.
func unsupported(format string, args ...any) *facade.Error {
	return facade.Errorf(facade.CodeUnsupported, format, args...).
		WithHint("this git tool works without the git program; what it cannot do has to be done with git itself")
}

// broken reports a repository that go-git cannot read.
func broken(err error) *facade.Error {
	if e, ok := errors.AsType[*facade.Error](err); ok {
		return e
	}
	return fail(facade.CodeIO, err, "the repository cannot be read or written")
}

// or returns err as it is when the context ended or when it is for the model
// already, and as a broken repository else.
func or(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return broken(err)
}

// gitimplLockAdvice is what to do about a lock that stays.
const lockAdvice = "try again soon; if no git is running, somebody has to delete .git/index.lock"

// locked reports a lock of another program.
func locked() *facade.Error {
	return fail(facade.CodeLocked, gitimpl.ErrLocked, "another program has locked the repository").WithHint(lockAdvice)
}
