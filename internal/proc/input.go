package proc

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"
)

// ErrInputClosed says that the process has no open input.
var ErrInputClosed = errors.New("the input is closed")

// openInput returns the child's input and, for a pipe, our end of it.
func openInput(pipe bool) (child, feed *os.File, err error) {
	if pipe {
		return os.Pipe()
	}
	child, err = os.Open(os.DevNull)
	return child, nil, err
}

// input writes to the process. One writer at a time holds the turn.
type input struct {
	pipe *os.File
	turn chan struct{}
	shut chan struct{} // closed with the pipe
	// A terminal tells its reader the end by a character: alone in a line once,
	// behind part of a line twice.
	terminal, within bool
}

const endOfInput = "\x04"

func newInput(pipe *os.File) *input {
	in := &input{pipe: pipe, turn: make(chan struct{}, 1), shut: make(chan struct{})}
	if pipe == nil {
		close(in.shut)
	}
	in.turn <- struct{}{}
	return in
}

// start writes text in the background and closes the input behind it, unless
// it is to stay open.
func (in *input) start(text string, keep bool) {
	if in.pipe == nil {
		return
	}
	<-in.turn
	go func() {
		_, _ = io.Copy(in.pipe, strings.NewReader(text)) // a program need not read
		in.wrote(text)
		if !keep {
			in.shutPipe()
		}
		in.turn <- struct{}{}
	}()
}

func (in *input) take(ctx context.Context) error {
	select {
	case <-in.shut:
		return ErrInputClosed
	default:
	}
	select {
	case <-in.turn:
		return nil
	case <-in.shut:
		return ErrInputClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (in *input) write(ctx context.Context, text string) (int, error) {
	if err := in.take(ctx); err != nil {
		return 0, err
	}
	defer func() { in.turn <- struct{}{} }()
	// A deadline in the past ends a write that waits for the reader.
	if err := in.pipe.SetWriteDeadline(time.Time{}); err != nil {
		return 0, ErrInputClosed
	}
	stop := context.AfterFunc(ctx, func() { _ = in.pipe.SetWriteDeadline(time.Unix(1, 0)) })
	defer stop()
	n, err := io.WriteString(in.pipe, text)
	in.wrote(text[:n])
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, ctx.Err()
	default:
		return n, errors.Join(ErrInputClosed, err)
	}
}

func (in *input) closeAfter(ctx context.Context) error {
	if err := in.take(ctx); err != nil {
		if errors.Is(err, ErrInputClosed) {
			return nil
		}
		return err
	}
	in.shutPipe()
	in.turn <- struct{}{}
	return nil
}

// wrote notes whether the input stands within a line.
func (in *input) wrote(text string) {
	if text != "" {
		in.within = !strings.HasSuffix(text, "\n")
	}
}

// shutPipe closes the pipe; the caller holds the turn.
func (in *input) shutPipe() {
	select {
	case <-in.shut:
	default:
		if in.terminal {
			end := endOfInput
			if in.within {
				end += endOfInput
			}
			_, _ = io.WriteString(in.pipe, end) // nobody may be there to read it
		}
		_ = in.pipe.Close() // what the program did not read is lost anyway
		close(in.shut)
	}
}

// close ends the input when the process has ended, whoever writes.
func (in *input) close() {
	if in.pipe == nil {
		return
	}
	_ = in.pipe.SetWriteDeadline(time.Unix(1, 0)) // wakes the writer; fails when closed
	<-in.turn
	in.shutPipe()
	in.turn <- struct{}{}
}
