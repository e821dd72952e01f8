package mcphost_test

import (
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade"
	mcphost "github.com/toolfacade/toolfacade/host/mcp"
	"github.com/toolfacade/toolfacade/internal/hosttest"
	"github.com/toolfacade/toolfacade/schema"
)

// TestStreamableHTTP runs the checks that all hosts have in common.
func TestStreamableHTTP(t *testing.T) {
	serve := func(set *facade.Set, session string) (http.Handler, error) {
		server := mcp.NewServer(&mcp.Implementation{Name: "lab", Version: "1"}, nil)
		err := mcphost.Register(server, set, &mcphost.Options{
			Content: mcphost.ContentText,
			Session: func(*mcp.CallToolRequest) string { return session },
		})
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil), err
	}
	hosttest.Run(t, hosttest.Host{
		Via: "streamable-http", Profile: schema.MCP, Play: hosttest.Protocol(serve), Marks: true, Images: true, Ordered: true,
	})
}
