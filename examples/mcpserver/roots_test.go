package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A client stays within the directories that it names, as far as they are below
// the server's.
func TestClientRoots(t *testing.T) {
	dir := tree(t)
	for _, name := range []string{"in", "ot[h]er"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "f.txt"), []byte("x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in, inside, odd := `{"action":"read","path":"in/f.txt"}`, "file://"+filepath.ToSlash(dir)+"/in", "file://"+filepath.ToSlash(dir)+"/ot%5Bh%5Der"
	top, list := `{"action":"read","path":"a.txt"}`, `{"action":"list","recursive":true}`
	other := `{"action":"read","path":"ot[h]er/f.txt"}`
	for _, test := range []struct {
		name    string
		flag    bool
		roots   []string
		allowed []string
		denied  []string
	}{
		{"one below", true, []string{inside}, []string{in, `{"action":"pwd"}`}, []string{top, list, other}},
		{"name like a pattern", true, []string{odd}, []string{other}, []string{in, top}},
		{"two", true, []string{inside, odd}, []string{in, other}, []string{top}},
		{"the server's own", true, []string{"file://" + filepath.ToSlash(dir)}, []string{in, top, list}, nil},
		{"above the server's", true, []string{"file:///"}, []string{in, top, list}, nil},
		{"elsewhere", true, []string{"file:///nowhere/at/all"}, []string{`{"action":"pwd"}`}, []string{in, top, list}},
		{"no files", true, []string{"https://example.org/"}, nil, []string{in}},
		{"none named", true, nil, []string{in, top, list}, nil},
		{"not asked for", false, []string{inside}, []string{in, top, list}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, version := range []string{"", "2025-06-18"} {
				_, cs := rooted(t, dir, test.flag, version, test.roots)
				for i, args := range append(test.allowed, test.denied...) {
					res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "filesystem", Arguments: json.RawMessage(args)})
					if err != nil {
						t.Fatal(err)
					}
					if want := i >= len(test.allowed); res.IsError != want {
						t.Errorf("version %q, %s: refused %v, want %v: %s", version, args, res.IsError, want, res.Content[0].(*mcp.TextContent).Text)
					}
				}
				_ = cs.Close()
			}
		})
	}
}

// rooted returns a client that names roots to a server on dir.
func rooted(t *testing.T, dir string, flag bool, version string, roots []string) (*mcp.Client, *mcp.ClientSession) {
	t.Helper()
	in, feed := io.Pipe()
	answers, out := io.Pipe()
	var stderr log
	args := []string{"-root", dir, "-tools", "filesystem"}
	if flag {
		args = append(args, "-client-roots")
	}
	done := started(t.Context(), &stderr, in, out, args...)
	t.Cleanup(func() { ended(t, done) })
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	for _, r := range roots {
		client.AddRoots(&mcp.Root{URI: r, Name: r[strings.LastIndexByte(r, '/')+1:]}) //nolint:staticcheck // deprecated, and what clients have
	}
	cs, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: answers, Writer: feed}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	return client, cs
}

// Roots that change hold from the next call on.
func TestClientRootsChange(t *testing.T) {
	dir := tree(t)
	client, cs := rooted(t, dir, true, "2025-06-18", []string{"file:///nowhere"})
	defer func() { _ = cs.Close() }()
	params := &mcp.CallToolParams{Name: "filesystem", Arguments: json.RawMessage(`{"action":"read","path":"a.txt"}`)}
	if res, err := cs.CallTool(t.Context(), params); err != nil || !res.IsError {
		t.Fatalf("before: %+v, %v", res, err)
	}
	client.AddRoots(&mcp.Root{URI: "file://" + filepath.ToSlash(dir), Name: "here"}) //nolint:staticcheck // deprecated, and what clients have
	for range 500 {                                                                  // the notification takes its time
		res, err := cs.CallTool(t.Context(), params)
		if err != nil {
			t.Fatal(err)
		}
		if !res.IsError {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the new roots never hold")
}
