package mcphost

import (
	"bytes"
	"encoding/json"
	"sync"
)

// batch gathers the answers to the messages of one array.
type batch struct {
	mu      sync.Mutex
	waiting int
	closed  bool // all of its messages are known
	answers []json.RawMessage
}

// expect counts a call that will be answered.
func (b *batch) expect() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting++
}

// refuse answers a message that is none.
func (b *batch) refuse(p *problem) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers = append(b.answers, p.response())
}

// answer adds the answer to a call, and returns the whole when it was the last.
func (b *batch) answer(data []byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting--
	b.answers = append(b.answers, data)
	return b.complete()
}

// sealed says that the batch has no more messages, and returns the whole when
// none waits for an answer.
func (b *batch) sealed() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	return b.complete()
}

// complete returns the array of answers, or nothing when one is missing or a
// batch of notifications has none.
func (b *batch) complete() []byte {
	if b.waiting > 0 || !b.closed || len(b.answers) == 0 {
		return nil
	}
	var out bytes.Buffer
	out.WriteByte('[')
	for i, a := range b.answers {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(a)
	}
	out.WriteByte(']')
	return out.Bytes()
}
