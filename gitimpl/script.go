package gitimpl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// script is a registered [Script] with the content that was approved.
type script struct {
	Script
	name    string
	digest  [sha256.Size]byte
	content []byte
}

// pin reads a script when the host registers it.
func (g *Git) pin(s *Script) (*script, error) {
	if s == nil {
		return nil, nil
	}
	const (
		longest = 4 << 20
		timeout = 10 * time.Minute
	)
	path, err := filepath.Abs(s.Path)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return nil, err
	}
	p := &script{Script: *s, name: filepath.Base(path)}
	p.Path = path
	if p.content, err = readRegular(path, longest); err != nil {
		return nil, err
	}
	p.digest = sha256.Sum256(p.content)
	switch {
	case s.SHA256 != "" && !strings.EqualFold(s.SHA256, hex.EncodeToString(p.digest[:])):
		return nil, fmt.Errorf("%s: %w: its digest is not the given one", p.name, ErrScriptChanged)
	case s.SHA256 == "" && within(g.root, path):
		return nil, fmt.Errorf("%s is inside the root, where a model may change it: give its SHA256", p.name)
	}
	if p.Timeout <= 0 {
		p.Timeout = timeout
	}
	return p, nil
}

// changed reports whether the registered file is not what was approved.
func (s *script) changed() error {
	const longest = 4 << 20
	content, err := readRegular(s.Path, longest)
	if err != nil || sha256.Sum256(content) != s.digest {
		return fail(facade.CodeStale, ErrScriptChanged, "the script %s has changed since the host registered it", s.name).
			WithHint("the host has to look at it and register it again")
	}
	return nil
}

// executable writes the approved content to a private file. Nobody else can
// change it between the check and the start.
func (s *script) executable(t *tempDir) (path string, remove func(), err error) {
	path, remove, err = t.file("script", string(s.content))
	if err != nil {
		return "", nil, err
	}
	const run = 0o500
	if err := os.Chmod(path, run); err != nil {
		remove()
		return "", nil, err
	}
	return path, remove, nil
}

// run runs the script in the work tree and tells how it ended. An exit code
// is not an error.
func (s *script) run(ctx context.Context, r *repo, c *command) (*facade.GitScriptRun, error) {
	if err := s.changed(); err != nil {
		return nil, err
	}
	path, remove, err := s.executable(&r.g.temp)
	if err != nil {
		return nil, err
	}
	defer remove()
	const outputLimit = 4 << 10
	out := tail{limit: outputLimit}
	limited, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	start := time.Now()
	p := process{
		path: path, dir: r.top, grace: r.g.opts.Grace, sweep: true,
		env:    slices.Concat(r.env, c.env, s.Env),
		stderr: out.write, joined: true,
	}
	code, err := startScript(limited, &p)
	res := &facade.GitScriptRun{
		Name: s.name, ExitCode: code, DurationMS: time.Since(start).Milliseconds(), Output: r.mask.clean(string(out.buf)),
	}
	switch {
	case ctx.Err() != nil:
		return res, context.Cause(ctx)
	case errors.Is(err, context.DeadlineExceeded):
		res.TimedOut = true
	case err != nil:
		return nil, fail(facade.CodeUnavailable, err, "the script %s cannot be started", s.name).
			WithHint("it needs a first line like #!/bin/sh and a file system that allows programs")
	}
	return res, nil
}

// startScript runs p, again if the system says that the program is still being
// written: a process started by another goroutine may hold the file open for
// an instant.
func startScript(ctx context.Context, p *process) (int, error) {
	const (
		tries = 20
		pause = 5 * time.Millisecond
	)
	for range tries {
		code, err := p.run(ctx)
		if !isTextBusy(err) {
			return code, err
		}
		time.Sleep(pause)
	}
	return p.run(ctx)
}

// failure reports a script that did not do its work.
func (s *script) failure(run *facade.GitScriptRun, what string) *facade.Error {
	e := fail(facade.CodeConflict, ErrScriptFailed, "the script %s ended with exit code %d, and %s", s.name, run.ExitCode, what)
	if run.TimedOut {
		e = fail(facade.CodeTimeout, ErrScriptFailed, "the script %s was stopped after %s, and %s", s.name, s.Timeout, what)
	}
	return e.WithHint("read its output, correct what it complains about, and call again")
}

