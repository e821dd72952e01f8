package nats

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	natsgo "github.com/nats-io/nats.go"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/proc"
)

// inputMessage is text for a program's standard input, and inputReply what the
// worker says to it.
type inputMessage struct {
	Data []byte        `json:"data"`
	EOF  bool          `json:"eof"`
	For  time.Duration `json:"for"` // how long the program may take to read it
}

type inputReply struct {
	Accepted int  `json:"accepted"`
	Closed   bool `json:"closed"` // the input is closed
	Late     bool `json:"late"`   // the program did not read all of it in time
}

const (
	// inputPiece is how much one message carries.
	inputPiece = 256 << 10
	// inputWait is how long a program may take to read a piece, unless the
	// context ends before.
	inputWait = 5 * time.Second
	// inputPoll is how long to wait for a worker to take the task.
	inputPoll = 50 * time.Millisecond
)

// Input implements [facade.TaskFeeder]. To a task that no worker has taken yet
// it waits.
func (s *Store) Input(ctx context.Context, id, data string, eof bool) (int, error) {
	accepted := 0
	for {
		part := data[:min(len(data), inputPiece)]
		data = data[len(part):]
		reply, err := s.send(ctx, id, inputMessage{Data: []byte(part), EOF: eof && data == "", For: inputWait})
		accepted += reply.Accepted
		switch {
		case err != nil:
			return accepted, err
		case reply.Closed:
			return accepted, closedInput(id)
		case reply.Late:
			return accepted, facade.Errorf(facade.CodeBusy, "task %s does not read its input; it took %d bytes", id, accepted).
				WithHint("send the rest when it reads again")
		case data == "":
			return accepted, nil
		}
	}
}

func closedInput(id string) error {
	return facade.Errorf(facade.CodeConflict, "the input of task %s is closed", id).
		WithHint("it has ended, its input was closed, or it was not started with an open input")
}

// send has the task's worker take one message.
func (s *Store) send(ctx context.Context, id string, m inputMessage) (reply inputReply, err error) {
	if end, ok := ctx.Deadline(); ok {
		m.For = min(m.For, time.Until(end)*9/10) // the answer has a way to go
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return reply, err
	}
	for {
		r, err := s.load(ctx, id)
		if err == nil {
			r, err = s.settle(ctx, r)
		}
		if err != nil {
			return reply, err
		}
		if r.Info.State.Done() {
			return inputReply{Closed: true}, nil
		}
		limited, cancel := context.WithTimeout(ctx, m.For+s.opts.Lease)
		answer, err := s.conn.RequestWithContext(limited, s.inputSubject(id), raw)
		cancel()
		if err == nil {
			return reply, json.Unmarshal(answer.Data, &reply)
		}
		if ctx.Err() != nil {
			return reply, ctx.Err()
		}
		if !errors.Is(err, natsgo.ErrNoResponders) {
			return reply, failed(err)
		}
		select { // it waits in the queue, starts or has just ended
		case <-ctx.Done():
			return reply, ctx.Err()
		case <-time.After(inputPoll):
		}
	}
}

// feed answers messages for a program's input, one at a time, until the
// returned function is called.
func (s *shared) feed(id string, p *proc.Process) (stop func(), err error) {
	sub, err := s.conn.Subscribe(s.inputSubject(id), func(m *natsgo.Msg) {
		var in inputMessage
		var out inputReply
		if err := json.Unmarshal(m.Data, &in); err != nil {
			return // not ours
		}
		ctx, cancel := context.WithTimeout(context.Background(), in.For)
		defer cancel()
		var err error
		if len(in.Data) > 0 {
			out.Accepted, err = p.Write(ctx, string(in.Data))
		}
		if err == nil && in.EOF {
			err = p.CloseInput(ctx)
		}
		out.Closed, out.Late = errors.Is(err, proc.ErrInputClosed), errors.Is(err, context.DeadlineExceeded)
		if raw, err := json.Marshal(out); err == nil {
			_ = m.Respond(raw) // whoever asked may be gone
		}
	})
	if err != nil {
		return nil, err
	}
	return func() { _ = sub.Unsubscribe() }, nil // the connection may be closed
}
