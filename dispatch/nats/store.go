package nats

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/toolfacade/toolfacade/facade"
)

// Store submits tasks and tells of them. Any number of stores, on any machines,
// may share the tasks of one name. It is safe for concurrent use.
type Store struct {
	*shared
	lease *lease

	mu     sync.Mutex
	places map[string]place // where reading goes on
	closed bool
}

var (
	_ facade.TaskStore  = (*Store)(nil)
	_ facade.TaskFeeder = (*Store)(nil)
)

// Open opens the tasks on a connection, which stays the caller's. ctx bounds
// the opening.
func Open(ctx context.Context, conn *natsgo.Conn, opts *Options) (*Store, error) {
	sh, err := connect(ctx, conn, opts)
	if err != nil {
		return nil, err
	}
	s := &Store{shared: sh, places: map[string]place{}}
	s.lease, err = sh.hold(ctx, "host", nil)
	return s, err
}

// Close implements [facade.TaskStore]. Tasks go on, as orphans.
func (s *Store) Close() error {
	s.mu.Lock()
	done := s.closed
	s.closed = true
	s.mu.Unlock()
	if done {
		return nil
	}
	return s.lease.close()
}

// newID names a task. That of a key is always the same: making its record is
// what lets one of several submitters win.
func newID(key string) string {
	if key == "" {
		return "task-" + strings.ToLower(rand.Text())
	}
	sum := sha256.Sum256([]byte(key))
	return "task-" + hex.EncodeToString(sum[:16])
}

// Submit implements [facade.TaskStore]: it queues the task for the first worker
// that is free.
func (s *Store) Submit(ctx context.Context, spec facade.TaskSpec) (facade.TaskInfo, error) {
	id := newID(spec.Key)
	r := &record{Host: s.lease.name, Spec: rand.Text(), Info: facade.TaskInfo{
		ID: id, Session: spec.Session, Tool: spec.Tool, Label: spec.Label, State: facade.TaskQueued, Created: time.Now(),
	}}
	if spec.Key != "" {
		if old, err := s.load(ctx, id); err == nil {
			return s.known(ctx, old)
		}
	}
	var err error
	if r.Parts, err = s.keep(ctx, r.Spec, spec); err != nil {
		return facade.TaskInfo{}, err
	}
	raw, err := json.Marshal(r)
	if err != nil {
		return facade.TaskInfo{}, err
	}
	r.revision, err = s.tasks.Create(ctx, id, raw)
	if errors.Is(err, jetstream.ErrKeyExists) {
		if r, err = s.load(ctx, id); err != nil {
			return facade.TaskInfo{}, err
		}
		return s.known(ctx, r)
	}
	if err != nil {
		return facade.TaskInfo{}, failed(err)
	}
	if err := s.enqueue(ctx, id); err != nil {
		// Nobody will run it; the caller hears so, whatever becomes of the record.
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.opts.Lease)
		defer cancel()
		_ = s.tasks.Purge(clean, id)
		return facade.TaskInfo{}, err
	}
	return r.Info, nil
}

// known answers with a task that was submitted before. A submitter that died
// behind the record left it out of the queue: workers take a task once however
// often it is queued.
func (s *Store) known(ctx context.Context, r *record) (facade.TaskInfo, error) {
	if r.Info.State == facade.TaskQueued {
		if err := s.enqueue(ctx, r.Info.ID); err != nil && facade.CodeOf(err) != facade.CodeBusy { // a full queue has it
			return r.Info, err
		}
	}
	r, err := s.settle(ctx, r)
	return s.info(ctx, r), err
}

// queueFull is JetStream's code for a full stream.
const queueFull = 10077

func (s *Store) enqueue(ctx context.Context, id string) error {
	_, err := s.js.Publish(ctx, s.queueSubject(), []byte(id), jetstream.WithMsgID(id))
	if err == nil {
		return nil
	}
	if api, ok := errors.AsType[*jetstream.APIError](err); ok && api.ErrorCode == queueFull {
		e := facade.Errorf(facade.CodeBusy, "%d tasks wait already, which is the limit", s.opts.MaxQueued).WithHint("wait for some to end, or cancel some")
		e.RetryAfter = time.Second
		return e
	}
	return failed(err)
}

// Get implements [facade.TaskStore].
func (s *Store) Get(ctx context.Context, id string) (facade.TaskInfo, error) {
	r, err := s.load(ctx, id)
	if err == nil {
		r, err = s.settle(ctx, r)
	}
	if err != nil {
		return facade.TaskInfo{}, err
	}
	return s.info(ctx, r), nil
}

// info is what a record tells on this machine, now.
func (s *Store) info(ctx context.Context, r *record) facade.TaskInfo {
	out := r.Info
	if r.Machine != machine() {
		out.PID = 0
	}
	if _, err := s.leases.Get(ctx, r.Host); errors.Is(err, jetstream.ErrKeyNotFound) {
		out.Orphan = true
	}
	if !out.State.Done() && r.Worker != "" {
		if total, _, err := s.written(ctx, out.ID); err == nil {
			out.TotalBytes = total
		}
	}
	return out
}

// List implements [facade.TaskStore].
func (s *Store) List(ctx context.Context, filter facade.TaskFilter) ([]facade.TaskInfo, error) {
	all, err := s.tasks.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, failed(err)
	}
	defer func() { _ = all.Stop() }() // it was only read
	out := []facade.TaskInfo{}
	for entry := range all.Updates() {
		if entry == nil { // behind what is there now
			break
		}
		r, err := decode(entry)
		if err != nil {
			return nil, err
		}
		if r, err = s.settle(ctx, r); err != nil && facade.CodeOf(err) != facade.CodeNotFound { // expired meanwhile
			return nil, err
		}
		if r == nil {
			continue
		}
		if info := s.info(ctx, r); filter.Match(info) {
			out = append(out, info)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(out, func(a, b facade.TaskInfo) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(b.ID, a.ID))
	})
	if filter.Limit > 0 && len(out) > filter.Limit {
		out = out[:filter.Limit]
	}
	return out, nil
}

// Cancel implements [facade.TaskStore].
func (s *Store) Cancel(ctx context.Context, id string) (facade.TaskInfo, error) {
	_, err := s.change(ctx, id, func(r *record) error {
		switch {
		case r.Info.State == facade.TaskQueued:
			r.end(facade.TaskCanceled, "")
		case r.Cancel:
			return errUnchanged
		default:
			r.Cancel = true
		}
		return nil
	})
	if err != nil {
		return facade.TaskInfo{}, err
	}
	if err := s.Wait(ctx, id, facade.TaskEnd); err != nil {
		return facade.TaskInfo{}, err
	}
	return s.Get(ctx, id)
}
