package mcpgohost

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/host"
	"github.com/toolfacade/toolfacade/schema"
)

// Register adds every tool of set to s. When one tool's schema cannot be
// rendered none is added.
func Register(s *server.MCPServer, set *facade.Set) error {
	tools, err := host.Each(set, schema.MCP, define)
	s.AddTools(tools...)
	return err
}

func define(t host.Tool) (server.ServerTool, error) {
	tool := mcp.NewToolWithRawSchema(t.Name, t.Description, t.Input)
	tool.Annotations = mcp.ToolAnnotation{
		ReadOnlyHint: &t.ReadOnly, DestructiveHint: &t.Destructive, IdempotentHint: &t.Idempotent, OpenWorldHint: &t.OpenWorld,
	}
	return server.ServerTool{Tool: tool, Handler: func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		args, err := json.Marshal(req.GetRawArguments())
		if err != nil {
			return nil, err
		}
		if client := server.ClientSessionFromContext(ctx); client != nil && facade.Info(ctx).Session == "" {
			ctx = facade.WithSession(ctx, client.SessionID(), nil)
		}
		reply, err := t.Call(ctx, host.Call{Args: args}, host.Images)
		result := &mcp.CallToolResult{IsError: reply.Failed, Content: []mcp.Content{mcp.NewTextContent(reply.Text)}}
		for _, i := range reply.Images {
			result.Content = append(result.Content, mcp.NewImageContent(i.Base64(), i.MIME))
		}
		return result, err
	}}, nil
}
