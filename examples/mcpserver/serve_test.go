package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade"
)

// started waits for what run returns.
func started(ctx context.Context, stderr io.Writer, in io.ReadCloser, out io.WriteCloser, args ...string) <-chan error {
	done := make(chan error, 1)
	go func() { done <- run(ctx, args, in, out, stderr) }()
	return done
}

func ended(t *testing.T, done <-chan error) {
	t.Helper()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("the server ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the server does not end")
	}
}

// SIGINT and SIGTERM end the context.
func TestStdioSignal(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	in, feed := io.Pipe()
	answers, out := io.Pipe()
	defer func() { _ = feed.Close(); _ = answers.Close() }()
	var stderr log
	done := started(ctx, &stderr, in, out, "-root", tree(t))
	cs := dial(t, &mcp.IOTransport{Reader: answers, Writer: feed})
	if _, err := cs.ListTools(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	stop()
	ended(t, done)
	_ = cs.Close()
}

func TestStdioEndOfInput(t *testing.T) {
	in, feed := io.Pipe()
	answers, out := io.Pipe()
	var stderr log
	done := started(t.Context(), &stderr, in, out, "-root", tree(t))
	cs := dial(t, &mcp.IOTransport{Reader: answers, Writer: feed})
	if err := cs.Close(); err != nil {
		t.Error(err)
	}
	ended(t, done)
}

func TestHTTP(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var stderr log
	done := started(ctx, &stderr, nil, nil, "-root", tree(t), "-http", "localhost:0")
	url := address(t, &stderr, done)
	cs := dial(t, &mcp.StreamableClientTransport{Endpoint: url, MaxRetries: -1})
	params := &mcp.CallToolParams{Name: "filesystem", Arguments: map[string]any{"action": "read", "path": "a.txt"}}
	if res, err := cs.CallTool(t.Context(), params); err != nil || res.IsError {
		t.Errorf("read: %+v, %v", res, err)
	}
	for _, test := range []struct {
		origin, host string
		want         int
	}{
		{"", "", http.StatusOK},
		{"http://localhost:6274", "", http.StatusOK},
		{"http://[::1]", "", http.StatusOK},
		{"https://evil.example", "", http.StatusForbidden},
		{"http://localhost.evil.example", "", http.StatusForbidden},
		{"null", "", http.StatusForbidden},
		{"", "evil.example", http.StatusForbidden},
	} {
		t.Run(fmt.Sprintf("origin %q host %q", test.origin, test.host), func(t *testing.T) {
			if got := post(t, url, test.origin, test.host); got != test.want {
				t.Errorf("status %d, want %d", got, test.want)
			}
		})
	}
	stop() // with a session open
	ended(t, done)
	_ = cs.Close()
}

// post sends an initialize request and returns the status.
func post(t *testing.T, url, origin, host string) int {
	t.Helper()
	body, _, _ := strings.Cut(hello, "\n")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if origin != "" {
		req.Header.Set("Origin", origin)
	}
	req.Host = host
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close(); http.DefaultClient.CloseIdleConnections() }()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		t.Fatal(err)
	}
	return res.StatusCode
}

// address waits until the server logs where it listens.
func address(t *testing.T, stderr *log, done <-chan error) string {
	t.Helper()
	where := regexp.MustCompile(`url=(\S+)`)
	for range 1000 {
		if m := where.FindStringSubmatch(stderr.String()); m != nil {
			return m[1]
		}
		select {
		case err := <-done:
			t.Fatalf("the server ended with %v\n%s", err, stderr)
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Fatalf("the server does not listen:\n%s", stderr)
	return ""
}

func dial(t *testing.T, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cs, err := client.Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	return cs
}

// waiter is a tool whose one action waits for the end of its context, or for
// the release.
type waiter struct{ began, release chan struct{} }

type waitOutput struct {
	// Cause of the end.
	Cause string `json:"cause"`
}

func (w waiter) wait(ctx context.Context, _ struct{}) (waitOutput, error) {
	w.began <- struct{}{}
	select {
	case <-ctx.Done():
		return waitOutput{context.Cause(ctx).Error()}, ctx.Err()
	case <-w.release:
		return waitOutput{"released"}, nil
	}
}

func (w waiter) server(t *testing.T, stop context.Context) *mcp.Server {
	t.Helper()
	set := facade.NewSet([]*facade.Tool{facade.New("waiter", "Waits.",
		facade.Bind("wait", facade.EffectRead, "Wait.", w.wait))}, nil)
	server, err := newServer(stop, set, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

const wait = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"waiter","arguments":{"action":"wait"}}}` + "\n"

// A call in progress gets its answer, with the reason, before the server ends.
func TestStdioShutdownDuringCall(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	w := waiter{began: make(chan struct{}, 1)}
	in, feed := io.Pipe()
	defer func() { _ = feed.Close() }()
	var out log
	done := make(chan error, 1)
	go func() { done <- serveStdio(ctx, stop, w.server(t, ctx), in, nopWriteCloser{&out}) }()
	if _, err := io.WriteString(feed, hello+wait); err != nil {
		t.Fatal(err)
	}
	<-w.began
	stop()
	ended(t, done)
	if !strings.Contains(out.String(), errShutdown.Error()) || !strings.Contains(out.String(), `"isError":true`) {
		t.Errorf("the client got %s", &out)
	}
}

// After the end of input the answers to earlier calls are still written.
func TestStdioDrain(t *testing.T) {
	w := waiter{began: make(chan struct{}, 1), release: make(chan struct{})}
	var out log
	done := make(chan error, 1)
	server := w.server(t, t.Context())
	go func() {
		done <- serveStdio(t.Context(), func() {}, server, io.NopCloser(strings.NewReader(hello+wait)), nopWriteCloser{&out})
	}()
	<-w.began
	time.Sleep(50 * time.Millisecond) // the input has ended by now
	close(w.release)
	ended(t, done)
	if !strings.Contains(out.String(), "released") {
		t.Errorf("the client got %s", &out)
	}
}

func TestUntil(t *testing.T) {
	stop, cancel := context.WithCancel(t.Context())
	handler := until(stop)(func(ctx context.Context, _ *facade.Request) (any, error) {
		if ctx.Err() != nil {
			t.Error("canceled before the end")
		}
		cancel()
		<-ctx.Done()
		return nil, context.Cause(ctx)
	})
	if _, err := handler(t.Context(), &facade.Request{}); !errors.Is(err, errShutdown) {
		t.Errorf("got %v", err)
	}
}
