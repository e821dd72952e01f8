package mcphost

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Context returns a context for connecting a server to t:
//
//	err := server.Run(t.Context(ctx), t)
//
// The payload of a reply then reaches the client as [Register]'s tools have
// encoded it. Without it the SDK checks and copies every payload twice, which
// costs more than most calls. Middlewares of the server that look at the
// structured content of a result see an opaque value. It is called before the
// server connects.
func (t *Stdio) Context(ctx context.Context) context.Context {
	if t.payloads == nil {
		t.payloads = &payloads{}
	}
	return context.WithValue(ctx, payloadsKey{}, t.payloads)
}

type payloadsKey struct{}

// payloads are the structured contents of replies on their way through the SDK.
// What the SDK encodes is a mark in their place, a random text that never leaves
// the process.
type payloads struct {
	mu   sync.Mutex
	mark string
	last uint64
	held map[string]json.RawMessage // by mark and number
}

// structured returns the structured content for a result: raw itself, unless
// the transport puts it in place.
func structured(ctx context.Context, raw json.RawMessage) any {
	if to, ok := ctx.Value(payloadsKey{}).(*payloads); ok {
		return &payload{raw: raw, to: to}
	}
	return raw
}

// payload is structured content that the SDK does not see.
type payload struct {
	raw json.RawMessage
	to  *payloads
}

var _ json.Marshaler = (*payload)(nil)

// MarshalJSON implements [json.Marshaler] by the mark.
func (p *payload) MarshalJSON() ([]byte, error) {
	s := p.to
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held == nil {
		s.mark, s.held = rand.Text()+"-", map[string]json.RawMessage{}
	}
	s.last++
	key := s.mark + strconv.FormatUint(s.last, 10)
	s.held[key] = p.raw
	return append(append([]byte{'"'}, key...), '"'), nil
}

// split cuts an encoded result around the mark in it and returns the payload
// to go between. Without a mark, all is in head.
func (s *payloads) split(result []byte) (head, raw, tail []byte) {
	if s == nil {
		return result, nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.held) == 0 {
		return result, nil, nil
	}
	start := bytes.Index(result, []byte(s.mark))
	if start < 1 {
		return result, nil, nil
	}
	key, tail, _ := bytes.Cut(result[start:], []byte{'"'})
	raw, ok := s.held[string(key)]
	if !ok {
		return result, nil, nil
	}
	delete(s.held, string(key))
	return result[:start-1], raw, tail
}

// forget drops what no reply has taken: results that a middleware replaced.
func (s *payloads) forget() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.held)
}

// maxSpare is the size up to which the buffer of a reply is kept for the next.
const maxSpare = 256 << 10

// encode writes the line of a response. The result is compact JSON already,
// which the SDK's encoder would check once more.
func (c *stdioConn) encode(b *bytes.Buffer, res *jsonrpc.Response) error {
	if res.Error != nil || len(res.Result) == 0 {
		data, err := jsonrpc.EncodeMessage(res)
		b.Write(data)
		return err
	}
	head, raw, tail := c.payloads.split(res.Result)
	b.Grow(len(head) + len(raw) + len(tail) + 128)
	b.WriteString(`{"jsonrpc":"2.0","id":`)
	switch id := res.ID.Raw().(type) {
	case int64:
		b.Write(strconv.AppendInt(b.AvailableBuffer(), id, 10))
	default:
		enc := json.NewEncoder(b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(id); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1) // the line end
	}
	b.WriteString(`,"result":`)
	b.Write(head)
	b.Write(raw)
	b.Write(tail)
	b.WriteByte('}')
	return nil
}
