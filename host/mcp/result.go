package mcphost

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade"
)

// structuredSince is the first protocol version with structured content and
// output schemas. Versions are dates and compare as text.
const structuredSince = "2025-06-18"

// result packs res for a client that speaks the protocol version.
func (h *host) result(ctx context.Context, version string, res *facade.Result) *mcp.CallToolResult {
	out := &mcp.CallToolResult{IsError: !res.OK()}
	text := res.FullText()
	if h.opts.Content == ContentEnvelope {
		_, failure := res.Structured()
		text, out.IsError = string(res.Envelope()), failure != nil
	}
	if h.opts.Content == ContentStructured && version >= structuredSince {
		text = res.Headline()
		raw, failure := res.Structured()
		if failure != nil && res.OK() {
			text, out.IsError = failure.Text(), true
		}
		out.StructuredContent = structured(ctx, raw)
	}
	parts, left := h.parts(res.Parts)
	out.Content = append([]mcp.Content{&mcp.TextContent{Text: text + left}}, parts...)
	return out
}

// parts renders the attachments that fit, and a note on those that do not.
func (h *host) parts(parts []facade.Part) (content []mcp.Content, left string) {
	var b strings.Builder
	room := h.opts.MaxPartBytes
	for _, p := range parts {
		if len(p.Data) > room {
			fmt.Fprintf(&b, "\nnote: left out %s %q, %d bytes: the attachments of a reply may have %d",
				p.MIME, p.Path, len(p.Data), h.opts.MaxPartBytes)
			continue
		}
		room -= len(p.Data)
		content = append(content, block(p))
	}
	return content, b.String()
}

func block(p facade.Part) mcp.Content {
	switch kind, _, _ := strings.Cut(p.MIME, "/"); kind {
	case "image":
		return &mcp.ImageContent{MIMEType: p.MIME, Data: p.Data}
	case "audio":
		return &mcp.AudioContent{MIMEType: p.MIME, Data: p.Data}
	}
	uri := url.URL{Scheme: "root", Path: "/" + strings.TrimPrefix(p.Path, "/")}
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri.String(), MIMEType: p.MIME, Blob: p.Data}}
}

// withoutOutputSchemas hides the output schemas of the given tools from clients
// that know no structured content: with one, a client may insist on the other.
func withoutOutputSchemas(defs []*mcp.Tool) mcp.Middleware {
	ours := map[*mcp.Tool]bool{}
	for _, d := range defs {
		ours[d] = d.OutputSchema != nil
	}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			list, ok := res.(*mcp.ListToolsResult)
			if !ok || err != nil {
				return res, err
			}
			asked, ok := req.(*mcp.ListToolsRequest)
			if !ok || asked.ProtocolVersion() >= structuredSince {
				return res, nil
			}
			for i, t := range list.Tools {
				if ours[t] {
					plain := *t
					plain.OutputSchema = nil
					list.Tools[i] = &plain
				}
			}
			return list, nil
		}
	}
}
