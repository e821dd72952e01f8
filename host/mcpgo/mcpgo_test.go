package mcpgohost_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	mcpgohost "github.com/toolfacade/toolfacade/host/mcpgo"
	"github.com/toolfacade/toolfacade/internal/hosttest"
	"github.com/toolfacade/toolfacade/schema"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func serve(set *facade.Set, session string) (http.Handler, error) {
	s := server.NewMCPServer("lab", "1")
	if err := mcpgohost.Register(s, set); err != nil {
		return nil, err
	}
	return server.NewStreamableHTTPServer(s, server.WithHTTPContextFunc(func(ctx context.Context, _ *http.Request) context.Context {
		if session == "" {
			return ctx
		}
		return facade.WithSession(ctx, session, nil)
	})), nil
}

func TestStreamableHTTP(t *testing.T) {
	hosttest.Run(t, hosttest.Host{
		Via: "streamable-http", Profile: schema.MCP, Play: hosttest.Protocol(serve), Marks: true, Images: true, Ordered: true,
	})
}

// TestEachClientHasASession has two clients ask who they are.
func TestEachClientHasASession(t *testing.T) {
	seen := map[string]bool{}
	for range 2 {
		got, err := hosttest.Protocol(serve)(t.Context(), t, hosttest.NewLab().Set(), []hosttest.Call{{ID: "call_1", Tool: "lab", Args: `{"action":"who"}`}})
		if err != nil {
			t.Fatal(err)
		}
		seen[got.Turns[0][0].Text] = true
	}
	if len(seen) != 2 || seen["session "] {
		t.Errorf("the sessions are %v, want two of them with names", seen)
	}
}

func TestAnnotations(t *testing.T) {
	s := server.NewMCPServer("lab", "1")
	if err := mcpgohost.Register(s, hosttest.NewLab().Set().View(facade.SplitReadWrite)); err != nil {
		t.Fatal(err)
	}
	yes, no := true, false
	want := map[string]mcp.ToolAnnotation{
		"lab_query":    {ReadOnlyHint: &yes, DestructiveHint: &no, IdempotentHint: &no, OpenWorldHint: &no},
		"lab_change":   {ReadOnlyHint: &no, DestructiveHint: &yes, IdempotentHint: &no, OpenWorldHint: &no},
		"shelf_query":  {ReadOnlyHint: &yes, DestructiveHint: &no, IdempotentHint: &no, OpenWorldHint: &no},
		"shelf_change": {ReadOnlyHint: &no, DestructiveHint: &no, IdempotentHint: &no, OpenWorldHint: &no},
	}
	got := s.ListTools()
	if len(got) != len(want) {
		t.Errorf("%d tools, want %d", len(got), len(want))
	}
	for name, w := range want {
		g := got[name]
		if g == nil {
			t.Errorf("no tool %s", name)
			continue
		}
		a := g.Tool.Annotations
		if *a.ReadOnlyHint != *w.ReadOnlyHint || *a.DestructiveHint != *w.DestructiveHint || *a.IdempotentHint != *w.IdempotentHint || *a.OpenWorldHint != *w.OpenWorldHint {
			t.Errorf("%s: read-only %v, destructive %v, idempotent %v, open world %v", name, *a.ReadOnlyHint, *a.DestructiveHint, *a.IdempotentHint, *a.OpenWorldHint)
		}
	}
}
