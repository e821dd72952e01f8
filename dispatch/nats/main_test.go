package nats

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	natsgo "github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/sandbox"
)

// TestMain runs the tests, or, started by one of them, a worker or a store in a
// process of its own.
func TestMain(m *testing.M) {
	role, rest, _ := strings.Cut(os.Getenv("TOOLFACADE_TEST_ROLE"), " ")
	switch role {
	case "":
		goleak.VerifyTestMain(m)
	case "worker":
		play(rest, beWorker)
	case "cancel":
		play(rest, beCanceler)
	}
}

// play runs a role: "url name directory sandbox task".
func play(rest string, role func(ctx context.Context, conn *natsgo.Conn, f []string) error) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	f := strings.Fields(rest)
	conn, err := natsgo.Connect(f[0])
	if err == nil {
		err = role(ctx, conn, f[1:])
		conn.Close()
	}
	if err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func testOptions(name string) Options { return Options{Name: name, Lease: 3 * time.Second} }

func beWorker(ctx context.Context, conn *natsgo.Conn, f []string) error {
	box, err := sandbox.Named(ctx, f[2])
	if err != nil {
		return err
	}
	w, err := NewWorker(ctx, conn, f[1], &WorkerOptions{Options: testOptions(f[0]), Sandbox: box, Parallel: 1})
	if err != nil {
		return err
	}
	return w.Run(ctx)
}

// beCanceler cancels a task and prints how long that took.
func beCanceler(ctx context.Context, conn *natsgo.Conn, f []string) error {
	o := testOptions(f[0])
	s, err := Open(ctx, conn, &o)
	if err != nil {
		return err
	}
	begin := time.Now()
	info, err := s.Cancel(ctx, f[3])
	if err == nil {
		fmt.Println(info.State, time.Since(begin))
	}
	return s.Close()
}

// serve starts a server of NATS in this process, for others to reach.
func serve(t testing.TB) *server.Server {
	t.Helper()
	srv, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	srv.Start()
	t.Cleanup(func() {
		srv.Shutdown()
		srv.WaitForShutdown()
	})
	if !srv.ReadyForConnections(20 * time.Second) {
		t.Fatal("the server does not start")
	}
	return srv
}

func dial(t testing.TB, srv *server.Server, opts ...natsgo.Option) *natsgo.Conn {
	t.Helper()
	conn, err := natsgo.Connect(srv.ClientURL(), opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

func open(t testing.TB, srv *server.Server, opts Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), dial(t, srv), &opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// spawn starts this program in a role.
func spawn(t testing.TB, srv *server.Server, role string, f ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "TOOLFACADE_TEST_ROLE="+strings.Join(append([]string{role, srv.ClientURL()}, f...), " "))
	cmd.Stderr = os.Stderr
	return cmd
}

// crew are workers in processes of their own.
type crew struct{ all []*exec.Cmd }

func hire(t testing.TB, srv *server.Server, n int, name, dir, box string) *crew {
	t.Helper()
	c := &crew{}
	for range n {
		cmd := spawn(t, srv, "worker", name, dir, box)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		c.all = append(c.all, cmd)
	}
	t.Cleanup(func() {
		for _, cmd := range c.all {
			_ = cmd.Process.Signal(syscall.SIGTERM) // one may be killed already
		}
		for _, cmd := range c.all {
			_ = cmd.Wait()
		}
	})
	return c
}

// kill kills the worker that runs a task, without a word.
func (c *crew) kill(t testing.TB, s *Store, id string) {
	t.Helper()
	pid := workerOf(t, s, id)
	for _, cmd := range c.all {
		if cmd.Process.Pid == pid {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatalf("no worker has the process %d of task %s", pid, id)
}

// workerOf returns the process id of the worker that runs a task: the parent of
// the task's program.
func workerOf(t testing.TB, s *Store, id string) int {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		info, err := s.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if info.PID > 0 {
			raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", info.PID))
			if err != nil {
				t.Fatal(err)
			}
			var state string
			var parent int
			if _, err := fmt.Sscan(string(raw[strings.LastIndexByte(string(raw), ')')+1:]), &state, &parent); err != nil {
				t.Fatal(err)
			}
			return parent
		}
		if time.Now().After(deadline) {
			t.Fatalf("the task does not run: %+v", info)
		}
	}
}

// uniqueName keeps the tests on one server apart.
func uniqueName() string { return "test-" + rand.Text() }
