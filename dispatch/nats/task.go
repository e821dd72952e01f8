package nats

import (
	"context"
	"errors"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/proc"
)

// recordFor is how long a worker tries to record an end before it gives up: by
// then its lease has run out and the task is lost.
const recordFor = 2 * time.Minute

// work runs a claimed task to its end.
func (w *Worker) work(ctx context.Context, id string) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.enter(id, cancel)
	defer w.leave(id)
	p, clean, err := w.start(ctx, id)
	if err != nil {
		w.record(ctx, id, func(r *record) error {
			r.end(facade.TaskStartFailed, failure(err))
			return nil
		})
		return
	}
	defer clean()
	follow, unfollow := context.WithCancel(ctx)
	defer unfollow()
	go w.follow(follow, id, p, cancel)
	stop := context.AfterFunc(ctx, p.Stop)
	defer stop()
	told := w.tell(ctx, id, p.Log())
	res := p.Result()
	w.record(ctx, id, func(r *record) error {
		finish(&r.Info, res)
		switch why := context.Cause(ctx); {
		case res.Cause == proc.Canceled && !r.Cancel && why != nil:
			r.Info.State, r.Info.Reason = facade.TaskLost, why.Error()
		case told != nil:
			r.Info.State, r.Info.Reason = facade.TaskLost, "its output could not be stored"
		}
		return nil
	})
}

// failure is what a caller on another machine is told of a start that failed.
func failure(err error) string {
	if e, ok := errors.AsType[*facade.Error](err); ok {
		return e.Message
	}
	return "it could not be started on the worker"
}

// record records a task's progress until the server has it.
func (w *Worker) record(ctx context.Context, id string, change func(r *record) error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordFor)
	defer cancel()
	for ctx.Err() == nil {
		_, err := w.change(ctx, id, change)
		if err == nil || facade.CodeOf(err) == facade.CodeNotFound {
			return
		}
		pause(ctx)
	}
}

// start starts the program of a task. The returned function releases what it
// left on the machine.
func (w *Worker) start(ctx context.Context, id string) (*proc.Process, func(), error) {
	r, err := w.load(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	spec, err := w.spec(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	cmd, remove, err := w.command(id, spec)
	if err != nil {
		return nil, nil, err
	}
	p, err := proc.Start(cmd)
	if err != nil {
		remove()
		return nil, nil, startError(spec, err)
	}
	hush := func() {}
	if spec.KeepInput {
		if stop, err := w.feed(id, p); err == nil {
			hush = stop
		}
	}
	now := p.Started()
	w.record(ctx, id, func(r *record) error {
		r.Info.State, r.Info.Started, r.Info.PID = facade.TaskRunning, &now, p.PID()
		return nil
	})
	return p, func() {
		hush()
		_ = p.Log().Close() // it lies in a nameless file
		remove()
	}, nil
}

// follow ends the program when somebody cancels the task, or calls it lost.
func (w *Worker) follow(ctx context.Context, id string, p *proc.Process, cancel context.CancelCauseFunc) {
	for ctx.Err() == nil {
		watch, err := w.tasks.Watch(ctx, id)
		if err != nil {
			pause(ctx)
			continue
		}
		for entry := range watch.Updates() {
			if entry == nil {
				continue
			}
			r, err := decode(entry)
			switch {
			case err != nil:
			case r.Info.State.Done():
				cancel(errLeaseLost)
			case r.Cancel:
				p.Stop()
			}
		}
		_ = watch.Stop() // it has ended
	}
}

// tellSize is how much output one message carries at most.
const tellSize = 128 << 10

// tell publishes the output as it comes, until its end.
func (w *Worker) tell(ctx context.Context, id string, log *proc.Log) error {
	ctx = context.WithoutCancel(ctx) // what a killed program wrote is published too
	for offset := int64(0); ; {
		if err := log.Wait(ctx, offset); err != nil {
			return err
		}
		got, err := log.Read(offset, tellSize)
		if err != nil {
			return err
		}
		for _, p := range pieces(got) {
			if err := w.insist(ctx, id, p); err != nil {
				return err
			}
		}
		if offset = got.Next; got.Ended && offset >= got.Total {
			return nil
		}
	}
}

// pieces cuts a range where the output changes between the two streams.
func pieces(got proc.Range) []piece {
	var out []piece
	add := func(from, to int64, stderr bool) {
		if from < to {
			out = append(out, piece{offset: from, data: got.Data[from-got.Offset : to-got.Offset], stderr: stderr})
		}
	}
	at := got.Offset
	for _, s := range got.Stderr {
		add(at, s.From, false)
		add(s.From, s.To, true)
		at = s.To
	}
	add(at, got.Next, false)
	return out
}

// insist publishes a piece; the server may be away for as long as a lease.
func (w *Worker) insist(ctx context.Context, id string, p piece) error {
	for end := time.Now().Add(w.shared.opts.Lease); ; pause(ctx) {
		limited, cancel := context.WithTimeout(ctx, w.shared.opts.Lease)
		err := w.publish(limited, id, p)
		cancel()
		if err == nil || time.Now().After(end) {
			return err
		}
	}
}
