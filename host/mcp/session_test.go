package mcphost_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade"
	mcphost "github.com/toolfacade/toolfacade/host/mcp"
)

// where tells the current directory of a client's session.
func where(t *testing.T, cs *mcp.ClientSession) string {
	t.Helper()
	return object(t, call(t, cs, `{"action":"go"}`).StructuredContent)["current"].(string)
}

func labServer(t *testing.T, l *lab, opts *mcphost.Options) *mcp.Server {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "lab", Version: "1"}, nil)
	if err := mcphost.Register(server, l.set(), opts); err != nil {
		t.Fatal(err)
	}
	return server
}

// Two connections without a session id, as over stdio, do not share state, and
// each keeps its own.
func TestSessionsInMemory(t *testing.T) {
	server := labServer(t, newLab(), nil)
	first, second := dial(t, server, nil, ""), dial(t, server, nil, "2025-03-26")
	call(t, first, `{"action":"go","to":"src"}`)
	if got := where(t, first); got != "src" {
		t.Errorf("the first session is in %q", got)
	}
	if got := seen(t, call(t, second, `{"action":"go"}`)).Text; got != `{"current":""}` {
		t.Errorf("the second session is in %s", got)
	}
}

func TestSessionsHTTP(t *testing.T) {
	l := newLab()
	server := labServer(t, l, nil)
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	defer web.Close()
	first, second := dialHTTP(t, web.URL), dialHTTP(t, web.URL)
	defer func() { _ = first.Close(); _ = second.Close() }()
	call(t, first, `{"action":"go","to":"src"}`)
	if a, b := where(t, first), where(t, second); a != "src" || b != "" {
		t.Errorf("sessions are in %q and %q", a, b)
	}
	if _, ok := l.here[first.ID()]; !ok || first.ID() == "" {
		t.Errorf("sessions are named %v, the transport's is %q", l.here, first.ID())
	}
}

func TestSessionOption(t *testing.T) {
	l := newLab()
	cs := connect(t, l.set(), &mcphost.Options{
		Session: func(req *mcp.CallToolRequest) string { return "user of " + req.Params.Name },
	}, "")
	call(t, cs, `{"action":"go","to":"src"}`)
	if diff := cmp.Diff(map[string]string{"user of lab": "src"}, l.here); diff != "" {
		t.Error("sessions (-want +got)", diff)
	}
}

func TestCancel(t *testing.T) {
	l := newLab()
	cs := connect(t, l.set(), nil, "")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-l.began
		cancel()
	}()
	_, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: "lab", Arguments: raw(`{"action":"wait"}`)})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the client got %v", err)
	}
	select {
	case code := <-l.ended:
		if code != facade.CodeCanceled {
			t.Errorf("the tool ended with %q", code)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the tool still waits")
	}
	if got := seen(t, call(t, cs, `{"action":"echo","text":"a"}`)); got.IsError {
		t.Errorf("the session does not survive a canceled call: %+v", got)
	}
}

// A client that leaves cancels what it asked for.
func TestDisconnect(t *testing.T) {
	l := newLab()
	near, far := net.Pipe()
	if _, err := labServer(t, l, nil).Connect(t.Context(), &mcp.IOTransport{Reader: far, Writer: far}, nil); err != nil {
		t.Fatal(err)
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cs, err := c.Connect(t.Context(), &mcp.IOTransport{Reader: near, Writer: near}, nil)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "lab", Arguments: raw(`{"action":"wait"}`)})
		done <- err
	}()
	<-l.began
	_ = near.Close() // the client's process dies
	select {
	case <-l.ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the tool still waits")
	}
	if err := <-done; err == nil {
		t.Error("the call of a closed client succeeded")
	}
}

// A stateless server has a new session for every request, unless told who
// calls.
func TestSessionsStateless(t *testing.T) {
	for name, test := range map[string]struct {
		opts *mcphost.Options
		want string
	}{
		"by request": {nil, ""},
		"by caller":  {&mcphost.Options{Session: func(*mcp.CallToolRequest) string { return "somebody" }}, "src"},
	} {
		t.Run(name, func(t *testing.T) {
			server := labServer(t, newLab(), test.opts)
			web := httptest.NewServer(mcp.NewStreamableHTTPHandler(
				func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
			defer web.Close()
			cs := dialHTTP(t, web.URL)
			defer func() { _ = cs.Close() }()
			call(t, cs, `{"action":"go","to":"src"}`)
			if got := where(t, cs); got != test.want {
				t.Errorf("the session is in %q, want %q", got, test.want)
			}
		})
	}
}

func TestParallelCalls(t *testing.T) {
	server := labServer(t, newLab(), nil)
	clients := []*mcp.ClientSession{dial(t, server, nil, ""), dial(t, server, nil, "")}
	call(t, clients[0], `{"action":"go","to":"0"}`)
	call(t, clients[1], `{"action":"go","to":"1"}`)
	var wg sync.WaitGroup
	for n := range 40 {
		wg.Go(func() {
			if got, want := where(t, clients[n%2]), strconv.Itoa(n%2); got != want {
				t.Errorf("the session is in %q, want %q", got, want)
			}
		})
	}
	wg.Wait()
}

func dialHTTP(t *testing.T, url string) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cs, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, MaxRetries: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return cs
}
