package nats

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The defaults of [Options].
const (
	DefaultName      = "toolfacade"
	DefaultLease     = 15 * time.Second
	DefaultKeep      = 7 * 24 * time.Hour
	DefaultMaxQueued = 10_000
)

// Options are the choices that stores and workers share; all that use one Name
// must agree on the others. The zero value of each field is safe.
type Options struct {
	// Name sets apart what does not belong together on one NATS account: at
	// most 32 letters, digits and hyphens. "" means toolfacade.
	Name string
	// Lease is how long a worker may be silent before its tasks are lost; 0
	// means 15 s. It is at least one second.
	Lease time.Duration
	// Keep is how long tasks and their output are kept; 0 means 7 days. It
	// bounds how long a task may wait and run, too.
	Keep time.Duration
	// MaxQueued is how many tasks may wait; 0 means 10,000.
	MaxQueued int64
	// MaxOutput is how many bytes of output of all tasks together are kept, the
	// latest; 0 means no limit.
	MaxOutput int64
	// Replicas is how many servers of a cluster hold everything; 0 means 1.
	Replicas int
}

// dedupWindow is how long the queue knows a task that was put into it; behind
// it the task's record keeps it from running twice.
const dedupWindow = 2 * time.Second

var validName = regexp.MustCompile(`^[A-Za-z0-9-]{1,32}$`)

func (o *Options) filled() (Options, error) {
	var out Options
	if o != nil {
		out = *o
	}
	if out.Name == "" {
		out.Name = DefaultName
	}
	if out.Lease == 0 {
		out.Lease = DefaultLease
	}
	if out.Keep == 0 {
		out.Keep = DefaultKeep
	}
	if out.MaxQueued == 0 {
		out.MaxQueued = DefaultMaxQueued
	}
	if out.MaxOutput == 0 {
		out.MaxOutput = -1 // as JetStream says it
	}
	if out.Replicas == 0 {
		out.Replicas = 1
	}
	switch {
	case !validName.MatchString(out.Name):
		return out, fmt.Errorf("the name %q must be letters, digits and hyphens, at most 32", out.Name)
	case out.Lease < time.Second:
		return out, fmt.Errorf("a lease of %v is too short: it is at least one second", out.Lease)
	}
	return out, nil
}

// shared is what a store and a worker have in common.
type shared struct {
	opts   Options
	conn   *natsgo.Conn
	js     jetstream.JetStream
	queue  jetstream.Stream
	output jetstream.Stream
	tasks  jetstream.KeyValue // records, by task id
	leases jetstream.KeyValue // of workers and hosts; they expire
	specs  jetstream.KeyValue // what to run, in parts
}

// connect finds or makes what tasks are kept in.
func connect(ctx context.Context, conn *natsgo.Conn, opts *Options) (*shared, error) {
	o, err := opts.filled()
	if err != nil {
		return nil, err
	}
	s := &shared{opts: o, conn: conn}
	if s.js, err = jetstream.New(conn); err != nil {
		return nil, err
	}
	var errs [5]error
	s.queue, errs[0] = s.stream(ctx, jetstream.StreamConfig{
		Name: o.Name + "-queue", Subjects: []string{s.queueSubject()}, Replicas: o.Replicas, MaxAge: o.Keep,
		Retention: jetstream.WorkQueuePolicy, MaxMsgs: o.MaxQueued, Discard: jetstream.DiscardNew, Duplicates: dedupWindow,
	})
	s.output, errs[1] = s.stream(ctx, jetstream.StreamConfig{
		Name: o.Name + "-output", Subjects: []string{s.outputSubject("*")}, Replicas: o.Replicas,
		MaxAge: o.Keep, MaxBytes: o.MaxOutput, AllowDirect: true,
	})
	s.tasks, errs[2] = s.bucket(ctx, jetstream.KeyValueConfig{
		Bucket: o.Name + "-tasks", TTL: o.Keep, Replicas: o.Replicas,
	})
	s.leases, errs[3] = s.bucket(ctx, jetstream.KeyValueConfig{
		Bucket: o.Name + "-leases", TTL: o.Lease, Replicas: o.Replicas,
	})
	s.specs, errs[4] = s.bucket(ctx, jetstream.KeyValueConfig{
		Bucket: o.Name + "-specs", TTL: o.Keep, Replicas: o.Replicas,
	})
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("prepare JetStream: %w", err)
	}
	return s, nil
}

// stream finds or makes a stream. One that is as wanted is left alone: updating
// it for every host and worker would be work for the server, which does that
// beside the requests of the others (and in v2.15.2 with a data race).
func (s *shared) stream(ctx context.Context, cfg jetstream.StreamConfig) (jetstream.Stream, error) {
	out, err := s.js.CreateStream(ctx, cfg)
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // with other limits
		return s.js.UpdateStream(ctx, cfg)
	}
	return out, err
}

// bucket is [shared.stream] for a bucket of keys.
func (s *shared) bucket(ctx context.Context, cfg jetstream.KeyValueConfig) (jetstream.KeyValue, error) {
	out, err := s.js.CreateKeyValue(ctx, cfg)
	if errors.Is(err, jetstream.ErrBucketExists) {
		return s.js.UpdateKeyValue(ctx, cfg)
	}
	return out, err
}

func (s *shared) queueSubject() string { return s.opts.Name + ".queue" }

func (s *shared) outputSubject(id string) string { return s.opts.Name + ".output." + id }

func (s *shared) inputSubject(id string) string { return s.opts.Name + ".input." + id }
