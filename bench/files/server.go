package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// reference is the package that the server is compared with.
const reference = "@modelcontextprotocol/server-filesystem@2026.8.31"

// errands are what both servers do, as many times as processor time can be
// counted by.
var errands = []struct {
	name  string
	times int
	limit float64
	ours  func(i int) map[string]any
	tool  string // theirs
	args  func(root string, i int) map[string]any
	check string // what both answers must hold
}{
	{
		"server: read 1 KB", 1000, 0.25,
		func(int) map[string]any { return map[string]any{"action": "read", "path": "small.txt"} },
		"read_text_file", func(root string, _ int) map[string]any {
			return map[string]any{"path": filepath.Join(root, "small.txt")}
		}, `sixteen letters\n`,
	},
	{
		"server: edit one line in 1 MB", 60, 0.3,
		func(i int) map[string]any {
			return map[string]any{"action": "edit", "path": "medium.txt", "edits": []map[string]any{{"old_text": fmt.Sprintf("line %d is here", i), "new_text": fmt.Sprintf("changed %d", i)}}}
		},
		"edit_file", func(root string, i int) map[string]any {
			return map[string]any{"path": filepath.Join(root, "medium.txt"), "edits": []map[string]any{{"oldText": fmt.Sprintf("line %d is here", i), "newText": fmt.Sprintf("changed %d", i)}}}
		}, "+changed ",
	},
	{
		"server: list 1,000 entries", 200, 0.25,
		func(int) map[string]any { return map[string]any{"action": "list", "path": "many", "limit": 1000} },
		"list_directory", func(root string, _ int) map[string]any { return map[string]any{"path": filepath.Join(root, "many")} }, "entry777.txt",
	},
	{
		"server: find in 15,000 files", 20, 0.05,
		func(int) map[string]any {
			return map[string]any{"action": "find", "path": "tree", "patterns": []string{"*7777.go"}}
		},
		"search_files", func(root string, _ int) map[string]any {
			return map[string]any{"path": filepath.Join(root, "tree"), "pattern": "**/*7777.go"}
		}, "file7777.go",
	},
}

// server compares the processor time of the two servers.
func (b *bench) server() (err error) {
	if err := b.install(); err != nil {
		return err
	}
	ours := filepath.Join(b.dir, "mcpserver")
	build := exec.Command("go", "build", "-o", ours, ".")
	build.Dir, build.Stderr = filepath.Join("..", "examples", "mcpserver"), os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build (run from the directory bench): %w", err)
	}
	var roots [2]string
	for i, name := range []string{"root-ours", "root-theirs"} {
		roots[i] = filepath.Join(b.dir, name)
		if err := plant(roots[i]); err != nil {
			return err
		}
	}
	a, err := start(ours, "-root", roots[0], "-tools", "filesystem")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.stop()) }()
	o, err := start("node", filepath.Join(b.npm, "node_modules", "@modelcontextprotocol", "server-filesystem", "dist", "index.js"), roots[1])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.stop()) }()
	for _, e := range errands {
		var used [2]time.Duration
		done := 0
		for used[0] < 100*time.Millisecond && done < 20*e.times { // enough ticks
			for side, c := range []*client{a, o} {
				took, err := c.batch(e.times, func(i int) (string, map[string]any) {
					if side == 0 {
						return "filesystem", e.ours(done + i)
					}
					return e.tool, e.args(roots[1], done+i)
				}, e.check)
				if err != nil {
					return fmt.Errorf("%s: %w", e.name, err)
				}
				used[side] += took
			}
			done += e.times
		}
		each := func(d time.Duration) string { return (d / time.Duration(done)).Round(time.Microsecond).String() }
		b.row(e.name, each(used[0]), each(used[1]), float64(used[0])/float64(used[1]), e.limit, "", true)
	}
	if !sameFile(filepath.Join(roots[0], "medium.txt"), filepath.Join(roots[1], "medium.txt")) {
		b.differ("edit")
	}
	return nil
}

// install has npm install the reference server, unless it is there.
func (b *bench) install() error {
	if b.npm == "" {
		b.npm = filepath.Join(b.dir, "npm")
		if err := os.MkdirAll(b.npm, 0o755); err != nil {
			return err
		}
		npm := exec.Command("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", b.npm, reference)
		npm.Dir, npm.Stderr = b.npm, os.Stderr
		if err := npm.Run(); err != nil {
			return fmt.Errorf("npm install %s: %w", reference, err)
		}
	}
	return nil
}

// plant makes what the errands work on.
func plant(root string) error {
	files := map[string]string{"small.txt": strings.Repeat("sixteen letters\n", 64)}
	var medium strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&medium, "line %d is here, with some more words behind it\n", i)
	}
	files["medium.txt"] = medium.String()
	for i := range 1000 {
		files[fmt.Sprintf("many/entry%d.txt", i)] = "x"
	}
	for i := range 15_000 {
		files[fmt.Sprintf("tree/dir%d/sub%d/file%d.go", i%50, i/50%20, i)] = "package x\n"
	}
	for name, content := range files {
		at := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func sameFile(a, b string) bool {
	x, err := os.ReadFile(a)
	y, err2 := os.ReadFile(b)
	return errors.Join(err, err2) == nil && bytes.Equal(x, y)
}

// client speaks to a server over its standard input and output.
type client struct {
	cmd *exec.Cmd
	enc *json.Encoder
	dec *json.Decoder
	id  int
	end func() error
}

func start(name string, args ...string) (*client, error) {
	cmd := exec.Command(name, args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &client{cmd: cmd, enc: json.NewEncoder(in), dec: json.NewDecoder(out), end: in.Close}
	if _, err = c.request("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "bench", "version": "1"},
	}); err != nil {
		return nil, errors.Join(err, c.stop())
	}
	return c, c.enc.Encode(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
}

func (c *client) stop() error { return errors.Join(c.end(), c.cmd.Wait()) }

// request sends a request and returns its result.
func (c *client) request(method string, params any) (json.RawMessage, error) {
	c.id++
	if err := c.enc.Encode(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params}); err != nil {
		return nil, err
	}
	for {
		var m struct {
			ID     *int            `json:"id"`
			Method string          `json:"method"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if err := c.dec.Decode(&m); err != nil {
			return nil, fmt.Errorf("the server ended: %w", err)
		}
		if m.ID == nil || *m.ID != c.id || m.Method != "" {
			continue // a notification, or a request to this client
		}
		if m.Error != nil {
			return nil, fmt.Errorf("%s", m.Error)
		}
		return m.Result, nil
	}
}

// next is the cursor of an answer that has a next page.
func next(raw json.RawMessage) string {
	_, rest, _ := bytes.Cut(raw, []byte(`"next_cursor":"`))
	cursor, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(cursor)
}

// batch makes calls, to the last page of each, and returns the processor time the server took for them.
func (c *client) batch(n int, call func(i int) (string, map[string]any), check string) (time.Duration, error) {
	before, err := cpuTime(c.cmd.Process.Pid)
	if err != nil {
		return 0, err
	}
	for i := range n {
		tool, args := call(i)
		found := false
		for cursor := ""; !found || cursor != ""; {
			if cursor != "" {
				args["cursor"] = cursor
			}
			raw, err := c.request("tools/call", map[string]any{"name": tool, "arguments": args})
			if err != nil {
				return 0, err
			}
			found = found || bytes.Contains(raw, []byte(check))
			if cursor = next(raw); cursor == "" && !found {
				return 0, fmt.Errorf("no %q in the answer: %.300s", check, raw)
			}
		}
	}
	after, err := cpuTime(c.cmd.Process.Pid)
	return after - before, err
}
