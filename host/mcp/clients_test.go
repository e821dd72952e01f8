package mcphost_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/internal/testenv"
)

// The tests of this file run real clients, as users have them, against the
// example server on a copy of this project's own source.

// answer is a result of tools/call as a client prints it.
type answer struct {
	Content []struct {
		Type, Text string
	}
	StructuredContent json.RawMessage
	IsError           bool
}

type step struct {
	args     string
	headline string // what the text block holds
	code     string // of the error; "" for success
	want     string // part of the structured content
}

// journey is a model's work on the tree: list, find, read, write, replace, and
// a mistake or two.
var journey = []step{
	{`{"action":"list","limit":3}`, "3 entries in", "", `"name":"action.go"`},
	{`{"action":"find","patterns":["set.go"]}`, "1 entry found", "", `"path":"set.go"`},
	{
		`{"action":"read","path":"doc.go","start_line":1,"end_line":1}`, "doc.go lines 1-1", "",
		`"content":"// Package facade holds`,
	},
	{`{"action":"read","path":"dok.go"}`, "error (not_found)", "not_found", `"http_status":404`},
	{`{"action":"create","paths":["new"]}`, "new", "", `"created":["new"]`},
	{`{"action":"write","path":"new/notes.txt","content":"one\ntwo\n"}`, "new/notes.txt", "", `"bytes":8`},
	{`{"action":"replace","path":"new/notes.txt","old_content":"two","new_content":"zwei €"}`, "new/notes.txt", "", `"count":1`},
	{`{"action":"read","path":"../secret"}`, "error (outside_root)", "outside_root", `"http_status":403`},
	{`{"action":"read","path":"big.txt"}`, "big.txt", "", `"next":`},
	{`{"action":"reed"}`, "error (unknown_action)", "unknown_action", `did you mean 'read'?`},
}

func TestTypeScriptClient(t *testing.T) {
	script := script(t, "client.mjs")
	tree := sourceTree(t)
	calls := make([]map[string]any, len(journey))
	for i, s := range journey {
		calls[i] = map[string]any{"name": "filesystem", "arguments": raw(s.args)}
	}
	input, err := json.Marshal(calls)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Server struct{ Name string }
		Tools  []struct {
			Name        string
			InputSchema struct{ Type string }
		}
		Replies []answer
	}
	output(t, &got, input, "node", script, server(t), "-root", tree)
	var names []string
	for _, tool := range got.Tools {
		names = append(names, tool.Name)
		if tool.InputSchema.Type != "object" {
			t.Errorf("%s: the input is of type %q", tool.Name, tool.InputSchema.Type)
		}
	}
	if got.Server.Name != "toolfacade" || !slices.Contains(names, "filesystem") {
		t.Errorf("server %+v, tools %q", got.Server, names)
	}
	if len(got.Replies) != len(journey) {
		t.Fatalf("%d replies to %d calls", len(got.Replies), len(journey))
	}
	for i, s := range journey {
		s.check(t, got.Replies[i])
	}
	arrived(t, tree)
}

func TestInspector(t *testing.T) {
	tree, server := sourceTree(t), server(t)
	inspect(t, journey, server, "-root", tree)
	arrived(t, tree)
}

func TestInspectorHTTP(t *testing.T) {
	tree := sourceTree(t)
	inspect(t, journey[:4], listening(t, server(t), "-root", tree, "-http", "localhost:0"), "--transport", "http")
}

// listening starts a server and returns its address.
func listening(t *testing.T, bin string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), bin, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 20 * time.Second
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // the test's context has ended by now
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if _, url, ok := strings.Cut(lines.Text(), "url="); ok {
			go func() { _, _ = io.Copy(io.Discard, stderr) }()
			return url
		}
	}
	t.Fatal("the server does not listen")
	return ""
}

