// Mcpserver serves the tools of toolfacade on one directory to any client of
// the Model Context Protocol, over stdio or streamable HTTP:
//
//	mcpserver -root ~/project
//	mcpserver -root ~/project -http localhost:8080
//
// It writes nothing but the protocol to standard output; the log goes to
// standard error. It ends when its input ends, on SIGINT, SIGTERM and SIGHUP, and
// cancels the calls in progress; a second signal kills it.
package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade"
	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
	mcphost "github.com/toolfacade/toolfacade/host/mcp"
)

func main() {
	// A client that closes its end must not kill the server before it has ended
	// what it runs. Catching the signal, unlike ignoring it, is not inherited.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // from now on a signal kills
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		os.Exit(2)
	case err != nil:
		slog.New(slog.NewTextHandler(os.Stderr, nil)).Error("mcpserver failed", "error", err)
		os.Exit(1)
	}
}

// run serves until the input or the context ends.
func run(ctx context.Context, args []string, in io.ReadCloser, out io.WriteCloser, stderr io.Writer) error {
	c, err := parse(args, stderr)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	if os.Getenv("GOGC") == "" {
		// Little lives longer than a message: with Go's default half of the work
		// of a short call would be collecting garbage.
		debug.SetGCPercent(400)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	tools, err := open(ctx, c, log)
	if err != nil {
		return err
	}
	defer func() {
		if err := tools.Close(); err != nil {
			log.Error("closing the tools failed", "error", err)
		}
	}()
	view, err := c.view(tools)
	if err != nil {
		return err
	}
	if view, err = approving(view, c.approve); err != nil {
		return err
	}
	var limits *bounds
	wrap := asking
	if c.clientRoots {
		if limits, err = newBounds(view, c.root); err != nil {
			return err
		}
		view = view.With(limits.middleware)
		wrap = func(next mcp.ToolHandler) mcp.ToolHandler { return limits.wrap(asking(next)) }
	}
	server, err := newServer(ctx, view, limits, &mcphost.Options{Content: c.content, Wrap: wrap, Resources: true})
	if err != nil {
		return err
	}
	if p := newProcessors(); p != nil {
		defer p.close()
		server.AddReceivingMiddleware(p.middleware)
	}
	if c.http != "" {
		return serveHTTP(ctx, server, &c, log)
	}
	log.Info("serving", "root", c.root, "transport", "stdio")
	return serveStdio(ctx, cancel, server, in, out)
}

// open opens the tools that the command line asks for.
func open(ctx context.Context, c config, log *slog.Logger) (*facade.Set, error) {
	python, terminal, err := c.programs(ctx)
	if err != nil {
		return nil, err
	}
	documents, err := c.documents(ctx)
	if err != nil {
		return nil, err
	}
	pdfs := c.pdf()
	documents.Formats = []document.Format{pdfs}
	tools, err := toolfacade.Open(c.root, &toolfacade.Options{
		Git:       &gitimpl.Options{FileRemotes: c.anyDir},
		GitExtras: c.gitExtra,
		Python:    python,
		Terminal:  terminal,
		Documents: documents,
		Sync:      c.sync(),
		ReadOnly:  c.readOnly,
		OnPanic: func(tool, action string, recovered any, stack []byte) {
			log.Error("a tool panicked", "tool", tool, "action", action, "panic", recovered, "stack", string(stack))
		},
	})
	if err != nil {
		for _, index := range documents.Indexes { // no tool is there to close them
			err = errors.Join(err, index.Close())
		}
		return nil, errors.Join(err, pdfs.Close())
	}
	tools.OnClose(pdfs)
	return tools, nil
}
