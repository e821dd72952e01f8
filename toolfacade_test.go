package toolfacade_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
)

// TestMain keeps journals out of the user's cache.
func TestMain(m *testing.M) {
	cache, err := os.MkdirTemp("", "toolfacade-cache-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, name := range []string{"XDG_CACHE_HOME", "LocalAppData", "HOME"} { // where os.UserCacheDir looks for it
		if err := os.Setenv(name, cache); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	code := m.Run()
	_ = os.RemoveAll(cache)
	os.Exit(code)
}

func Example() {
	dir, err := os.MkdirTemp("", "project-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := run(context.Background(), dir, json.RawMessage(`{"action": "write", "path": "notes/todo.md", "content": "- tidy up\n"}`)); err != nil {
		fmt.Println(err)
	}
	if err := run(context.Background(), dir, json.RawMessage(`{"action": "read", "path": "notes/tood.md"}`)); err != nil {
		fmt.Println(err)
	}
	// Output:
	// created notes/todo.md, 10 bytes, etag ebd7a94e2957c96e7187d01785a4a92b
	// error (not_found): 'notes/tood.md' does not exist
	// hint: did you mean 'notes/todo.md'?
}

// run opens the default tools on a directory and serves one call of a model.
func run(ctx context.Context, dir string, argsFromTheModel json.RawMessage) error {
	tools, err := toolfacade.Open(dir, nil) // safe defaults
	if err != nil {
		return err
	}
	defer tools.Close()
	result, err := tools.Dispatch(ctx, "filesystem", facade.Call{Args: argsFromTheModel})
	if err != nil {
		return err
	}
	fmt.Println(result.Text)
	return nil
}

func open(t *testing.T, dir string, opts *toolfacade.Options) *facade.Set {
	t.Helper()
	if opts == nil {
		opts = &toolfacade.Options{}
	}
	opts.Files = &fsimpl.Options{Journal: fsimpl.JournalOptions{InMemory: true}}
	set, err := toolfacade.Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	})
	return set
}

func call(t *testing.T, set *facade.Set, args string) *facade.Result {
	t.Helper()
	r, err := set.Dispatch(t.Context(), "filesystem", facade.Call{Args: json.RawMessage(args)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		dir string
		err error
	}{
		"a missing directory": {filepath.Join(dir, "missing"), fs.ErrNotExist},
		"a file":              {file, nil},
		"no name":             {"", nil},
	} {
		set, err := toolfacade.Open(want.dir, nil)
		if err == nil {
			t.Errorf("%s: opened", name)
			_ = set.Close()
			continue
		}
		if want.err != nil && !errors.Is(err, want.err) {
			t.Errorf("%s: %v, want %v", name, err, want.err)
		}
		if set != nil {
			t.Errorf("%s: a set beside the error %v", name, err)
		}
		if want.dir != "" && !strings.Contains(err.Error(), filepath.Base(want.dir)) {
			t.Errorf("%s: the error does not tell which: %v", name, err)
		}
	}
}

func actions(set *facade.Set) []string {
	var out []string
	for _, a := range set.Tool("filesystem").Actions() {
		out = append(out, a.Name)
	}
	slices.Sort(out)
	return out
}

func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	set := open(t, dir, &toolfacade.Options{ReadOnly: true})
	want := []string{
		"cd", "find", "grep", "history", "info", "list", "pwd", "read", "roots",
	}
	if diff := cmp.Diff(want, actions(set)); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	if r := call(t, set, `{"action":"read","path":"a.txt"}`); !r.OK() {
		t.Error(r.Text)
	}
	for _, args := range []string{
		`{"action":"write","path":"a.txt","content":"x"}`,
		`{"action":"delete","paths":["a.txt"]}`,
		`{"action":"undo"}`,
	} {
		if r := call(t, set, args); r.OK() {
			t.Errorf("%s: %s", args, r.Text)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, "a.txt")); err != nil || string(got) != "a\n" {
		t.Errorf("%q %v", got, err)
	}
}

func TestOutputBudget(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte(strings.Repeat("a line\n", 10_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	set := open(t, dir, &toolfacade.Options{OutputBudget: 4096})
	r := call(t, set, `{"action":"read","path":"a.txt"}`)
	if raw := r.JSON(); !r.OK() || !r.Truncated || len(r.Text) > 4096 || len(raw) > 4096 || len(raw) < 1000 {
		t.Errorf("%d bytes of text, %d of JSON, truncated %v, error %v", len(r.Text), len(raw), r.Truncated, r.Error)
	}
}

func TestMiddleware(t *testing.T) {
	var seen []string
	note := func(name string, allow bool) facade.Middleware {
		return func(next facade.Handler) facade.Handler {
			return func(ctx context.Context, req *facade.Request) (any, error) {
				seen = append(seen, name+" "+req.Action)
				if !allow && req.Effect.Has(facade.EffectWrite) {
					return nil, facade.Errorf(facade.CodeDenied, "not today").WithHint("ask again tomorrow")
				}
				return next(ctx, req)
			}
		}
	}
	dir := t.TempDir()
	set := open(t, dir, &toolfacade.Options{Middleware: []facade.Middleware{note("first", true), note("second", false)}})
	if r := call(t, set, `{"action":"pwd"}`); !r.OK() {
		t.Error(r.Text)
	}
	if r := call(t, set, `{"action":"write","path":"a.txt","content":"x"}`); r.OK() || r.Error.Code != facade.CodeDenied {
		t.Error(r.Text)
	}
	if _, err := os.Stat(filepath.Join(dir, "a.txt")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("written all the same: %v", err)
	}
	if diff := cmp.Diff([]string{"first pwd", "second pwd", "first write", "second write"}, seen); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestClose(t *testing.T) {
	set, err := toolfacade.Open(t.TempDir(), &toolfacade.Options{Files: &fsimpl.Options{Journal: fsimpl.JournalOptions{InMemory: true}}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, args := range []string{`{"action":"list"}`, `{"action":"write","path":"a","content":"x"}`} {
		r, err := set.Dispatch(t.Context(), "filesystem", facade.Call{Args: json.RawMessage(args)})
		if err == nil && r.OK() {
			t.Errorf("%s after Close: %s", args, r.Text)
		}
	}
}

// The directory's place on the host is in no reply.
func TestHostPathIsNotShown(t *testing.T) {
	dir := t.TempDir()
	set := open(t, dir, nil)
	for _, args := range []string{`{"action":"pwd"}`, `{"action":"roots"}`, `{"action":"read","path":"/etc/passwd"}`, `{"action":"info","path":"."}`} {
		if r := call(t, set, args); strings.Contains(r.Text+string(r.JSON()), dir) {
			t.Errorf("%s: %s", args, r.Text)
		}
	}
}
