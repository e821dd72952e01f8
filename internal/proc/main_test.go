package proc

import (
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/internal/testenv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shell is a command for a shell line.
func shell(t testing.TB, line string) Command {
	t.Helper()
	return Command{
		Path: testenv.NeedProgram(t, "sh"), Args: []string{"-c", line},
		Env: os.Environ(), Dir: t.TempDir(), SpillDir: t.TempDir(),
	}
}

// begin starts a command and makes sure that it ends with the test.
func begin(t testing.TB, c Command) *Process {
	t.Helper()
	p, err := Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Stop()
		<-p.Done()
		if err := p.Log().Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// finish waits for the end of a process that has to end soon.
func finish(t testing.TB, p *Process) Result {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(30 * time.Second):
		t.Fatal("the process does not end")
	}
	return p.Result()
}
