package mcphost_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	mcphost "github.com/toolfacade/toolfacade/host/mcp"
)

// served is a client of a [mcphost.Stdio] whose server is connected with its
// context.
func served(t *testing.T, server *mcp.Server) *pipe {
	t.Helper()
	r, in := systemPipe(t)
	out, w := systemPipe(t)
	transport := &mcphost.Stdio{Reader: r, Writer: w}
	session, err := server.Connect(transport.Context(t.Context()), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &pipe{t, in, bufio.NewReader(out), make(chan error, 1)}
	go func() { p.done <- session.Wait() }()
	t.Cleanup(func() {
		_ = in.Close()
		_, _ = io.Copy(io.Discard, out)
		_ = out.Close()
		if err := <-p.done; err != nil {
			t.Log("the session ended with", err)
		}
	})
	p.send(greeting)
	p.receive()
	return p
}

func callLine(id any, args string) string {
	raw, err := json.Marshal(id)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"lab","arguments":%s}}`, raw, args)
}

// A reply is the same with and without the transport's context, but that the SDK
// writes <, > and & as escapes.
func TestStdioContext(t *testing.T) {
	direct := served(t, labServer(t, newLab(), nil))
	plain := piped(t, newLab(), mcphost.Stdio{})
	plain.send(greeting)
	plain.receive()
	for i, line := range []string{
		callLine(1, `{"action":"echo","text":"a<b> & \"quoted\" ä\u2028","times":3}`),
		callLine("a<b>&\"ä", `{"action":"echo","text":"x"}`),
		callLine(2, `{"action":"echo","text":"","times":1}`),
		callLine(3, `{"action":"echo","text":"y","times":"4"}`), // with a note
		callLine(4, `{"action":"echo","text":"a line that fills a buffer","times":2000}`),
		callLine(5, `{"action":"parts","size":100}`),
		callLine(6, `{"action":"nothing"}`),
		callLine(7, `{"action":"go","to":"there"}`),
		`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"no such tool"}}`,
		`{"jsonrpc":"2.0","id":9,"method":"ping"}`,
		`[` + callLine(10, `{"action":"echo","text":"in a batch"}`) + `]`,
	} {
		direct.send(line)
		plain.send(line)
		got := direct.receive()
		if d := cmp.Diff(parsed(t, plain.receive()), parsed(t, got)); d != "" {
			t.Errorf("line %d (-without +with):\n%s", i, d)
		}
		if i == 0 && !strings.Contains(got, `"structuredContent":{"lines":["a<b> & \"quoted\" ä`) {
			t.Errorf("no structured content in %s", got)
		}
	}
}

func parsed(t *testing.T, line string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return v
}

// Answers that are on their way at the same time keep their payloads apart.
func TestStdioContextConcurrent(t *testing.T) {
	p := served(t, labServer(t, newLab(), nil))
	const calls = 200
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := range calls {
			_, _ = io.WriteString(p.in, callLine(i+1, fmt.Sprintf(`{"action":"echo","text":"call %d.","times":%d}`, i+1, i%50+1))+"\n")
		}
	})
	for range calls {
		var res struct {
			ID     int
			Result struct{ StructuredContent echoOutput }
		}
		line := p.receive()
		if err := json.Unmarshal([]byte(line), &res); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		lines := res.Result.StructuredContent.Lines
		if len(lines) != (res.ID-1)%50+1 || lines[0] != fmt.Sprintf("call %d.", res.ID) {
			t.Errorf("the answer to %d has %q", res.ID, lines)
		}
	}
	writing.Wait()
}

// A result that a middleware replaces, after having encoded it, is sent as the
// middleware has it, and the replies after it are right.
func TestStdioContextReplaced(t *testing.T) {
	server := labServer(t, newLab(), nil)
	seen := ""
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if r, ok := req.(*mcp.CallToolRequest); !ok || !strings.Contains(string(r.Params.Arguments), "replace me") {
				return res, err
			}
			raw, _ := json.Marshal(res)
			seen = string(raw)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "replaced"}}}, nil
		}
	})
	p := served(t, server)
	p.send(callLine(1, `{"action":"echo","text":"replace me"}`))
	if got := p.receive(); !strings.Contains(got, `"text":"replaced"`) || strings.Contains(got, "structuredContent") {
		t.Errorf("got %s", got)
	}
	_, mark, ok := strings.Cut(seen, `"structuredContent":"`)
	if !ok {
		t.Fatalf("the middleware saw %s", seen)
	}
	mark, _, _ = strings.Cut(mark, `"`)
	for i, text := range []string{mark, "plain"} { // the payload of the first call is gone
		p.send(callLine(i+2, `{"action":"echo","text":"`+text+`"}`))
		if got := p.receive(); !strings.Contains(got, `"structuredContent":{"lines":["`+text+`"]}`) {
			t.Errorf("got %s", got)
		}
	}
}
