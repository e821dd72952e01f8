//go:build linux

package nats

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	natsgo "github.com/nats-io/nats.go"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/sandbox"
)

// TestServerGoesAway takes the server from a worker for longer than a lease:
// the worker kills what it runs, and the task is lost when the server is back.
func TestServerGoesAway(t *testing.T) {
	store := t.TempDir()
	begin := func(port int) *server.Server {
		srv, err := server.NewServer(&server.Options{
			Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: store, NoSigs: true, NoLog: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		srv.Start()
		if !srv.ReadyForConnections(20 * time.Second) {
			t.Fatal("the server does not start")
		}
		return srv
	}
	srv := begin(server.RANDOM_PORT)
	var port int
	if _, err := fmt.Sscanf(srv.ClientURL(), "nats://127.0.0.1:%d", &port); err != nil {
		t.Fatal(err)
	}
	patient := []natsgo.Option{natsgo.MaxReconnects(-1), natsgo.ReconnectWait(50 * time.Millisecond)}
	opts := testOptions(uniqueName())
	w, err := NewWorker(t.Context(), dial(t, srv, patient...), t.TempDir(), &WorkerOptions{Options: opts, Sandbox: sandbox.None{}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	s, err := Open(t.Context(), dial(t, srv, patient...), &opts)
	if err != nil {
		t.Fatal(err)
	}
	id := submit(t, s, shell("echo on; sleep 600"))
	if err := s.Wait(t.Context(), id, 0); err != nil {
		t.Fatal(err)
	}
	info, err := s.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	srv.Shutdown()
	srv.WaitForShutdown()
	limited, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := s.Get(limited, id); err == nil {
		t.Error("a server that is gone answers")
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", info.PID))
		if err != nil || strings.Contains(string(raw), ") Z ") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the program runs on without a lease")
		}
	}
	srv = begin(port)
	if info := end(t, s, id); info.State != facade.TaskLost {
		t.Errorf("the task is %+v", info)
	}
	after := submit(t, s, shell("echo again"))
	if info := end(t, s, after); info.State != facade.TaskSucceeded {
		t.Errorf("after the outage a task is %+v", info)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	srv.Shutdown()
	srv.WaitForShutdown()
}

func TestFullQueue(t *testing.T) {
	srv, opts := serve(t), testOptions(uniqueName())
	opts.MaxQueued = 2
	s := open(t, srv, opts)
	for range 2 {
		submit(t, s, shell("true"))
	}
	_, err := s.Submit(t.Context(), shell("true"))
	if facade.CodeOf(err) != facade.CodeBusy {
		t.Errorf("a third task gives %v", err)
	}
	if all, err := s.List(t.Context(), facade.TaskFilter{}); err != nil || len(all) != 2 {
		t.Errorf("the list is %v, %v", all, err)
	}
}

// TestQueued covers what can be done with a task that no worker has taken.
func TestQueued(t *testing.T) {
	srv, opts := serve(t), testOptions(uniqueName())
	s := open(t, srv, opts)
	spec := shell("cat")
	spec.KeepInput = true
	id := submit(t, s, spec)
	limited, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if n, err := s.Input(limited, id, "x", false); n != 0 || err == nil {
		t.Errorf("a task in the queue took %d bytes, %v", n, err)
	}
	if out, err := s.Output(t.Context(), id, 0, 10); err != nil || out.Ended || out.Total != 0 {
		t.Errorf("its output is %+v, %v", out, err)
	}
	if info, err := s.Cancel(t.Context(), id); err != nil || info.State != facade.TaskCanceled || info.Started != nil {
		t.Errorf("canceled it is %+v, %v", info, err)
	}
	if _, err := s.Input(t.Context(), id, "x", false); facade.CodeOf(err) != facade.CodeConflict {
		t.Errorf("after its end it takes input: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	other := open(t, srv, opts)
	if info, err := other.Get(t.Context(), id); err != nil || !info.Orphan {
		t.Errorf("without its host the task is %+v, %v", info, err)
	}
}

func TestOptions(t *testing.T) {
	conn := dial(t, serve(t))
	for name, o := range map[string]*Options{
		"a name with a dot": {Name: "a.b"}, "a name with a wildcard": {Name: "*"}, "a long name": {Name: strings.Repeat("x", 33)},
		"a short lease": {Lease: time.Millisecond}, "too many replicas": {Replicas: 3},
	} {
		if s, err := Open(t.Context(), conn, o); err == nil {
			t.Errorf("%s is taken: %+v", name, s.opts)
		}
	}
	if w, err := NewWorker(t.Context(), conn, t.TempDir()+"/missing", &WorkerOptions{Sandbox: sandbox.None{}}); err == nil {
		t.Errorf("a missing root gives %+v", w)
	}
}
