// Package validators has the validators of written files that need no model:
// [PythonSyntax] asks the Python interpreter, [Command] any external checker.
// Both run programs of the host, with the candidate's content as data only.
package validators

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// DefaultTimeout is how long a checker may take.
const DefaultTimeout = 10 * time.Second

// maxOutput is how much of a checker's output is kept, in bytes.
const maxOutput = 8 << 10

// Command is a validator that runs an external checker on a copy of the
// candidate. Exit status 0 means passed; any other is a finding with the
// checker's output.
type Command struct {
	// Label names the validator in findings, as "gofmt".
	Label string
	// Match are globs of path.Match for base names, any of which makes a file
	// the checker's: "*.go".
	Match []string
	// Args is the program and its arguments. "{file}" stands for the copy, which
	// has the candidate's base name; without it the content goes to standard
	// input.
	Args []string
	// Dir is where the program runs; "" is a temporary directory.
	Dir string
	// Timeout is how long it may take; 0 means [DefaultTimeout].
	Timeout time.Duration
}

var _ facade.WriteValidator = (*Command)(nil)

// Name implements [facade.WriteValidator].
func (c *Command) Name() string { return c.Label }

// Accepts implements [facade.WriteValidator].
func (c *Command) Accepts(p string) bool {
	for _, pattern := range c.Match {
		if ok, err := path.Match(pattern, path.Base(p)); ok && err == nil {
			return true
		}
	}
	return false
}

// ValidateWrite implements [facade.WriteValidator]. The error says that the
// checker is missing, did not start or did not end in time.
func (c *Command) ValidateWrite(ctx context.Context, w facade.WriteCandidate) ([]facade.Finding, error) {
	if len(c.Args) == 0 {
		return nil, errors.New("validators: a Command without Args")
	}
	dir, err := os.MkdirTemp("", "toolfacade-validate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, path.Base(w.Path))
	if err := os.WriteFile(file, []byte(w.Content), 0o600); err != nil {
		return nil, err
	}
	args := make([]string, len(c.Args))
	stdin := w.Content
	for i, a := range c.Args {
		if strings.Contains(a, "{file}") {
			stdin = ""
		}
		args[i] = strings.ReplaceAll(a, "{file}", file)
	}
	workDir := c.Dir
	if workDir == "" {
		workDir = dir
	}
	output, err := run(ctx, workDir, stdin, c.Timeout, args)
	output = strings.ReplaceAll(output, file, w.Path)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.Exited() {
		message := strings.TrimSpace(output)
		if message == "" {
			message = fmt.Sprintf("%s ended with status %d", c.Label, exit.ExitCode())
		}
		return []facade.Finding{{Validator: c.Label, Severity: "error", Message: message}}, nil
	}
	return nil, err
}

// run runs a program and returns the start of what it prints.
func run(ctx context.Context, dir, stdin string, timeout time.Duration, args []string) (string, error) {
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var out cappedBuffer
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(stdin), &out, &out
	ownGroup(cmd)
	// A descendant that left the group and holds the pipe must not hold the write.
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		err = fmt.Errorf("%s did not end within %v: %w", filepath.Base(args[0]), timeout, ctx.Err())
	}
	return out.kept.String(), err
}

// cappedBuffer keeps the first bytes written and drops the rest.
type cappedBuffer struct{ kept bytes.Buffer }

// Write implements io.Writer.
func (b *cappedBuffer) Write(p []byte) (int, error) {
	if room := maxOutput - b.kept.Len(); room > 0 {
		b.kept.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
