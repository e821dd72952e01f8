package exectool

import (
	"context"
	"fmt"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// The pieces in which a task's output is read: for events, and for the start
// and the end of a run's output.
const (
	eventPiece = 32 << 10
	windowSize = 24 << 10
	lag        = 1 << 20 // events further behind than this are left out
)

// follow waits for a task's end and reports its output as events meanwhile.
func (h handle) follow(ctx context.Context) error {
	if !facade.Heard(ctx) {
		return h.store.Wait(ctx, h.id, facade.TaskEnd)
	}
	var offset, dropped int64
	for {
		if err := h.store.Wait(ctx, h.id, offset); err != nil {
			return err
		}
		out, err := h.store.Output(ctx, h.id, offset, eventPiece)
		if err != nil {
			return err
		}
		dropped += out.Offset - offset
		for _, c := range pieces(out) {
			c.Dropped, dropped = dropped, 0
			facade.Emit(ctx, facade.Event{Type: facade.EventProcessOutput, Data: c})
		}
		if offset = out.Next; out.Total-offset > lag {
			dropped += out.Total - eventPiece - offset
			offset = out.Total - eventPiece
		}
		if out.Ended && out.Next == out.Total {
			return nil
		}
	}
}

// pieces splits output by stream.
func pieces(out facade.TaskOutput) []facade.OutputChunk {
	var all []facade.OutputChunk
	at := out.Offset
	add := func(to int64, s facade.OutputStream) {
		if to > at {
			all = append(all, facade.OutputChunk{Stream: s, Offset: at, Data: out.Data[at-out.Offset : to-out.Offset]})
			at = to
		}
	}
	for _, s := range out.Stderr {
		add(s.From, facade.StreamStdout)
		add(s.To, facade.StreamStderr)
	}
	add(out.Next, facade.StreamStdout)
	return all
}

// texts reads the start and the end of a task's output into a run's output.
func (h handle) texts(ctx context.Context, out *facade.PythonRunOutput) error {
	first, err := h.store.Output(ctx, h.id, 0, 2*windowSize)
	if err != nil {
		return err
	}
	rest := facade.TaskOutput{Offset: first.Next, Next: first.Next}
	if first.Total > first.Next {
		first, err = h.store.Output(ctx, h.id, 0, windowSize)
		if err == nil {
			rest, err = h.store.Output(ctx, h.id, first.Total-windowSize, windowSize)
		}
		if err != nil {
			return err
		}
	}
	left := rest.Offset - first.Next
	out.Truncated, out.TotalBytes = left > 0, max(rest.Next, first.Total)
	out.Stdout = join(first, rest, facade.StreamStdout, left)
	out.Stderr = join(first, rest, facade.StreamStderr, left)
	return nil
}

// join makes the text of one stream of the start and the end of an output.
func join(first, rest facade.TaskOutput, s facade.OutputStream, left int64) string {
	head, tail := of(first, s), of(rest, s)
	if left <= 0 || head == "" && tail == "" {
		return text([]byte(head + tail))
	}
	return text([]byte(fmt.Sprintf("%s\n[… left out here: %d bytes of both outputs …]\n%s", head, left, tail)))
}

// of is what an output has of one stream.
func of(out facade.TaskOutput, s facade.OutputStream) string {
	var b strings.Builder
	for _, c := range pieces(out) {
		if c.Stream == s {
			b.Write(c.Data)
		}
	}
	return b.String()
}
