package postgres_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/toolfacade/toolfacade/internal/testenv"
)

// programs is where PostgreSQL is installed: initdb and postgres are rarely in
// PATH.
func programs(tb testing.TB) string {
	tb.Helper()
	all, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		tb.Fatal(err)
	}
	slices.Sort(all)
	if p, err := exec.LookPath("initdb"); err == nil {
		all = append(all, filepath.Dir(p))
	}
	for _, dir := range slices.Backward(all) {
		if _, err := os.Stat(filepath.Join(dir, "initdb")); err == nil {
			return dir
		}
	}
	testenv.Missing(tb, "PostgreSQL's initdb is not installed")
	return ""
}

// server is a database server of the tests' own, on a socket in a directory.
type server struct {
	dir     string
	cmd     *exec.Cmd
	log     string
	schemas atomic.Int64
}

// start makes and starts a server, which ends with the test. PostgreSQL refuses
// to run as root: there an ordinary user runs it.
func start(tb testing.TB) *server {
	tb.Helper()
	bin := programs(tb)
	dir, err := os.MkdirTemp("", "pg") //nolint:usetesting // the path of a socket has 100 bytes at most
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			tb.Error(err)
		}
	})
	attr := ordinary(tb, dir)
	s := &server{dir: dir, log: filepath.Join(dir, "log")}
	setup := exec.CommandContext(tb.Context(), filepath.Join(bin, "initdb"), "-D", filepath.Join(dir, "data"), "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
	setup.SysProcAttr, setup.Dir, setup.Env = attr, dir, []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	if out, err := setup.CombinedOutput(); err != nil {
		tb.Fatalf("initdb fails: %v\n%s", err, out)
	}
	log, err := os.Create(s.log)
	if err != nil {
		tb.Fatal(err)
	}
	defer log.Close()
	s.cmd = exec.CommandContext(context.WithoutCancel(tb.Context()), filepath.Join(bin, "postgres"), "-D", filepath.Join(dir, "data"),
		"-c", "listen_addresses=", "-c", "unix_socket_directories="+dir, "-c", "fsync=off", "-c", "shared_buffers=32MB")
	s.cmd.SysProcAttr, s.cmd.Dir, s.cmd.Env, s.cmd.Stdout, s.cmd.Stderr = attr, dir, setup.Env, log, log
	if err := s.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.stop(tb) })
	s.wait(tb)
	return s
}

// stop asks for a fast shutdown.
func (s *server) stop(tb testing.TB) {
	tb.Helper()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		tb.Error(err)
	}
	if err := s.cmd.Wait(); err != nil && !strings.Contains(err.Error(), "interrupt") {
		tb.Logf("the server ends with %v", err)
	}
}

// wait for the socket; a file tells that the server is ready.
func (s *server) wait(tb testing.TB) {
	tb.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if log, err := os.ReadFile(s.log); err == nil && strings.Contains(string(log), "ready to accept connections") {
			return
		}
	}
	log, err := os.ReadFile(s.log)
	tb.Fatalf("the server does not start: %s, %v", log, err)
}

// connection is the string to connect with.
func (s *server) connection() string {
	return fmt.Sprintf("host=%s user=tester dbname=postgres sslmode=disable", s.dir)
}

// schema is a name that no test has used.
func (s *server) schema() string { return fmt.Sprintf("test_%d", s.schemas.Add(1)) }

// exec runs a statement beside the index.
func (s *server) exec(tb testing.TB, stmt string) {
	tb.Helper()
	c, err := pgx.Connect(tb.Context(), s.connection())
	if err != nil {
		tb.Fatal(err)
	}
	defer c.Close(context.WithoutCancel(tb.Context()))
	if _, err := c.Exec(tb.Context(), stmt); err != nil {
		tb.Fatal(err)
	}
}
