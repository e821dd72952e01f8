package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// reference is the package that the server is compared with.
const reference = "@modelcontextprotocol/server-filesystem@2026.8.31"

// errands are what both servers do, so many times in each round.
//
//   - read: ours answers with the content, its encoding, line ends, number of
//     lines and etag; theirs with the content, twice
//   - edit: both replace one line, write the file by renaming and answer with a
//     diff; ours syncs the file and keeps the old content for undo
//   - list with sizes: ours answers with name, path, type, size, mode and time of
//     each entry, sorted, in pages of 64 KiB, all of which are read; theirs with
//     name, type and size, sorted, twice, in one reply. Both describe every file.
//   - list of names: the same call of ours, which has no shorter form, and a call
//     of theirs that describes no file and gives names and types. It has no limit:
//     describing the files alone takes longer than all of theirs.
//   - find: both answer with the one file of 15,000 that has the name
//
// Listings have to hold the same names.
var errands = []struct {
	name  string
	times int
	limit float64 // 0 for none
	ours  func(i int) map[string]any
	tool  string // theirs
	args  func(root string, i int) map[string]any
	check string // what both answers must hold
	names func(answer json.RawMessage) ([]string, error)
}{
	{
		"server: read 1 KB", 400, 0.25,
		func(int) map[string]any { return map[string]any{"action": "read", "path": "small.txt"} },
		"read_text_file", func(root string, _ int) map[string]any {
			return map[string]any{"path": filepath.Join(root, "small.txt")}
		}, `sixteen letters\n`, nil,
	},
	{
		"server: edit one line in 1 MB", 30, 0.3,
		func(i int) map[string]any {
			return map[string]any{"action": "edit", "path": "medium.txt", "edits": []map[string]any{{"old_text": fmt.Sprintf("line %d is here", i), "new_text": fmt.Sprintf("changed %d", i)}}}
		},
		"edit_file", func(root string, i int) map[string]any {
			return map[string]any{"path": filepath.Join(root, "medium.txt"), "edits": []map[string]any{{"oldText": fmt.Sprintf("line %d is here", i), "newText": fmt.Sprintf("changed %d", i)}}}
		}, "+changed ", nil,
	},
	{
		"server: list 1,000 entries with sizes", 40, 0.25,
		listed, "list_directory_with_sizes", listedTheirs, "entry777.txt", names,
	},
	{
		"server: list 1,000 entries / names only", 40, 0,
		listed, "list_directory", listedTheirs, "entry777.txt", names,
	},
	{
		"server: find in 15,000 files", 4, 0.05,
		func(int) map[string]any {
			return map[string]any{"action": "find", "path": "tree", "patterns": []string{"*7777.go"}}
		},
		"search_files", func(root string, _ int) map[string]any {
			return map[string]any{"path": filepath.Join(root, "tree"), "pattern": "**/*7777.go"}
		}, "file7777.go", nil,
	},
}

func listed(int) map[string]any {
	return map[string]any{"action": "list", "path": "many", "limit": 1000}
}

func listedTheirs(root string, _ int) map[string]any {
	return map[string]any{"path": filepath.Join(root, "many")}
}

// names returns the names in a listing of either server.
func names(answer json.RawMessage) ([]string, error) {
	var reply struct {
		StructuredContent struct {
			Entries []struct{ Name string }
			Content string
		}
	}
	if err := json.Unmarshal(answer, &reply); err != nil {
		return nil, err
	}
	var found []string
	for _, e := range reply.StructuredContent.Entries {
		found = append(found, e.Name)
	}
	for line := range strings.Lines(reply.StructuredContent.Content) {
		if rest, ok := strings.CutPrefix(line, "[FILE] "); ok {
			found = append(found, strings.Fields(rest)[0])
		}
	}
	return found, nil
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
		var used [2][]time.Duration
		for round := range b.rounds + 1 { // the first is to warm up
			for side, c := range []*client{a, o} {
				took, err := c.batch(e.times, func(i int) (string, map[string]any) {
					if i += round * e.times; side == 0 {
						return "filesystem", e.ours(i)
					}
					return e.tool, e.args(roots[1], i)
				}, e.check)
				if err != nil {
					return fmt.Errorf("%s: %w", e.name, err)
				}
				if round > 0 {
					used[side] = append(used[side], took/time.Duration(e.times))
				}
			}
		}
		slices.Sort(used[0])
		slices.Sort(used[1])
		x, y := used[0][b.rounds/2], used[1][b.rounds/2]
		b.row(e.name, x.Round(time.Microsecond).String(), y.Round(time.Microsecond).String(), float64(x)/float64(y), e.limit, "", true)
		if e.names == nil {
			continue
		}
		same, err := sameNames(a, e.ours(0), o, e.tool, e.args(roots[1], 0), e.names)
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		if !same {
			b.differ(e.name)
		}
	}
	if !sameFile(filepath.Join(roots[0], "medium.txt"), filepath.Join(roots[1], "medium.txt")) {
		b.differ("edit")
	}
	return nil
}

// sameNames reports whether two listings have the same names, a thousand of them.
func sameNames(
	a *client, ours map[string]any, o *client, tool string, theirs map[string]any, names func(json.RawMessage) ([]string, error),
) (bool, error) {
	var found [2][]string
	collect := func(side int) func(json.RawMessage) error {
		return func(answer json.RawMessage) error {
			some, err := names(answer)
			found[side] = append(found[side], some...)
			return err
		}
	}
	if err := errors.Join(a.pages("filesystem", ours, collect(0)), o.pages(tool, theirs, collect(1))); err != nil {
		return false, err
	}
	slices.Sort(found[0])
	slices.Sort(found[1])
	return len(found[0]) == 1000 && slices.Equal(found[0], found[1]), nil
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

// pages makes a call and those for the pages after it.
func (c *client) pages(tool string, args map[string]any, page func(answer json.RawMessage) error) error {
	for {
		answer, err := c.request("tools/call", map[string]any{"name": tool, "arguments": args})
		if err == nil {
			err = page(answer)
		}
		cursor := next(answer)
		if err != nil || cursor == "" {
			return err
		}
		args["cursor"] = cursor
	}
}

// batch makes calls, to the last page of each, and returns the processor time the server took for them.
func (c *client) batch(n int, call func(i int) (string, map[string]any), check string) (time.Duration, error) {
	before, err := cpuTime(c.cmd.Process.Pid)
	if err != nil {
		return 0, err
	}
	for i := range n {
		tool, args := call(i)
		found, last := false, json.RawMessage(nil)
		err := c.pages(tool, args, func(answer json.RawMessage) error {
			found, last = found || bytes.Contains(answer, []byte(check)), answer
			return nil
		})
		if err == nil && !found {
			err = fmt.Errorf("no %q in the answer: %.300s", check, last)
		}
		if err != nil {
			return 0, err
		}
	}
	after, err := cpuTime(c.cmd.Process.Pid)
	return after - before, err
}
