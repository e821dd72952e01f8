package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade"
	mcphost "github.com/toolfacade/toolfacade/host/mcp"
)

const (
	// maxRequestBytes limits one message of a client, over either transport.
	maxRequestBytes = 16 << 20
	// shutdownGrace is how long answers may take after the end has come.
	shutdownGrace = 5 * time.Second
)

var errShutdown = errors.New("the server shuts down")

// newServer returns a server of the tools, whose calls end with stop. nil bounds
// keep no account of clients' roots.
func newServer(stop context.Context, tools *facade.Set, bounds *bounds, opts *mcphost.Options) (*mcp.Server, error) {
	o := &mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{}}
	if bounds != nil {
		o.RootsListChangedHandler = bounds.changed //nolint:staticcheck // deprecated, and what clients have
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "toolfacade", Version: version()}, o)
	err := mcphost.Register(server, tools.With(until(stop)), opts)
	return server, err
}

// until cancels the calls in progress when stop ends; the SDK only waits for
// them.
func until(stop context.Context) facade.Middleware {
	return func(next facade.Handler) facade.Handler {
		return func(ctx context.Context, req *facade.Request) (any, error) {
			ctx, cancel := context.WithCancelCause(ctx)
			defer cancel(nil)
			defer context.AfterFunc(stop, func() { cancel(errShutdown) })()
			return next(ctx, req)
		}
	}
}

// serveStdio serves one client until its input or ctx ends. cancel ends ctx, and
// with it the calls of the server.
func serveStdio(ctx context.Context, cancel func(), server *mcp.Server, in io.ReadCloser, out io.WriteCloser) error {
	transport := &mcphost.Stdio{Reader: in, Writer: out, MaxMessageBytes: maxRequestBytes, Grace: shutdownGrace, Expired: cancel}
	session, err := server.Connect(transport.Context(ctx), transport, nil)
	if err != nil {
		return err
	}
	closed := make(chan error, 1)
	go func() { closed <- session.Wait() }()
	select {
	case err := <-closed:
		return err
	case <-ctx.Done():
		transport.Drain() // the calls have just been canceled
		return session.Close()
	}
}

func serveHTTP(ctx context.Context, server *mcp.Server, c *config, log *slog.Logger) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.http)
	if err != nil {
		return err
	}
	log.Info("serving", "transport", "http", "url", "http://"+listener.Addr().String())
	if ip, ok := listener.Addr().(*net.TCPAddr); ok && !ip.IP.IsLoopback() && len(c.tokens) == 0 {
		log.Warn("there is no authentication: whoever reaches this address may use the tools; see -token-file")
	}
	handler := mcphost.HTTPHandler(server, &mcphost.HTTPOptions{
		Tokens: c.tokens, Origins: c.origins, MaxMessageBytes: maxRequestBytes,
	})
	web := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return shutdown(server, web)
	}
}

// shutdown ends the sessions first: their event streams never end by
// themselves, and the HTTP server waits for every response.
func shutdown(server *mcp.Server, web *http.Server) error {
	for session := range server.Sessions() {
		_ = session.Close() // a client that is gone already is no failure
	}
	grace, cancel := context.WithTimeout(context.Background(), shutdownGrace)
	defer cancel()
	if err := web.Shutdown(grace); err != nil {
		return web.Close()
	}
	return nil
}