// inspect goes steps of the journey with the inspector's command line.
func inspect(t *testing.T, steps []step, target ...string) {
	t.Helper()
	inspector := script(t, "node_modules/@modelcontextprotocol/inspector-cli/build/cli.js")
	run := func(v any, args ...string) {
		output(t, v, nil, "node", slices.Concat([]string{inspector, "--cli"}, target, []string{"--method"}, args)...)
	}
	var list struct {
		Tools []struct{ Name string }
	}
	run(&list, "tools/list")
	if !slices.ContainsFunc(list.Tools, func(t struct{ Name string }) bool { return t.Name == "filesystem" }) {
		t.Errorf("tools %+v", list.Tools)
	}
	for _, s := range steps {
		args := []string{"tools/call", "--tool-name", "filesystem"}
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(raw(s.args), &fields); err != nil {
			t.Fatal(err)
		}
		for name, value := range fields {
			var text string
			if json.Unmarshal(value, &text) != nil { // the inspector wants texts bare
				text = string(value)
			}
			args = append(args, "--tool-arg", name+"="+text)
		}
		var got answer
		run(&got, args...)
		s.check(t, got)
	}
}

func (s step) check(t *testing.T, got answer) {
	t.Helper()
	if len(got.Content) != 1 || !strings.Contains(got.Content[0].Text, s.headline) {
		t.Errorf("%s: content %+v, want %q", s.args, got.Content, s.headline)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, got.StructuredContent); err != nil {
		t.Fatalf("%s: structured content %q: %v", s.args, got.StructuredContent, err)
	}
	var failure struct{ Error struct{ Code string } }
	if err := json.Unmarshal(got.StructuredContent, &failure); err != nil {
		t.Fatal(err)
	}
	if got.IsError != (s.code != "") || failure.Error.Code != s.code || !strings.Contains(compact.String(), s.want) {
		t.Errorf("%s: isError %v, code %q, content %.300s; want code %q and %q",
			s.args, got.IsError, failure.Error.Code, &compact, s.code, s.want)
	}
}

// arrived checks what the journey left on the disk.
func arrived(t *testing.T, tree string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(tree, "new", "notes.txt"))
	if diff := cmp.Diff("one\nzwei €\n", string(got)); err != nil || diff != "" {
		t.Errorf("%v; the written file (-want +got)\n%s", err, diff)
	}
}

// script returns the path of a file under testdata/js, where npm ci has
// installed the clients.
func script(t *testing.T, name string) string {
	t.Helper()
	testenv.NeedProgram(t, "node")
	if _, err := os.Stat(filepath.Join("testdata", "js", "node_modules")); err != nil {
		testenv.Missing(t, "the clients are not installed: run npm ci in host/mcp/testdata/js")
	}
	path, err := filepath.Abs(filepath.Join("testdata", "js", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// server builds the example server.
func server(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "mcpserver.exe")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bin, ".")
	build.Dir = filepath.Join("..", "..", "examples", "mcpserver")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the server: %v\n%s", err, out)
	}
	return bin
}

// sourceTree returns a copy of the facade package, beside it a file of 12 MiB:
// more than the official client can buffer of one reply.
func sourceTree(t *testing.T) string {
	t.Helper()
	tree := t.TempDir()
	if err := os.CopyFS(tree, os.DirFS(filepath.Join("..", "..", "facade"))); err != nil {
		t.Fatal(err)
	}
	line := strings.Repeat("x", 1023) + "\n"
	if err := os.WriteFile(filepath.Join(tree, "big.txt"), []byte(strings.Repeat(line, 12<<10)), 0o600); err != nil {
		t.Fatal(err)
	}
	return tree
}

// output runs a program and decodes the JSON that it prints.
func output(t *testing.T, v any, stdin []byte, name string, args ...string) {
	t.Helper()
	var out, diagnosis bytes.Buffer
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &diagnosis
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, &diagnosis)
	}
	if err := json.Unmarshal(out.Bytes(), v); err != nil {
		t.Fatalf("%s printed %q: %v", name, &out, err)
	}
}
