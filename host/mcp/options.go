package mcphost

import "github.com/modelcontextprotocol/go-sdk/mcp"

// Content says where a reply carries its payload.
type Content int

// The places of the payload; see the package documentation.
const (
	// ContentStructured sends the output as structured content, beside a text
	// block with the headline and the notes.
	ContentStructured Content = iota
	// ContentText sends the full text and nothing beside it. Tools declare no
	// output schema.
	ContentText
	// ContentEnvelope is as ContentText, but the text is the JSON of
	// [facade.Result.Envelope], for clients that parse it.
	ContentEnvelope
)

// DefaultMaxPartBytes is how many bytes the attachments of one reply may have.
// In base64 they stay below the 10 MiB that the official TypeScript client
// buffers.
const DefaultMaxPartBytes = 6 << 20

// Options are the habits of [Register]; the zero value has the defaults.
type Options struct {
	// Content says where a reply carries its payload.
	Content Content
	// MaxPartBytes limits the attachments of one reply, in bytes before their
	// encoding; 0 means [DefaultMaxPartBytes]. What is above is left out and
	// the text says so.
	MaxPartBytes int
	// Session names the session of a request: what it remembers is separate
	// from any other's. nil takes the MCP session. A stateless HTTP server sets
	// it, from the authenticated user for one.
	Session func(*mcp.CallToolRequest) string
	// Resources offers what the tools can read as resources of the protocol too:
	// file://system, the state of the file system, and, by a template, documents
	// as Markdown.
	Resources bool
	// Wrap, when not nil, goes around the handler of every tool: a host sees the
	// request, hands things to its middlewares in the context, and may answer
	// with input requests of its own, as for an approval.
	Wrap func(mcp.ToolHandler) mcp.ToolHandler
}

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.MaxPartBytes == 0 {
		c.MaxPartBytes = DefaultMaxPartBytes
	}
	if c.Session == nil {
		c.Session = newSessions().of
	}
	if c.Wrap == nil {
		c.Wrap = func(h mcp.ToolHandler) mcp.ToolHandler { return h }
	}
	return c
}
