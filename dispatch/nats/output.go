package nats

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/toolfacade/toolfacade/facade"
)

// Output is a stream with a subject for each task. A message is a piece of one
// of the task's two outputs; its header tells the offset of its first byte.
const (
	offsetHeader = "Offset"
	stderrHeader = "Stderr"
)

// piece is one message of a task's output.
type piece struct {
	seq    uint64
	offset int64
	data   []byte
	stderr bool
}

func (p piece) next() int64 { return p.offset + int64(len(p.data)) }

// publish adds a piece. Sent twice it counts once.
func (s *shared) publish(ctx context.Context, id string, p piece) error {
	m := natsgo.NewMsg(s.outputSubject(id))
	m.Data = p.data
	m.Header.Set(offsetHeader, strconv.FormatInt(p.offset, 10))
	if p.stderr {
		m.Header.Set(stderrHeader, "1")
	}
	_, err := s.js.PublishMsg(ctx, m, jetstream.WithMsgID(fmt.Sprintf("%s:%d", id, p.offset)))
	return err
}

func parse(m *jetstream.RawStreamMsg) (piece, error) {
	offset, err := strconv.ParseInt(m.Header.Get(offsetHeader), 10, 64)
	if err != nil || offset < 0 {
		return piece{}, fmt.Errorf("message %d of the output has the offset %q", m.Sequence, m.Header.Get(offsetHeader))
	}
	return piece{m.Sequence, offset, m.Data, m.Header.Get(stderrHeader) != ""}, nil
}

// after returns a task's first piece at or behind a place in the stream.
func (s *shared) after(ctx context.Context, id string, seq uint64) (piece, error) {
	m, err := s.output.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(s.outputSubject(id)))
	if err != nil {
		return piece{}, err
	}
	return parse(m)
}

// written tells how much a task wrote so far, and which piece is the last.
func (s *shared) written(ctx context.Context, id string) (int64, piece, error) {
	m, err := s.output.GetLastMsgForSubject(ctx, s.outputSubject(id))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return 0, piece{}, nil
	}
	if err != nil {
		return 0, piece{}, failed(err)
	}
	p, err := parse(m)
	return p.next(), p, err
}

// place is where in the stream an offset of a task's output is.
type place struct {
	offset int64
	seq    uint64
}

// maxPlaces is how many tasks' places a store remembers.
const maxPlaces = 1024

func (s *Store) remember(id string, p place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.places) >= maxPlaces {
		clear(s.places)
	}
	s.places[id] = p
}

// find returns the piece that holds the byte at offset, or the first behind it
// where it was not kept. last is the task's last piece and lies behind offset.
func (s *Store) find(ctx context.Context, id string, offset int64, last piece) (piece, error) {
	s.mu.Lock()
	known, ok := s.places[id]
	s.mu.Unlock()
	if ok && known.offset == offset { // reading goes on where it ended
		return s.after(ctx, id, known.seq)
	}
	first, err := s.after(ctx, id, 1)
	if err != nil || first.offset > offset {
		return first, err
	}
	if last.offset <= offset {
		return last, nil
	}
	// Offsets grow with the place in the stream.
	found := first
	for low, high := first.seq, last.seq; high-low > 1; {
		middle := low + (high-low)/2
		p, err := s.after(ctx, id, middle)
		switch {
		case err != nil:
			return piece{}, err
		case p.offset <= offset:
			found, low = p, p.seq
		default:
			high = middle
		}
	}
	return found, nil
}

// maxRead is how much one call returns.
const maxRead = 1 << 20

// Output implements [facade.TaskStore].
func (s *Store) Output(ctx context.Context, id string, offset int64, limit int) (facade.TaskOutput, error) {
	r, err := s.load(ctx, id)
	if err == nil {
		r, err = s.settle(ctx, r)
	}
	if err != nil {
		return facade.TaskOutput{}, err
	}
	// A final state comes behind the last piece, so its total is final too.
	total, last, err := s.written(ctx, id)
	out := facade.TaskOutput{Offset: min(max(offset, 0), total), Total: total, Ended: r.Info.State.Done()}
	if out.Next = out.Offset; err != nil || out.Offset == total || limit <= 0 {
		return out, err
	}
	p, err := s.find(ctx, id, out.Offset, last)
	if err != nil {
		return out, failed(err)
	}
	out.Offset = max(out.Offset, p.offset)
	out.Next = out.Offset
	for limit = min(limit, maxRead); ; {
		collect(&out, p, limit)
		if len(out.Data) == limit || p.seq >= last.seq {
			break
		}
		if p, err = s.after(ctx, id, p.seq+1); err != nil {
			return out, failed(err)
		}
	}
	if out.Next < p.next() {
		s.remember(id, place{out.Next, p.seq})
	} else {
		s.remember(id, place{out.Next, p.seq + 1})
	}
	return out, nil
}

// collect adds of a piece what is wanted of it.
func collect(out *facade.TaskOutput, p piece, limit int) {
	data := p.data[min(max(0, out.Next-p.offset), int64(len(p.data))):] // a piece may be there twice
	data = data[:min(len(data), limit-len(out.Data))]
	from := out.Next
	out.Data = append(out.Data, data...)
	out.Next += int64(len(data))
	if !p.stderr || len(data) == 0 {
		return
	}
	if n := len(out.Stderr); n > 0 && out.Stderr[n-1].To == from {
		out.Stderr[n-1].To = out.Next
		return
	}
	out.Stderr = append(out.Stderr, facade.TaskSpan{From: from, To: out.Next})
}

// Wait implements [facade.TaskStore].
func (s *Store) Wait(ctx context.Context, id string, offset int64) error {
	if _, err := s.load(ctx, id); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	record, err := s.tasks.Watch(ctx, id)
	if err != nil {
		return failed(err)
	}
	defer func() { _ = record.Stop() }() // it was only read
	wrote := make(chan *natsgo.Msg, 1)
	if offset < facade.TaskEnd {
		sub, err := s.conn.Subscribe(s.outputSubject(id), func(m *natsgo.Msg) {
			select {
			case wrote <- m:
			default: // it is known already
			}
		})
		if err != nil {
			return failed(err)
		}
		defer func() { _ = sub.Unsubscribe() }() // the connection may be closed
	}
	look := time.NewTicker(s.opts.Lease / 2) // for a lost worker
	defer look.Stop()
	for {
		if done, err := s.reached(ctx, id, offset); done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-record.Updates():
		case <-wrote:
		case <-look.C:
		}
	}
}

// reached reports whether a wait is over.
func (s *Store) reached(ctx context.Context, id string, offset int64) (bool, error) {
	r, err := s.load(ctx, id)
	if err == nil {
		r, err = s.settle(ctx, r)
	}
	if err != nil || r.Info.State.Done() {
		return true, err
	}
	if offset == facade.TaskEnd {
		return false, nil
	}
	total, _, err := s.written(ctx, id)
	return total > offset, err
}
