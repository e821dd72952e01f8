package gitimpl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// lit is text of this package's source. Only lits become flags: a constant
// converts to lit by itself, a variable does not, so that nothing a model
// sends can be one. Package tests hold that there is no other conversion.
type lit string

// The types of arguments that are not flags. Each has one place where it is
// made from foreign text, after a check.
type (
	oid     string // hexadecimal id of an object; see repo.resolve
	refName string // full name of a ref; see branchRef
	relPath string // path of a file from the top of the work tree; see repo.path
	// revArg, a revision, is in quick.go.
)

// verb says how a git command may be run.
type verb struct {
	write   bool // changes the index, refs or files: locks are waited for
	network bool // reaches a remote
}

// verbs are the git commands that this package runs. There is no other way to
// run git in a repository.
var verbs = map[lit]verb{
	"add": {write: true}, "am": {write: true}, "blame": {}, "cat-file": {},
	"check-attr": {}, "check-ignore": {}, "cherry-pick": {write: true}, "commit": {write: true},
	"diff": {}, "diff-tree": {}, "fast-import": {write: true}, "fetch": {write: true, network: true},
	"for-each-ref": {}, "log": {}, "ls-files": {}, "ls-remote": {network: true}, "ls-tree": {},
	"merge": {write: true}, "merge-base": {}, "merge-tree": {}, "push": {network: true}, "rebase": {write: true},
	"reset": {write: true}, "restore": {write: true}, "revert": {write: true}, "show": {},
	"stash": {write: true}, "status": {}, "switch": {write: true}, "symbolic-ref": {}, "var": {},
}

// command is one run of git, built step by step. The first mistake, as a NUL
// in a value, is kept and returned by the run.
type command struct {
	r      *repo
	verb   lit
	args   []string
	env    []string
	stdin  io.Reader
	retry  bool
	stderr func([]byte)
	err    error
}

// git starts a command.
func (r *repo) git(v lit, flags ...lit) *command {
	spec, ok := verbs[v]
	c := &command{r: r, verb: v, retry: spec.write}
	if !ok {
		c.err = facade.Errorf(facade.CodeInternal, "git %s is not in the table of commands", v)
	}
	if !spec.network {
		c.env = append(c.env, "GIT_ALLOW_PROTOCOL=none")
	}
	if !spec.write {
		c.env = append(c.env, "GIT_OPTIONAL_LOCKS=0")
	}
	return c.flags(flags...)
}

func (c *command) flags(flags ...lit) *command {
	for _, f := range flags {
		c.args = append(c.args, string(f))
	}
	return c
}

// value adds one argument made of a flag, which ends in '=' or is a short
// option, and its value.
func (c *command) value(flag lit, v string) *command {
	if strings.ContainsRune(v, 0) && c.err == nil {
		c.err = facade.Errorf(facade.CodeInvalidArgument, "a NUL character cannot be passed to git")
	}
	c.args = append(c.args, string(flag)+v)
	return c
}

func (c *command) number(flag lit, n int) *command { return c.value(flag, strconv.Itoa(n)) }

func (c *command) oids(ids ...oid) *command {
	for _, id := range ids {
		c.args = append(c.args, string(id))
	}
	return c
}

func (c *command) revs(revs []revArg) *command {
	for _, rev := range revs {
		c.args = append(c.args, string(rev))
	}
	return c
}

// paths adds paths as arguments, which limits how many there may be.
func (c *command) paths(paths []relPath) *command {
	const mostBytes = 100 << 10
	c.args = append(c.args, "--")
	n := 0
	for _, p := range paths {
		n += len(p) + 1
		c.args = append(c.args, string(p))
	}
	if n > mostBytes && c.err == nil {
		c.err = facade.Errorf(facade.CodeTooLarge, "the names of the files have %d bytes, the limit is %d", n, mostBytes).
			WithHint("name directories, or fewer files")
	}
	return c
}

