package mcphost

import (
	"context"
	"encoding/json"
	"net/url"
	"runtime"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade"
)

const (
	systemURI        = "file://system"
	documentTemplate = "document:///{+path}{?pages}"
	// maxResourceBytes is how much of a document one resource carries. A client
	// reads more with the document tool.
	maxResourceBytes = 1 << 20
)

// resources adds what set can offer to be read without a model's call: the
// state of the file system, and documents as Markdown. Reading goes through the
// tools, so that their middlewares and limits hold.
func (h *host) resources(server *mcp.Server, set *facade.Set) {
	r := &resources{host: h, set: set}
	if r.offers("filesystem", "pwd") {
		server.AddResource(&mcp.Resource{
			URI: systemURI, Name: "system", Title: "File system", MIMEType: "application/json",
			Description: "The roots and the current directory of the session, and the tools with their actions.",
		}, r.system)
	}
	if r.offers("document", "read") {
		server.AddResourceTemplate(&mcp.ResourceTemplate{
			URITemplate: documentTemplate, Name: "document", Title: "Document", MIMEType: "text/markdown",
			Description: "A document below the root as Markdown: PDF, Word, Excel, PowerPoint, mail, e-book, page or text. " +
				"pages selects pages, sheets or slides, as 1-3,7.",
		}, r.document)
	}
}

type resources struct {
	host *host
	set  *facade.Set
}

// offers reports whether the set has the action, in a facade or on its own.
func (r *resources) offers(tool, action string) bool {
	for _, t := range r.set.Tools() {
		if t.Facade() != tool {
			continue
		}
		for _, a := range t.Actions() {
			if a.Name == action {
				return true
			}
		}
	}
	return false
}

// call runs an action for the session of a request.
func (r *resources) call(ctx context.Context, req *mcp.ReadResourceRequest, tool string, args map[string]any) (*facade.Result, error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	// What the error says, the result says too.
	res, _ := r.set.Dispatch(ctx, tool, facade.Call{
		ID: r.host.id(), Args: raw,
		Session: r.host.opts.Session(&mcp.CallToolRequest{
			Session: req.Session, Extra: req.Extra,
			Params: &mcp.CallToolParamsRaw{Name: tool, Arguments: raw},
		}),
	})
	return res, failed(req.Params.URI, res)
}

// failed turns the failure of a call into that of the protocol.
func failed(uri string, res *facade.Result) error {
	switch {
	case res.OK():
		return nil
	case res.Error.Code == facade.CodeNotFound:
		return mcp.ResourceNotFoundError(uri)
	case res.Error.Code.HTTPStatus() < 500:
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: res.Error.Text()}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: res.Error.Text()}
}

// system is what file://system holds.
type system struct {
	Platform string              `json:"platform"`
	Current  string              `json:"current_directory"`
	Roots    []facade.Root       `json:"roots,omitempty"`
	Tools    map[string][]string `json:"tools"`
}

func (r *resources) system(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	s := system{Platform: runtime.GOOS + "/" + runtime.GOARCH, Tools: map[string][]string{}}
	for _, t := range r.set.Tools() {
		for _, a := range t.Actions() {
			s.Tools[t.Name()] = append(s.Tools[t.Name()], a.Name)
		}
	}
	res, err := r.call(ctx, req, "filesystem", map[string]any{"action": "pwd"})
	if err != nil {
		return nil, err
	}
	if at, ok := res.Data.(facade.PwdOutput); ok {
		s.Current = at.Current
	}
	if r.offers("filesystem", "roots") {
		if res, err = r.call(ctx, req, "filesystem", map[string]any{"action": "roots"}); err != nil {
			return nil, err
		}
		if roots, ok := res.Data.(facade.RootsOutput); ok {
			s.Roots = roots.Roots
		}
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
		URI: systemURI, MIMEType: "application/json", Text: string(text),
	}}}, nil
}

func (r *resources) document(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	u, err := url.Parse(req.Params.URI)
	if err != nil || strings.Trim(u.Path, "/") == "" {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	args := map[string]any{"action": "read", "path": strings.Trim(u.Path, "/")}
	if pages := u.Query().Get("pages"); pages != "" {
		args["pages"] = pages
	}
	var text strings.Builder
	for {
		res, err := r.call(ctx, req, "document", args)
		if err != nil {
			return nil, err
		}
		out, ok := res.Data.(facade.DocumentReadOutput)
		if !ok {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the document tool returned something else"}
		}
		text.WriteString(out.Content)
		if out.NextCursor == "" {
			break
		}
		if text.Len() >= maxResourceBytes {
			text.WriteString("\n\n[cut: read on with the document tool, cursor " + out.NextCursor + "]\n")
			break
		}
		args["cursor"] = out.NextCursor
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
		URI: req.Params.URI, MIMEType: "text/markdown", Text: text.String(),
	}}}, nil
}
