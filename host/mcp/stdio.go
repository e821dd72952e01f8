package mcphost

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// DefaultMaxMessageBytes is how long one message of a client may be.
	DefaultMaxMessageBytes = 16 << 20
	// DefaultGrace is how long the end of input waits for answers.
	DefaultGrace = 5 * time.Second
	// lastWords is how long calls may take to answer that they were canceled.
	lastWords = time.Second
)

// Stdio is a transport of newline-delimited messages for servers. It differs
// from the SDK's in what a client's mistake costs: a line that is no JSON, no
// message, or too long is answered with an error of the protocol, and the
// session goes on. Batches are served at every protocol version.
//
// At the end of input the calls in progress may still answer, for the grace;
// the SDK alone cancels them at once, so that a shell pipeline would get no
// answer. A Stdio serves one connection.
type Stdio struct {
	// Reader is where messages come from; closing it should end a Read in
	// progress. Writer is where answers go.
	Reader io.ReadCloser
	Writer io.WriteCloser
	// MaxMessageBytes limits one line; 0 means [DefaultMaxMessageBytes].
	MaxMessageBytes int
	// Grace is how long the end of input, and [Stdio.Drain], wait for answers;
	// 0 means [DefaultGrace].
	Grace time.Duration
	// Expired, when not nil, is called when the input has ended and the grace
	// has run out. When it cancels the calls, they may say so within a second.
	Expired func()

	conn     *stdioConn
	payloads *payloads // nil without [Stdio.Context]
}

var _ mcp.Transport = (*Stdio)(nil)

// Connect implements [mcp.Transport].
func (t *Stdio) Connect(context.Context) (mcp.Connection, error) {
	if t.conn != nil {
		return nil, errors.New("mcp: a Stdio serves one connection")
	}
	limit, grace := t.MaxMessageBytes, t.Grace
	if limit <= 0 {
		limit = DefaultMaxMessageBytes
	}
	if grace <= 0 {
		grace = DefaultGrace
	}
	t.conn = &stdioConn{
		reader: t.Reader, writer: t.Writer, lines: newLines(t.Reader, limit), grace: grace, expired: t.Expired,
		incoming: make(chan jsonrpc.Message), ended: make(chan struct{}), closed: make(chan struct{}),
		open: map[jsonrpc.ID]*batch{}, answered: make(chan struct{}), payloads: t.payloads,
	}
	t.conn.spare.New = func() any { return new(bytes.Buffer) }
	go t.conn.serve()
	return t.conn, nil
}

// Drain waits until every call read so far has its answer, at most for the
// grace. A server that shuts down calls it between canceling its calls and
// closing the session, which refuses answers.
func (t *Stdio) Drain() {
	if t.conn != nil {
		t.conn.drain(t.conn.grace)
	}
}

// stdioConn is the connection of a [Stdio].
type stdioConn struct {
	reader io.ReadCloser
	writer io.WriteCloser
	lines  *lines

	grace   time.Duration
	expired func()

	incoming chan jsonrpc.Message
	ended    chan struct{} // closed after the last message, once err is set
	err      error
	once     sync.Once
	closed   chan struct{}
	closeErr error

	mu       sync.Mutex
	open     map[jsonrpc.ID]*batch // calls without an answer; nil for those in no batch
	answered chan struct{}         // closed, and replaced, by every answer

	writing  sync.Mutex
	payloads *payloads
	spare    sync.Pool // of *bytes.Buffer
}

// serve reads lines until the input ends.
func (c *stdioConn) serve() {
	for {
		line, err := c.lines.next()
		if long, ok := errors.AsType[*longLineError](err); ok {
			c.refuse(long.id, jsonrpc.CodeInvalidRequest, long.Error())
			continue
		}
		if len(line) > 0 {
			c.accept(line)
		}
		if err != nil {
			if !c.drain(c.grace) && c.expired != nil {
				c.expired()
				c.drain(lastWords)
			}
			c.err = err
			close(c.ended)
			return
		}
	}
}

// deliver hands a message to the SDK.
func (c *stdioConn) deliver(msg jsonrpc.Message) {
	select {
	case c.incoming <- msg:
	case <-c.closed:
	}
}

// Read implements [mcp.Connection].
func (c *stdioConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-c.incoming:
		return msg, nil
	case <-c.ended:
		return nil, c.err
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write implements [mcp.Connection].
func (c *stdioConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	res, ok := msg.(*jsonrpc.Response)
	if ok {
		return c.respond(res)
	}
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	return c.put(data)
}

// respond sends the answer to a call, or leaves it to the last of its batch.
func (c *stdioConn) respond(res *jsonrpc.Response) error {
	coded(res)
	buf := c.spare.Get().(*bytes.Buffer) //nolint:forcetypeassert // New makes no others
	buf.Reset()
	if err := c.encode(buf, res); err != nil {
		return err
	}
	c.mu.Lock()
	b := c.open[res.ID]
	delete(c.open, res.ID)
	if len(c.open) == 0 {
		c.payloads.forget() // a call that begins after this has yet to make its own
	}
	c.mu.Unlock()
	data := buf.Bytes()
	if b != nil {
		data = b.answer(bytes.Clone(data))
	}
	err := c.put(data)
	if buf.Cap() <= maxSpare {
		c.spare.Put(buf)
	}
	c.mu.Lock()
	close(c.answered)
	c.answered = make(chan struct{})
	c.mu.Unlock()
	return err
}

// coded gives a failure of the SDK that has no code the one for requests out of
// place: before the session is initialized, for one.
func coded(res *jsonrpc.Response) {
	if _, ok := errors.AsType[*jsonrpc.Error](res.Error); res.Error != nil && !ok {
		res.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: res.Error.Error()}
	}
}

// put writes a line; nothing for no data.
func (c *stdioConn) put(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.writer.Write(append(data, '\n'))
	return err
}

// Close implements [mcp.Connection].
func (c *stdioConn) Close() error {
	c.once.Do(func() {
		close(c.closed)
		c.closeErr = errors.Join(c.reader.Close(), c.writer.Close())
	})
	return c.closeErr
}

// SessionID implements [mcp.Connection].
func (c *stdioConn) SessionID() string { return "" }

// drain waits until every call read so far has its answer, and reports whether
// that was in time.
func (c *stdioConn) drain(most time.Duration) bool {
	late := time.NewTimer(most)
	defer late.Stop()
	for {
		c.mu.Lock()
		open, answered := len(c.open), c.answered
		c.mu.Unlock()
		if open == 0 {
			return true
		}
		select {
		case <-answered:
		case <-late.C:
			return false
		case <-c.closed:
			return true
		}
	}
}
