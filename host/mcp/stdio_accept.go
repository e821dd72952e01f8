package mcphost

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// accept delivers the messages of a line and answers what is none.
func (c *stdioConn) accept(line []byte) {
	switch {
	case !json.Valid(line):
		c.refuse(nil, jsonrpc.CodeParseError, "this line is not JSON: send one message a line, without line ends in it")
	case line[0] == '[':
		c.batch(line)
	default:
		msg, problem := decode(line)
		if problem == nil {
			problem = c.begin(msg, nil)
		}
		if problem != nil {
			_ = c.put(problem.response()) // a client that is gone is found by Read
			return
		}
		if msg != nil {
			c.deliver(msg)
			// The SDK goes first: the next read blocks the thread, and what is left
			// to do would wait for another to take it over.
			runtime.Gosched()
		}
	}
}

// batch delivers the messages of an array; their answers go out as one array.
func (c *stdioConn) batch(line []byte) {
	var raw []json.RawMessage
	if err := json.Unmarshal(line, &raw); err != nil || len(raw) == 0 {
		c.refuse(nil, jsonrpc.CodeInvalidRequest, "the batch is empty")
		return
	}
	b := &batch{}
	var msgs []jsonrpc.Message
	for _, data := range raw {
		msg, problem := decode(data)
		if problem == nil {
			problem = c.begin(msg, b)
		}
		if problem != nil {
			b.refuse(problem)
		} else if msg != nil {
			msgs = append(msgs, msg)
		}
	}
	_ = c.put(b.sealed()) // a client that is gone is found by Read
	for _, msg := range msgs {
		c.deliver(msg)
	}
}

// begin notes that a call waits for its answer.
func (c *stdioConn) begin(msg jsonrpc.Message, b *batch) *problem {
	req, ok := msg.(*jsonrpc.Request)
	if !ok || !req.IsCall() {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, taken := c.open[req.ID]; taken {
		return &problem{code: jsonrpc.CodeInvalidRequest, text: fmt.Sprintf("the id %v is that of a call in progress", req.ID.Raw())}
	}
	if req.Method == "subscriptions/listen" && b == nil {
		return nil // it is answered when it ends, so nobody waits for that
	}
	c.open[req.ID] = b
	if b != nil {
		b.expect()
	}
	return nil
}

func (c *stdioConn) refuse(id json.RawMessage, code int64, text string) {
	_ = c.put((&problem{id, code, text}).response()) // a client that is gone is found by Read
}

// problem is why a message is not one.
type problem struct {
	id   json.RawMessage // nil when the message has none that can be sent back
	code int64
	text string
}

func (p *problem) response() []byte {
	id := p.id
	if id == nil {
		id = json.RawMessage("null")
	}
	data, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": p.code, "message": p.text},
	})
	if err != nil {
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"internal error"}}`)
	}
	return data
}

// maxSafeDigits is how many digits an integer may have to be sent back as it
// came: the SDK holds identifiers as floating-point numbers.
const maxSafeDigits = 15

// decode returns the message in one JSON value. Both results are nil for an
// answer that is malformed: an answer to an answer might go on for ever.
func decode(data []byte) (jsonrpc.Message, *problem) {
	if data[0] == '{' {
		if req, ok := request(data); ok {
			return req, nil
		}
	}
	var s scanner
	s.feed(data)
	id, valid := s.identifier()
	switch {
	case data[0] != '{':
		return nil, &problem{nil, jsonrpc.CodeInvalidRequest, "a message is an object"}
	case !s.has("method") && (s.has("result") || s.has("error")):
		msg, err := jsonrpc.DecodeMessage(data)
		if err != nil {
			return nil, nil
		}
		return msg, nil
	case s.has("id") && !valid:
		return nil, &problem{id, jsonrpc.CodeInvalidRequest, fmt.Sprintf("'id' must be a string or an integer of at most %d digits", maxSafeDigits)}
	}
	msg, err := jsonrpc.DecodeMessage(data)
	if err != nil {
		return nil, &problem{id, jsonrpc.CodeInvalidRequest, "not a JSON-RPC 2.0 message: " + err.Error()}
	}
	return msg, nil
}

// identifier returns the value of "id" where it can be sent back, and whether
// it may be the identifier of a request.
func (s *scanner) identifier() (id json.RawMessage, valid bool) {
	raw := s.id
	if len(raw) == 0 || !json.Valid(raw) {
		return nil, false
	}
	switch first := raw[0]; {
	case first == '"':
		return bytes.Clone(raw), true
	case first == '-' || first >= '0' && first <= '9':
		digits := bytes.TrimPrefix(raw, []byte("-"))
		return bytes.Clone(raw), len(digits) <= maxSafeDigits && !bytes.ContainsAny(digits, ".eE")
	}
	return nil, false
}