// pathsFrom sends paths through standard input, as many as there are.
func (c *command) pathsFrom(paths []relPath) *command {
	c.args = append(c.args, "--pathspec-from-file=-", "--pathspec-file-nul")
	return c.input(nulJoined(paths))
}

func nulJoined(paths []relPath) []byte {
	var b bytes.Buffer
	for _, p := range paths {
		b.WriteString(string(p))
		b.WriteByte(0)
	}
	return b.Bytes()
}

func (c *command) input(b []byte) *command {
	c.stdin = bytes.NewReader(b)
	return c
}

func (c *command) with(env ...string) *command {
	c.env = append(c.env, env...)
	return c
}

// readers keeps the buffers that output is read through for the next command.
type readers struct{ pool sync.Pool }

func (p *readers) get(r io.Reader) *bufio.Reader {
	if b, ok := p.pool.Get().(*bufio.Reader); ok {
		b.Reset(r)
		return b
	}
	const size = 64 << 10
	return bufio.NewReaderSize(r, size)
}

func (p *readers) put(b *bufio.Reader) {
	b.Reset(nil)
	p.pool.Put(b)
}

// run runs the command for its effect.
func (c *command) run(ctx context.Context) error { return c.stream(ctx, nil) }

// outputLimit is what a command may print that is read whole.
const outputLimit = 8 << 20

// output returns what the command prints.
func (c *command) output(ctx context.Context) ([]byte, error) {
	var out []byte
	err := c.stream(ctx, func(r *bufio.Reader) (err error) {
		out, err = io.ReadAll(io.LimitReader(r, outputLimit+1))
		if len(out) > outputLimit {
			return facade.Errorf(facade.CodeTooLarge, "git %s printed more than %d bytes", c.verb, outputLimit)
		}
		return err
	})
	return out, err
}

// line returns what the command prints, without the line end.
func (c *command) line(ctx context.Context) (string, error) {
	out, err := c.output(ctx)
	return strings.TrimRight(string(out), "\r\n"), err
}

// stream runs the command and gives its output to parse while it comes. When
// parse returns errEnough, the command is stopped and has succeeded. A command
// that finds somebody else's lock is repeated until the lock is gone or the
// host's patience ends; it has done nothing then, and printed nothing.
func (c *command) stream(ctx context.Context, parse func(*bufio.Reader) error) error {
	const first = 20 * time.Millisecond
	deadline := time.Now().Add(c.r.g.opts.LockWait)
	for wait := first; ; wait *= 2 {
		err := c.once(ctx, parse)
		ge := gitError(err)
		if ge == nil || !c.retry || !c.r.lockHeld(ge) || time.Now().Add(wait).After(deadline) {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if seeker, ok := c.stdin.(io.Seeker); ok {
			if _, err := seeker.Seek(0, io.SeekStart); err != nil {
				return err
			}
		}
	}
}

// once runs the command one time.
func (c *command) once(ctx context.Context, parse func(*bufio.Reader) error) error {
	if c.err != nil {
		return c.err
	}
	stderr := tail{limit: stderrLimit}
	run := process{
		path: c.r.program, args: slices.Concat([]string{"--no-pager", string(c.verb)}, c.args),
		env: slices.Concat(c.r.env, c.env), dir: c.r.top, stdin: c.stdin, grace: c.r.g.opts.Grace,
		stderr: func(b []byte) {
			stderr.write(b)
			if c.stderr != nil {
				c.stderr(b)
			}
		},
	}
	if verbs[c.verb].write {
		run.lockDirs = []string{c.r.gitDir, c.r.common}
	}
	if parse != nil {
		run.stdout = func(r io.Reader) error {
			b := c.r.g.readers.get(r)
			defer c.r.g.readers.put(b)
			return parse(b)
		}
	}
	code, err := run.run(ctx)
	switch {
	case errors.Is(err, errEnough):
		return nil
	case err != nil:
		return err
	case code != 0:
		return &GitError{Verb: string(c.verb), ExitCode: code, Stderr: c.r.mask.clean(string(stderr.buf))}
	}
	return nil
}
