package main

import (
	"context"
	"net/url"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/access"
)

// bounds keeps each client within the directories that it names as its roots,
// as far as they lie below the server's. A client that names none is bound by
// the server's alone.
type bounds struct {
	root  string // on the host
	tools *facade.Set

	mu       sync.Mutex
	sessions map[weak.Pointer[mcp.ServerSession]]facade.Middleware // nil for no bounds
}

func newBounds(tools *facade.Set, root string) (*bounds, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	return &bounds{root: abs, tools: tools, sessions: map[weak.Pointer[mcp.ServerSession]]facade.Middleware{}}, nil
}

// rootsRequest names the question for a client's roots among the questions of a
// reply.
const rootsRequest = "roots"

type policyKey struct{}

// wrap learns the roots of a client at its first call, and again after they
// changed, and hands the middleware what holds for the client.
func (b *bounds) wrap(next mcp.ToolHandler) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		caps := req.ClientCapabilities()
		if caps == nil || caps.RootsV2 == nil { //nolint:staticcheck // deprecated, and what clients have
			return next(ctx, req)
		}
		key := weak.Make(req.Session)
		b.mu.Lock()
		policy, known := b.sessions[key]
		b.mu.Unlock()
		if !known {
			answer, ok := req.Params.InputResponses[rootsRequest].(*mcp.ListRootsResult) //nolint:staticcheck // deprecated, and what clients have
			if !ok || answer == nil {
				return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{rootsRequest: &mcp.ListRootsParams{}}}, nil //nolint:staticcheck // deprecated, and what clients have
			}
			var err error
			if policy, err = b.policy(answer.Roots); err != nil {
				return nil, err
			}
			b.learn(req.Session, key, policy)
		}
		return next(context.WithValue(ctx, policyKey{}, policy), req)
	}
}

func (b *bounds) learn(session *mcp.ServerSession, key weak.Pointer[mcp.ServerSession], policy facade.Middleware) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, known := b.sessions[key]; !known {
		runtime.AddCleanup(session, b.forget, key)
	}
	b.sessions[key] = policy
}

func (b *bounds) forget(key weak.Pointer[mcp.ServerSession]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.sessions, key)
}

// changed asks anew at the next call.
func (b *bounds) changed(_ context.Context, req *mcp.RootsListChangedRequest) {
	b.forget(weak.Make(req.Session))
}

// middleware applies what wrap has found.
func (b *bounds) middleware(next facade.Handler) facade.Handler {
	return func(ctx context.Context, req *facade.Request) (any, error) {
		if policy, _ := ctx.Value(policyKey{}).(facade.Middleware); policy != nil {
			return policy(next)(ctx, req)
		}
		return next(ctx, req)
	}
}

// policy allows what lies within the given roots; nil allows everything.
func (b *bounds) policy(roots []*mcp.Root) (facade.Middleware, error) { //nolint:staticcheck // deprecated, and what clients have
	var paths []string
	for _, r := range roots {
		rel, ok := b.relative(r.URI)
		switch {
		case !ok:
		case rel == ".":
			return nil, nil
		default:
			paths = append(paths, "/"+escaped(rel))
		}
	}
	if len(roots) == 0 {
		return nil, nil
	}
	var rules []access.Rule
	if len(paths) > 0 {
		rules = append(rules, access.Rule{Name: "the client's roots", Verdict: access.Allow, Paths: paths})
	}
	if calls := b.pathless(); len(calls) > 0 {
		rules = append(rules, access.Rule{Name: "calls without a path", Verdict: access.Allow, Calls: calls})
	}
	deny := access.ByEffect[access.Verdict]{
		Read: access.Deny, Network: access.Deny, Write: access.Deny, Execute: access.Deny, Destructive: access.Deny,
	}
	p, err := access.NewPolicy(b.tools, rules, &access.PolicyOptions{Default: deny, Roots: []string{b.root}})
	if err != nil {
		return nil, err
	}
	return p.Middleware, nil
}

// pathless lists the calls that touch no file.
func (b *bounds) pathless() []string {
	var found []string
	for _, t := range b.tools.Tools() {
		for _, a := range t.Actions() {
			call := t.Facade() + "." + a.Name
			if slices.Contains([]string{"filesystem.pwd", "filesystem.roots"}, call) {
				found = append(found, call)
			}
		}
	}
	return found
}

// relative is where a root of the client's lies below the server's. One that
// holds the server's is ".".
func (b *bounds) relative(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	dir := filepath.FromSlash(u.Path)
	if runtime.GOOS == "windows" {
		dir = strings.TrimPrefix(dir, `\`) // of /C:/…
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if above, err := filepath.Rel(dir, b.root); err == nil && filepath.IsLocal(above) {
		return ".", true
	}
	rel, err := filepath.Rel(b.root, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return path.Clean(filepath.ToSlash(rel)), true
}

// escaped spells a path so that a pattern takes it literally.
func escaped(p string) string {
	return strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(p)
}
