package gitimpl_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
)

// TestCancelLeavesNoLock cancels stagings at all moments of their run. A full
// run does it 200 times.
func TestCancelLeavesNoLock(t *testing.T) {
	rounds := 20
	if full() {
		rounds = 200
	}
	const files = 400
	l := newLab(t)
	l.repo("r", "a", "1\n")
	content := strings.Repeat("0123456789abcdef\n", 200)
	for i := range files {
		l.write(fmt.Sprintf("r/d%d/f%d", i%10, i), content+fmt.Sprint(i))
	}
	g := l.open("r", nil)
	canceled := 0
	for i := range rounds {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+i*7%60)*time.Millisecond)
		_, err := g.Stage(ctx, facade.GitStageInput{StageAll: true})
		cancel()
		if err != nil {
			canceled++
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("round %d: %v%s", i, err, detail(err))
			}
		}
		if locks, _ := filepath.Glob(l.path("r/.git/*.lock")); len(locks) > 0 {
			t.Fatalf("round %d left %v", i, locks)
		}
		l.git("r", "reset", "-q")
	}
	if canceled == 0 {
		t.Error("no staging was cancelled; the test shows nothing")
	}
	if out, err := g.Stage(t.Context(), facade.GitStageInput{StageAll: true}); err != nil || len(out.Staged)+out.Hidden != files {
		t.Errorf("staging afterwards: %d paths, %v", len(out.Staged)+out.Hidden, err)
	}
}

// TestCancelEndsDescendants lets a fetch hang in a helper of ssh's kind and
// cancels it: nothing may be left running.
func TestCancelEndsDescendants(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("counts processes through /proc")
	}
	l := newLab(t)
	l.repo("r", "a", "1\n")
	l.git("r", "remote", "add", "origin", "ssh://localhost/x")
	l.write("hang.sh", "#!/bin/sh\nsleep 987654 &\necho started > "+l.path("started")+"\nwait\n")
	if err := os.Chmod(l.path("hang.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	g := l.open("r", &gitimpl.Options{SSHCommand: l.path("hang.sh")})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(l.path("started")); err == nil {
				cancel()
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	start := time.Now()
	_, err := g.Fetch(ctx, facade.GitFetchInput{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	if left := processes(t, "sleep\x00987654"); left > 0 {
		t.Errorf("%d processes survived", left)
	}
}

// processes counts those whose command line contains text.
func processes(t *testing.T, text string) int {
	dirs, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range dirs {
		if raw, err := os.ReadFile(file); err == nil && strings.Contains(string(raw), text) {
			n++
		}
	}
	return n
}

// TestParallelStagings holds that writers wait for each other, within one Git
// and between two.
func TestParallelStagings(t *testing.T) {
	const workers = 12
	l := newLab(t)
	l.repo("r", "a", "1\n")
	for i := range workers {
		l.write(fmt.Sprintf("r/f%d", i), "1\n")
	}
	patient := &gitimpl.Options{LockWait: 20 * time.Second}
	gs := []*gitimpl.Git{l.open("r", patient), l.open("r", patient)}
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() {
			out, err := gs[i%2].Stage(t.Context(), facade.GitStageInput{Files: []string{fmt.Sprintf("f%d", i)}})
			if err != nil || len(out.Staged) != 1 {
				t.Errorf("worker %d: %v, %v%s", i, out.Staged, err, detail(err))
			}
		})
	}
	wg.Wait()
	if got := strings.Count(l.git("r", "diff", "--cached", "--name-only"), "\n"); got != workers {
		t.Errorf("%d files are staged", got)
	}
}

// TestForeignLock reports somebody else's lock with its age, and leaves it.
func TestForeignLock(t *testing.T) {
	l := newLab(t)
	l.repo("r", "a", "1\n")
	l.write("r/a", "2\n")
	l.write("r/.git/index.lock", "")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(l.path("r/.git/index.lock"), old, old); err != nil {
		t.Fatal(err)
	}
	g := l.open("r", &gitimpl.Options{LockWait: 100 * time.Millisecond})
	_, err := g.Stage(t.Context(), facade.GitStageInput{StageAll: true})
	wantError(t, err, facade.CodeLocked, gitimpl.ErrLocked)
	if e, ok := errors.AsType[*facade.Error](err); !ok || !strings.Contains(e.Message, "1h0m") || e.RetryAfter == 0 {
		t.Errorf("the age is missing: %+v", e)
	}
	if _, err := os.Stat(l.path("r/.git/index.lock")); err != nil {
		t.Errorf("the lock is gone: %v", err)
	}
	if _, err := g.Status(t.Context(), facade.GitStatusInput{}); err != nil {
		t.Errorf("reading needs no lock: %v", err)
	}
}

// TestLargeOutputs reads a large diff and a long history in bounded memory.
func TestLargeOutputs(t *testing.T) {
	megabytes, commits := 20, 3000
	if full() {
		megabytes, commits = 500, 1_000_000
	}
	l := newLab(t)
	l.repo("r", "big", "")
	l.longHistory(commits)
	line := strings.Repeat("0123456789abcde", 8) + "\n"
	f, err := os.Create(l.path("r/big"))
	if err != nil {
		t.Fatal(err)
	}
	chunk := strings.Repeat(line, (1<<20)/len(line))
	for range megabytes {
		if _, err := f.WriteString(chunk); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	tool := facade.Git(l.open("r", nil))
	for _, args := range []string{`{"action":"diff"}`, `{"action":"history","limit":1000}`, `{"action":"history","grep":"no such commit"}`} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		res, err := tool.Call(t.Context(), facade.Call{Args: json.RawMessage(args)})
		runtime.ReadMemStats(&after)
		if err != nil || res.Error != nil {
			t.Fatalf("%s: %v %v", args, err, res.Error)
		}
		if n := len(res.JSON()); n > facade.DefaultOutputBudget {
			t.Errorf("%s: the reply has %d bytes", args, n)
		}
		if strings.Contains(args, "diff") && !res.Truncated {
			t.Errorf("%s: not marked as cut", args)
		}
		const most = 32 << 20
		if used := after.TotalAlloc - before.TotalAlloc; used > most {
			t.Errorf("%s: allocated %d bytes", args, used)
		}
	}
}

// longHistory adds commits the fast way.
func (l *lab) longHistory(n int) {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter A <a@b> %d +0000\ndata 4\nmsg\n", 1_700_000_000+i)
		if i == 0 {
			b.WriteString("from refs/heads/main^0\n")
		}
	}
	l.write("import", b.String())
	l.gitFrom("r", "import", "fast-import", "--quiet")
}
