package fsimpl_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
)

// probe is a directory of the host and the tool on it, called as a model calls
// it. Every reply is checked for what holds of all of them.
type probe struct {
	testing.TB
	dir  string
	tool *facade.Tool
}

func newProbe(t testing.TB, opts *fsimpl.Options) *probe {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "root")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var o fsimpl.Options
	if opts != nil {
		o = *opts
	}
	o.NoSync = true // the order of writes is what crash tests are for
	files, err := fsimpl.Open(dir, &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := files.Close(); err != nil {
			t.Error(err)
		}
	})
	return &probe{TB: t, dir: dir, tool: facade.Files(files)}
}

// probeLimit is how long a call may take before it counts as hung.
const probeLimit = 30 * time.Second

// raw calls with arguments as a model wrote them.
func (p *probe) raw(args string) *facade.Result {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), probeLimit)
	defer cancel()
	res, err := p.tool.Call(ctx, facade.Call{Args: json.RawMessage(args)})
	if err != nil {
		p.Fatalf("%s: %v", clipped(args), err)
	}
	p.inspect(args, res)
	return res
}

// inspect checks what a model may expect of every reply: within the budget, no
// path of the host, and after a failure the way on.
func (p *probe) inspect(args string, r *facade.Result) {
	p.Helper()
	raw, failure := r.Structured()
	if len(raw) > facade.DefaultOutputBudget || len(r.FullText()) > facade.DefaultOutputBudget {
		p.Errorf("%s: %d bytes of JSON, %d of text", clipped(args), len(raw), len(r.FullText()))
	}
	if r.Error == nil && failure != nil {
		p.Errorf("%s: succeeded, but the structured form says %s", clipped(args), failure.Text())
	}
	if strings.Contains(r.Text, "\n[cut: ") {
		p.Errorf("%s: the text was cut as the last resort", clipped(args))
	}
	if strings.Contains(string(raw)+r.FullText(), p.dir) && !strings.Contains(args, p.dir) {
		p.Errorf("%s: shows the host's path: %s", clipped(args), clipped(r.Text))
	}
	if e := r.Error; e != nil {
		if e.Code == facade.CodeInternal || e.Hint == "" && e.Field == "" {
			p.Errorf("%s: %s tells no way on: %q", clipped(args), e.Code, e.Text())
		}
	}
}

func clipped(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}

// call calls an action with names and values of arguments.
func (p *probe) call(action string, kv ...any) *facade.Result {
	p.Helper()
	args := map[string]any{"action": action}
	for i := 0; i < len(kv); i += 2 {
		args[kv[i].(string)] = kv[i+1]
	}
	raw, err := json.Marshal(args)
	if err != nil {
		p.Fatal(err)
	}
	return p.raw(string(raw))
}

// ok calls an action that has to succeed.
func (p *probe) ok(action string, kv ...any) *facade.Result {
	p.Helper()
	r := p.call(action, kv...)
	if r.Error != nil {
		p.Fatalf("%s %s: %s", action, clipped(strings.Join(names(kv), " ")), clipped(r.Text))
	}
	return r
}

func names(kv []any) []string {
	var out []string
	for _, v := range kv {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// fails calls an action that has to fail with a code, and returns what it says.
func (p *probe) fails(code facade.Code, action string, kv ...any) string {
	p.Helper()
	return p.failed(code, p.call(action, kv...))
}

// failed checks that a call failed with a code.
func (p *probe) failed(code facade.Code, r *facade.Result) string {
	p.Helper()
	if r.Error == nil {
		p.Fatalf("succeeded, want %s; it says: %s", code, clipped(r.Text))
	}
	if r.Error.Code != code {
		p.Errorf("failed with %s, want %s: %s", r.Error.Code, code, clipped(r.Text))
	}
	return r.Text
}

// into decodes the structured form of a reply.
func into[T any](p *probe, r *facade.Result) T {
	p.Helper()
	var out T
	if err := json.Unmarshal(r.JSON(), &out); err != nil {
		p.Fatalf("%v: %s", err, r.JSON())
	}
	return out
}

// get calls an action that has to succeed and decodes its data.
func get[T any](p *probe, action string, kv ...any) T {
	p.Helper()
	return into[T](p, p.ok(action, kv...))
}

func (p *probe) at(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

// put writes a file as a person would, past the tool.
func (p *probe) put(name, content string) {
	p.Helper()
	if err := os.MkdirAll(filepath.Dir(p.at(name)), 0o755); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(p.at(name), []byte(content), 0o644); err != nil {
		p.Fatal(err)
	}
}

// holds checks a file's bytes.
func (p *probe) holds(name, want string) {
	p.Helper()
	got, err := os.ReadFile(p.at(name))
	if err != nil {
		p.Error(err)
	} else if diff := cmp.Diff(want, string(got)); diff != "" {
		p.Errorf("%s (-want +got):\n%s", name, clipped(diff))
	}
}

// absent checks that nothing is there.
func (p *probe) absent(name string) {
	p.Helper()
	if _, err := os.Lstat(p.at(name)); !errors.Is(err, fs.ErrNotExist) {
		p.Errorf("%s is there: %v", name, err)
	}
}

// says checks that a text holds all of some parts.
func (p *probe) says(text string, parts ...string) {
	p.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			p.Errorf("no %q in: %s", part, clipped(text))
		}
	}
}

// snapshot describes the tree below the root: names, types, modes, contents.
func (p *probe) snapshot() map[string]string {
	p.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(p.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String()
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			link, err := os.Readlink(name)
			if err != nil {
				return err
			}
			text += " " + link
		case info.Mode().IsRegular():
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			text += " " + string(bytes.Clone(data))
		}
		rel, err := filepath.Rel(p.dir, name)
		out[rel] = text
		return err
	})
	if err != nil {
		p.Fatal(err)
	}
	return out
}

// same checks that the tree is what it was.
func (p *probe) same(before map[string]string) {
	p.Helper()
	if diff := cmp.Diff(before, p.snapshot()); diff != "" {
		p.Errorf("the tree changed (-before +after):\n%s", clipped(diff))
	}
}
