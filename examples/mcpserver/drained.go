package main

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// drained is a transport whose end of input waits for the answers to the calls
// read before it, at most for the grace. The SDK cancels calls when the input
// ends, so that without it
//
//	printf '%s\n' "$initialize" "$call" | mcpserver
//
// answers nothing.
type drained struct {
	mcp.Transport
	grace time.Duration
}

// Connect implements [mcp.Transport].
func (d *drained) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := d.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &drainedConn{Connection: conn, grace: d.grace, open: map[jsonrpc.ID]bool{},
		answered: make(chan struct{}, 1), closed: make(chan struct{})}, nil
}

type drainedConn struct {
	mcp.Connection
	grace time.Duration

	mu       sync.Mutex
	open     map[jsonrpc.ID]bool // calls without an answer
	answered chan struct{}       // holds a token after an answer

	once   sync.Once
	closed chan struct{}
}

// Read implements [mcp.Connection].
func (c *drainedConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := c.Connection.Read(ctx)
	if errors.Is(err, io.EOF) {
		c.drain(ctx)
	}
	if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() {
		c.mu.Lock()
		c.open[req.ID] = true
		c.mu.Unlock()
	}
	return msg, err
}

// Write implements [mcp.Connection].
func (c *drainedConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	err := c.Connection.Write(ctx, msg)
	if res, ok := msg.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.open, res.ID)
		c.mu.Unlock()
		select {
		case c.answered <- struct{}{}:
		default:
		}
	}
	return err
}

// Close implements [mcp.Connection].
func (c *drainedConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}

func (c *drainedConn) drain(ctx context.Context) {
	late := time.NewTimer(c.grace)
	defer late.Stop()
	for {
		c.mu.Lock()
		n := len(c.open)
		c.mu.Unlock()
		if n == 0 {
			return
		}
		select {
		case <-c.answered:
		case <-late.C:
			return
		case <-c.closed:
			return
		case <-ctx.Done():
			return
		}
	}
}
