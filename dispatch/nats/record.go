package nats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/toolfacade/toolfacade/facade"
)

// record is what everybody knows of a task. It changes by compare and set, so
// that a task is claimed once and ends once.
type record struct {
	Info    facade.TaskInfo `json:"info"`
	Host    string          `json:"host"`              // the lease of the store that submitted it
	Worker  string          `json:"worker,omitempty"`  // the lease of the worker that claimed it
	Machine string          `json:"machine,omitempty"` // that Info.PID is of
	Cancel  bool            `json:"cancel,omitempty"`  // somebody wants its end
	Spec    string          `json:"spec"`              // where what it runs is kept,
	Parts   int             `json:"parts"`             // in how many parts

	revision uint64
}

var validID = regexp.MustCompile(`^task-[a-z0-9]{1,64}$`)

func unknown(id string) error {
	e := facade.Errorf(facade.CodeNotFound, "there is no task %.80q", id).WithHint("list the tasks")
	e.Field = "task_id"
	return e
}

func decode(entry jetstream.KeyValueEntry) (*record, error) {
	r := &record{revision: entry.Revision()}
	if err := json.Unmarshal(entry.Value(), r); err != nil {
		return nil, fmt.Errorf("the record of task %s: %w", entry.Key(), err)
	}
	return r, nil
}

// load reads a task's record.
func (s *shared) load(ctx context.Context, id string) (*record, error) {
	if !validID.MatchString(id) {
		return nil, unknown(id)
	}
	entry, err := s.tasks.Get(ctx, id)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, unknown(id)
	}
	if err != nil {
		return nil, failed(err)
	}
	return decode(entry)
}

// errUnchanged leaves a record as it is.
var errUnchanged = errors.New("the record stays")

// change changes a record, again when somebody else did so in between. change
// returning errUnchanged, or a final state, leaves the record as it is.
func (s *shared) change(ctx context.Context, id string, change func(r *record) error) (*record, error) {
	for {
		r, err := s.load(ctx, id)
		if err != nil || r.Info.State.Done() {
			return r, err
		}
		if err := change(r); errors.Is(err, errUnchanged) {
			return r, nil
		} else if err != nil {
			return r, err
		}
		raw, err := json.Marshal(r)
		if err != nil {
			return r, err
		}
		r.revision, err = s.tasks.Update(ctx, id, raw, r.revision)
		if err == nil {
			return r, nil
		}
		if !errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
			return r, failed(err)
		}
	}
}

// settle makes a task lost when its worker's lease has run out.
func (s *shared) settle(ctx context.Context, r *record) (*record, error) {
	if r.Info.State.Done() || r.Worker == "" {
		return r, nil
	}
	_, err := s.leases.Get(ctx, r.Worker)
	if err == nil {
		return r, nil
	}
	if !errors.Is(err, jetstream.ErrKeyNotFound) {
		return r, failed(err)
	}
	return s.change(ctx, r.Info.ID, func(now *record) error {
		now.end(facade.TaskLost, "its worker has not been heard of; what the program did so far stays")
		return nil
	})
}

func (r *record) end(state facade.TaskState, reason string) {
	ended := time.Now()
	r.Info.State, r.Info.Reason, r.Info.Ended = state, reason, &ended
}

// machine names this machine, this boot of it.
func machine() string {
	name, _ := os.Hostname()
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return name + "/" + strings.TrimSpace(string(boot))
}

// failed is the error of a store that does not answer. The end of a context
// stays what it is.
func failed(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if _, ok := errors.AsType[*facade.Error](err); ok {
		return err
	}
	e := facade.Errorf(facade.CodeUnavailable, "the task queue does not answer").WithHint("try again; the host has to look after the NATS server")
	e.Err = err
	return e
}
