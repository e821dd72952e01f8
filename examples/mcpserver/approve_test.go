package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade/access"
)

const writeB = `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"filesystem","arguments":{"action":"write","path":"b.txt","content":"x"}}}` + "\n"

func written(t *testing.T, dir string) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(dir, "b.txt"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil
}

// A client that cannot ask its user gets an error that says so.
func TestApproveWithoutElicitation(t *testing.T) {
	for _, test := range []struct {
		approve, code string
		done          bool
	}{
		{"none", "", true}, {"ask", `"code":"needs_approval"`, false}, {"deny", `"code":"denied"`, false},
	} {
		t.Run(test.approve, func(t *testing.T) {
			dir := tree(t)
			replies := piped(t, read+writeB, "-root", dir, "-approve", test.approve)
			if replies[3].Result.IsError {
				t.Errorf("read %+v", replies[3])
			}
			got := replies[4].Result
			if got.IsError == test.done || !strings.Contains(string(got.StructuredContent), test.code) || written(t, dir) != test.done {
				t.Errorf("write %+v %s", got, got.StructuredContent)
			}
		})
	}
}

func TestApproveGranular(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"filesystem_write","arguments":{"path":"b.txt","content":"x"}}}` + "\n"
	dir := tree(t)
	if got := piped(t, call, "-root", dir, "-approve", "deny", "-granular")[4].Result; !got.IsError || written(t, dir) {
		t.Errorf("write %+v", got)
	}
}

// asked connects a client whose user answers, over the protocol version.
func asked(t *testing.T, dir, version string, answer func(*mcp.ElicitParams) *mcp.ElicitResult) *mcp.ClientSession {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	in, feed := io.Pipe()
	answers, out := io.Pipe()
	var stderr log
	done := started(ctx, &stderr, in, out, "-root", dir, "-approve", "ask")
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return answer(req.Params), nil
		},
	})
	cs, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: answers, Writer: feed},
		&mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cs.Close()
		stop()
		ended(t, done)
	})
	return cs
}

func TestApproveElicitation(t *testing.T) {
	write := &mcp.CallToolParams{Name: "filesystem", Arguments: map[string]any{"action": "write", "path": "b.txt", "content": "x\u202e"}}
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		for _, test := range []struct {
			name   string
			answer mcp.ElicitResult
			done   bool
			asked  int // by two calls
			text   string
		}{
			{"accept", mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, true, 2, "b.txt"},
			{"remember", mcp.ElicitResult{Action: "accept", Content: map[string]any{"remember": true}}, true, 1, "b.txt"},
			{"decline", mcp.ElicitResult{Action: "decline"}, false, 2, "the user refused this call"},
			{"cancel", mcp.ElicitResult{Action: "cancel"}, false, 2, "the question was dismissed"},
		} {
			t.Run(version+" "+test.name, func(t *testing.T) {
				dir := tree(t)
				var questions []string
				cs := asked(t, dir, version, func(p *mcp.ElicitParams) *mcp.ElicitResult {
					questions = append(questions, p.Message)
					if written(t, dir) && len(questions) == 1 {
						t.Error("the call ran before the answer")
					}
					return &test.answer
				})
				for range 2 {
					res, err := cs.CallTool(t.Context(), write)
					if err != nil {
						t.Fatal(err)
					}
					text, ok := res.Content[0].(*mcp.TextContent)
					if !ok || res.IsError == test.done || !strings.Contains(text.Text, test.text) {
						t.Errorf("result %+v", res)
					}
				}
				if len(questions) != test.asked || written(t, dir) != test.done {
					t.Errorf("asked %d times, want %d; written: %v", len(questions), test.asked, written(t, dir))
				}
				const want = "Allow filesystem write (write, destructive)?\n" + `{"path":"b.txt","content":"x\u{202e}"`
				if !strings.HasPrefix(questions[0], want) {
					t.Errorf("the question is %q", questions[0])
				}
			})
		}
	}
}

// An answer holds for the call it was given for.
func TestElicitAnswers(t *testing.T) {
	r := access.Request{Digest: "d1", Tool: "t", Action: "a", Dir: "sub", Input: []byte(strings.Repeat("é", maxShown))}
	accept := &mcp.ElicitResult{Action: "accept"}
	for _, test := range []struct {
		name string
		c    *conversation
		want access.Verdict
	}{
		{"no conversation", nil, access.Ask},
		{"unable", &conversation{answers: mcp.InputResponseMap{"d1": accept}}, access.Ask},
		{"no answer yet", &conversation{able: true}, access.Ask},
		{"answered", &conversation{able: true, answers: mcp.InputResponseMap{"d1": accept}}, access.Allow},
		{"another call", &conversation{able: true, answers: mcp.InputResponseMap{"d2": accept}}, access.Deny},
		{"another kind of answer", &conversation{able: true, answers: mcp.InputResponseMap{"d1": &mcp.ListRootsResult{}}}, access.Deny}, //nolint:staticcheck // the client has to answer it for older servers
		{"unknown action", &conversation{able: true, answers: mcp.InputResponseMap{"d1": &mcp.ElicitResult{Action: "Accept"}}}, access.Deny},
	} {
		ctx := t.Context()
		if test.c != nil {
			ctx = context.WithValue(ctx, conversationKey{}, test.c)
		}
		d, err := elicit(ctx, r)
		if err != nil || d.Verdict != test.want || d.Digest != "d1" {
			t.Errorf("%s: %+v, %v", test.name, d, err)
		}
	}
	if q := question(r).Message; !strings.HasSuffix(q, "é … [4000 bytes in all]\nin sub") {
		t.Errorf("the question ends in %q", q[len(q)-60:])
	}
}
