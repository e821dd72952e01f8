package mcphost

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/schema"
)

// Register adds every tool of set to server; nil options mean the defaults. A
// tool of the same name is replaced. When one tool's schema cannot be rendered
// none is added.
func Register(server *mcp.Server, set *facade.Set, opts *Options) error {
	h := &host{opts: opts.withDefaults()}
	tools := set.Tools()
	defs := make([]*mcp.Tool, len(tools))
	for i, t := range tools {
		def, err := schema.Render(t, schema.MCP)
		if err != nil {
			return fmt.Errorf("mcp: render the schema of %s: %w", t.Name(), err)
		}
		defs[i] = h.define(def)
	}
	for i, t := range tools {
		server.AddTool(defs[i], h.opts.Wrap(h.handler(t)))
	}
	if h.opts.Resources {
		h.resources(server, set)
	}
	server.AddReceivingMiddleware(withRoom, withoutOutputSchemas(defs))
	return nil
}

// host is what the handlers of one [Register] share.
type host struct {
	opts  Options
	calls atomic.Uint64
}

// id names the next call.
func (h *host) id() string { return "mcp-" + strconv.FormatUint(h.calls.Add(1), 10) }

func (h *host) define(def schema.Def) *mcp.Tool {
	t := &mcp.Tool{
		Name: def.Name, Description: def.Description, InputSchema: def.Input,
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: def.ReadOnly, IdempotentHint: def.Idempotent,
			DestructiveHint: &def.Destructive, OpenWorldHint: &def.OpenWorld,
		},
	}
	if h.opts.Content == ContentStructured && len(def.Output) > 0 {
		t.OutputSchema = def.Output
	}
	return t
}

func (h *host) handler(t *facade.Tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		p := newProgress(ctx, req)
		defer p.end()
		// The error only repeats that the context ended; the result says so too,
		// and with the partial output.
		res, _ := t.Call(ctx, facade.Call{
			ID:      h.id(),
			Session: h.opts.Session(req),
			Args:    req.Params.Arguments,
			Emit:    p.emit,
		})
		return h.result(ctx, req.ProtocolVersion(), res), nil
	}
}