// commitByScript lets the host's script commit, and judges by HEAD.
func (r *repo) commitByScript(ctx context.Context, in facade.GitCommitInput, paths []relPath, before facade.GitHead) (facade.GitCommitOutput, error) {
	if len(paths) > 0 || in.StageAll {
		if _, err := r.stage(ctx, paths); err != nil {
			return facade.GitCommitOutput{}, err
		}
	}
	stagedBefore, err := r.stagedNow(ctx, nil)
	if err != nil {
		return facade.GitCommitOutput{}, err
	}
	file, remove, err := r.g.temp.file("message", strings.TrimRight(in.Message, "\n")+"\n")
	if err != nil {
		return facade.GitCommitOutput{}, err
	}
	defer remove()
	c := r.git("commit").with(
		"TOOLFACADE_MESSAGE_FILE="+file, "TOOLFACADE_AUTHOR="+in.Author,
		"TOOLFACADE_AMEND="+bit(in.Amend), "TOOLFACADE_ALLOW_EMPTY="+bit(in.AllowEmpty))
	run, err := r.g.commit.run(ctx, r, c)
	if err != nil {
		return facade.GitCommitOutput{Script: run}, err
	}
	after, err := r.tryResolve(ctx, "HEAD")
	if err != nil {
		return facade.GitCommitOutput{Script: run}, err
	}
	if string(after) == before.OID {
		return facade.GitCommitOutput{Script: run}, r.g.commit.failure(run, "made no commit")
	}
	out, err := r.committed(ctx, before)
	out.Script = run
	if err != nil {
		return out, err
	}
	for _, f := range out.Files {
		if _, was := stagedBefore[decode(f.Path)]; !was {
			run.Staged = append(run.Staged, f.Path)
		}
	}
	if run.ExitCode != 0 {
		return out, r.g.commit.failure(run, "yet made a commit")
	}
	return out, nil
}

func bit(on bool) string {
	if on {
		return "1"
	}
	return "0"
}

// pushByScript lets the host's script push, and judges by the remote.
func (r *repo) pushByScript(ctx context.Context, j *pushJob) (facade.GitPushOutput, error) {
	before, err := r.remoteOID(ctx, j)
	if err != nil {
		return facade.GitPushOutput{}, err
	}
	c := r.git("push").with(
		"TOOLFACADE_REMOTE="+j.remote.name, "TOOLFACADE_REFSPEC="+j.refspec(),
		"TOOLFACADE_LEASE="+j.lease, "TOOLFACADE_DRY_RUN="+bit(j.in.DryRun))
	if err := r.reach(ctx, c, j.remote, true); err != nil {
		return facade.GitPushOutput{}, err
	}
	run, err := r.g.push.run(ctx, r, c)
	out := facade.GitPushOutput{Refs: []facade.GitPushedRef{}, Script: run}
	if err != nil {
		return out, err
	}
	after, err := r.remoteOID(ctx, j)
	if err != nil {
		return out, err
	}
	ref := facade.GitPushedRef{Local: string(j.ref), Remote: string(j.ref), Old: string(before), New: string(after), Status: "ok"}
	switch {
	case j.in.DryRun && run.ExitCode == 0:
		ref.New = string(j.id)
	case after != j.id:
		return out, r.g.push.failure(run, "the remote does not have the commit")
	case before == after:
		ref.Status = "up_to_date"
	case before == "":
		ref.Status = "new"
	case j.in.Force:
		ref.Status = "forced"
	}
	out.Refs = append(out.Refs, ref)
	if run.ExitCode != 0 {
		return out, r.g.push.failure(run, "yet the remote has the commit")
	}
	return out, nil
}

// remoteOID asks the remote for the branch's commit; "" means none.
func (r *repo) remoteOID(ctx context.Context, j *pushJob) (oid, error) {
	c := r.git("ls-remote", "--refs", "--quiet")
	if r.g.opts.Trust == Untrusted {
		c.flags("--upload-pack=git-upload-pack")
	}
	if err := r.reach(ctx, c, j.remote, true); err != nil {
		return "", err
	}
	c.flags("--end-of-options")
	c.args = append(c.args, j.remote.name, string(j.ref))
	out, err := c.output(ctx)
	if err != nil {
		return "", r.explain(err)
	}
	for line := range strings.Lines(string(out)) {
		id, name, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if name == string(j.ref) && gitrule.IsOID(id) {
			return oid(id), nil
		}
	}
	return "", nil
}
