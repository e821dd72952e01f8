package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/internal/testenv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// log collects what the server writes to standard error.
type log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"pipe","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// piped runs the server as a shell pipeline does: all of the input at once, and
// its end. It returns the replies by id.
func piped(t *testing.T, input string, args ...string) map[int]reply {
	t.Helper()
	replies := map[int]reply{}
	for line := range strings.Lines(pipedText(t, input, args...)) {
		var r reply
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("standard output has %q: %v", line, err)
		}
		replies[r.ID] = r
	}
	return replies
}

// pipedText is what the server writes to standard output.
func pipedText(t *testing.T, input string, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	var stderr log
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := run(ctx, args, io.NopCloser(strings.NewReader(hello+input)), nopWriteCloser{&out}, &stderr); err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	return out.String()
}

type reply struct {
	ID     int
	Result struct {
		Tools []struct {
			Name         string
			OutputSchema json.RawMessage
			InputSchema  struct {
				Properties struct{ Action struct{ Enum []string } }
			}
		}
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
		IsError           bool
	}
}

func tree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

const (
	list = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n"
	read = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"filesystem","arguments":{"action":"read","path":"a.txt"}}}` + "\n"
)

func TestPipeline(t *testing.T) {
	replies := piped(t, list+read, "-root", tree(t))
	var names []string
	for _, tool := range replies[2].Result.Tools {
		names = append(names, tool.Name)
	}
	if diff := cmp.Diff([]string{"document", "filesystem", "git", "python", "terminal"}, names); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	got := replies[3].Result
	if got.IsError || !strings.Contains(string(got.StructuredContent), `"content":"one\ntwo\n"`) || strings.Contains(got.Content[0].Text, "one") {
		t.Errorf("read %+v %s", got, got.StructuredContent)
	}
}

func TestContentText(t *testing.T) {
	replies := piped(t, list+read, "-root", tree(t), "-content", "text")
	if got := replies[3].Result; got.StructuredContent != nil || !strings.HasSuffix(got.Content[0].Text, "\none\ntwo\n") {
		t.Errorf("read %+v", got)
	}
	if got := replies[2].Result.Tools[0].OutputSchema; got != nil {
		t.Errorf("output schema %s", got)
	}
}

func TestReadOnly(t *testing.T) {
	const write = `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"filesystem","arguments":{"action":"write","path":"b.txt","content":"x"}}}` + "\n"
	dir := tree(t)
	replies := piped(t, list+read+write, "-root", dir, "-read-only")
	actions := replies[2].Result.Tools[0].InputSchema.Properties.Action.Enum
	if !slices.Contains(actions, "read") || slices.Contains(actions, "write") || slices.Contains(actions, "delete") {
		t.Errorf("actions %q", actions)
	}
	if replies[3].Result.IsError || !replies[4].Result.IsError {
		t.Errorf("read %+v, write %+v", replies[3], replies[4])
	}
	if _, err := os.Stat(filepath.Join(dir, "b.txt")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file was written: %v", err)
	}
}

func TestGranular(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"filesystem_read","arguments":{"path":"a.txt"}}}` + "\n"
	replies := piped(t, list+call, "-root", tree(t), "-granular", "-tools", "filesystem")
	var names []string
	for _, tool := range replies[2].Result.Tools {
		names = append(names, tool.Name)
	}
	if !slices.Contains(names, "filesystem_read") || !slices.Contains(names, "filesystem_write") || slices.Contains(names, "filesystem") {
		t.Errorf("tools %q", names)
	}
	if replies[3].Result.IsError {
		t.Errorf("read %+v", replies[3])
	}
}

func TestWrongUsage(t *testing.T) {
	dir := tree(t)
	missing := filepath.Join(dir, "missing")
	for _, test := range []struct {
		name string
		args []string
		err  string // in the error
		help string // on standard error
	}{
		{"unknown flag", []string{"-jail", "auto"}, "wrong usage", "flag provided but not defined: -jail"},
		{"unknown tool", []string{"-root", dir, "-tools", "filesystem, files"}, `-tools: there is no tool "files"; valid tools: filesystem`, ""},
		{"unknown content", []string{"-content", "both"}, `-content is "both"`, ""},
		{"argument", []string{dir}, "unexpected argument", ""},
		{"missing root", []string{"-root", missing}, missing, ""},
		{"root is a file", []string{"-root", filepath.Join(dir, "a.txt")}, "a.txt", ""},
		{"bad address", []string{"-root", dir, "-http", "nowhere"}, "nowhere", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			var stderr log
			err := run(t.Context(), test.args, io.NopCloser(strings.NewReader("")), nopWriteCloser{&out}, &stderr)
			if err == nil || !strings.Contains(err.Error(), test.err) || !strings.Contains(stderr.String(), test.help) {
				t.Errorf("error %v, standard error %q", err, &stderr)
			}
			if out.Len() > 0 {
				t.Errorf("standard output has %q", &out)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	var stderr log
	err := run(t.Context(), []string{"-h"}, nil, nil, &stderr)
	if !errors.Is(err, flag.ErrHelp) || !strings.Contains(stderr.String(), "-read-only") {
		t.Errorf("error %v, standard error %q", err, &stderr)
	}
}

func TestSync(t *testing.T) {
	const sync = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"sync","arguments":{"action":"trigger"}}}` + "\n"
	for _, name := range []string{"XDG_CACHE_HOME", "LocalAppData", "HOME"} { // where the memory of the pair goes
		t.Setenv(name, t.TempDir())
	}
	dir, target := tree(t), t.TempDir()
	got := piped(t, sync, "-root", dir, "-sync-target", target)[3].Result
	if text, err := os.ReadFile(filepath.Join(target, "a.txt")); got.IsError || err != nil || string(text) != "one\ntwo\n" {
		t.Errorf("%+v, %v, %q", got, err, text)
	}
	if err := os.Remove(filepath.Join(dir, "a.txt")); err != nil { // another server remembers
		t.Fatal(err)
	}
	if got = piped(t, sync, "-root", dir, "-sync-target", target)[3].Result; !strings.Contains(string(got.StructuredContent), `"deleted":["a.txt"]`) {
		t.Errorf("%s", got.StructuredContent)
	}
}

// TestFileRemotes holds that directories outside the root are remotes only
// when the command line says so.
func TestFileRemotes(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "root")
	for _, args := range [][]string{
		{"init", "-q", "--bare", filepath.Join(base, "remote.git")},
		{"init", "-q", root},
		{"-C", root, "remote", "add", "origin", filepath.Join(base, "remote.git")},
	} {
		if out, err := exec.Command(testenv.NeedProgram(t, "git"), args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	const call = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"git","arguments":{"action":"fetch"}}}` + "\n"
	for _, c := range []struct {
		args []string
		want string
	}{{nil, "outside the root"}, {[]string{"-file-remotes"}, "nothing new"}} {
		reply := piped(t, call, append(c.args, "-root", root, "-tools", "git", "-content", "text")...)[2]
		if !strings.Contains(reply.Result.Content[0].Text, c.want) {
			t.Errorf("%v: %s", c.args, reply.Result.Content[0].Text)
		}
	}
}
