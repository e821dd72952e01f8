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
// ends and refuses answers once it closes, so that without it
//
//	printf '%s\n' "$initialize" "$call" | mcpserver
//
// answers nothing. It serves one connection.
type drained struct {
	mcp.Transport
	grace time.Duration
	conn  *drainedConn
}

// Connect implements [mcp.Transport].
func (d *drained) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := d.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	d.conn = &drainedConn{
		Connection: conn, grace: d.grace, open: map[jsonrpc.ID]bool{},
		answered: make(chan struct{}), closed: make(chan struct{}),
	}
	return d.conn, nil
}

type drainedConn struct {
	mcp.Connection
	grace time.Duration

	mu       sync.Mutex
	open     map[jsonrpc.ID]bool // calls without an answer
	answered chan struct{}       // closed, and replaced, by every answer

	once   sync.Once
	closed chan struct{}
}

// Read implements [mcp.Connection].
func (c *drainedConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := c.Connection.Read(ctx)
	if errors.Is(err, io.EOF) {
		c.drain()
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
		defer c.mu.Unlock()
		delete(c.open, res.ID)
		close(c.answered)
		c.answered = make(chan struct{})
	}
	return err
}

// Close implements [mcp.Connection].
func (c *drainedConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}

// drain waits until every call read so far has its answer.
func (c *drainedConn) drain() {
	late := time.NewTimer(c.grace)
	defer late.Stop()
	for {
		c.mu.Lock()
		open, answered := len(c.open), c.answered
		c.mu.Unlock()
		if open == 0 {
			return
		}
		select {
		case <-answered:
		case <-late.C:
			return
		case <-c.closed:
			return
		}
	}
}
