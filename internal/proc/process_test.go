//go:build unix

package proc

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestEnd(t *testing.T) {
	for _, c := range []struct {
		name, line string
		code       int
		signal     string
		stdout     string
		stderr     string
	}{
		{"success", "echo out; echo err >&2", 0, "", "out\n", "err\n"},
		{"failure", "echo out; exit 7", 7, "", "out\n", ""},
		{"signal", "kill -9 $$", -1, "SIGKILL", "", ""},
		{"no input", "cat", 0, "", "", ""},
		{"not text", `printf '\303(\377'`, 0, "", "\uFFFD(\uFFFD", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := finish(t, begin(t, shell(t, c.line)))
			if r.ExitCode != c.code || r.Signal != c.signal || r.Stdout != c.stdout || r.Stderr != c.stderr || r.Cause != Exited || !r.Whole {
				t.Errorf("the result is %+v, want %+v", r, c)
			}
		})
	}
}

func TestStartFails(t *testing.T) {
	for _, limits := range []Limits{{}, {OpenFiles: 50}} {
		if p, err := Start(Command{Path: "/no/such/program", Dir: t.TempDir(), Limits: limits}); err == nil || p != nil {
			t.Errorf("Start gives %v, %v; want an error", p, err)
		}
	}
}

func TestInput(t *testing.T) {
	c := shell(t, "cat; echo end")
	c.Stdin = strings.Repeat("x", 300<<10) + "!"
	r := finish(t, begin(t, c))
	if !strings.HasSuffix(r.Stdout, "!end\n") || r.TotalBytes != 300<<10+5 {
		t.Errorf("%d bytes came back, ending in %q", r.TotalBytes, r.Stdout[len(r.Stdout)-10:])
	}
}

func TestInputNobodyReads(t *testing.T) {
	c := shell(t, "exit 3")
	c.Stdin = strings.Repeat("x", 1<<20)
	if r := finish(t, begin(t, c)); r.ExitCode != 3 {
		t.Errorf("the exit code is %d", r.ExitCode)
	}
}

func TestWriteAndClose(t *testing.T) {
	ctx := t.Context()
	c := shell(t, `while read line; do echo "got $line"; done; echo end`)
	c.Stdin, c.KeepInput = "one\n", true
	p := begin(t, c)
	if n, err := p.Write(ctx, "two\n"); n != 4 || err != nil {
		t.Fatalf("Write gives %d, %v", n, err)
	}
	if err := p.Log().Wait(ctx, int64(len("got one\n"))); err != nil {
		t.Fatal(err)
	}
	for range 2 { // closing twice is no error
		if err := p.CloseInput(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if r := finish(t, p); r.Stdout != "got one\ngot two\nend\n" {
		t.Errorf("the output is %q", r.Stdout)
	}
	if _, err := p.Write(ctx, "late"); !errors.Is(err, ErrInputClosed) {
		t.Errorf("a write behind the end gives %v", err)
	}
}

func TestWriteNobodyReads(t *testing.T) {
	c := shell(t, "sleep 60")
	c.KeepInput = true
	p := begin(t, c)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	n, err := p.Write(ctx, strings.Repeat("x", 1<<20))
	if !errors.Is(err, context.DeadlineExceeded) || n == 0 || n == 1<<20 {
		t.Errorf("Write gives %d, %v; want a part and the end of the context", n, err)
	}
}

func TestTimeoutKeepsOutput(t *testing.T) {
	c := shell(t, "echo before; trap '' INT TERM; while :; do sleep 1; done")
	c.Timeout = 200 * time.Millisecond
	r := finish(t, begin(t, c))
	if r.Cause != TimedOut || r.Stdout != "before\n" || r.Signal != "SIGKILL" || len(r.Leaked) != 0 {
		t.Errorf("the result is %+v", r)
	}
	if took := r.Ended.Sub(r.Started); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestPoliteFirst(t *testing.T) {
	c := shell(t, "trap 'echo cleaned; exit 9' INT; echo ready; while :; do sleep 0.01; done")
	c.Grace = 5 * time.Second
	p := begin(t, c)
	if err := p.Log().Wait(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	p.Stop()
	p.Stop()
	if r := finish(t, p); r.Stdout != "ready\ncleaned\n" || r.ExitCode != 9 || r.Cause != Canceled {
		t.Errorf("the result is %+v", r)
	}
}

func TestOutputLimit(t *testing.T) {
	c := shell(t, "yes")
	c.OutputLimit = 1 << 20
	r := finish(t, begin(t, c))
	if r.Cause != OutputLimit || r.TotalBytes < 1<<20 || r.Whole {
		t.Errorf("cause %v after %d bytes, whole=%v", r.Cause, r.TotalBytes, r.Whole)
	}
}

func TestStream(t *testing.T) {
	var got strings.Builder
	var next int64
	c := shell(t, "printf 'für '; sleep 0.05; printf 'alle\n' >&2; sleep 0.05; printf 'Ende\n'")
	c.OnOutput = func(k Chunk) error {
		if k.Offset != next || k.Dropped != 0 {
			t.Errorf("chunk %+v, want the offset %d", k, next)
		}
		next += int64(len(k.Data))
		if k.Stream == Stderr {
			got.WriteString("E:")
		}
		got.Write(k.Data)
		return nil
	}
	if r := finish(t, begin(t, c)); r.Err != nil || got.String() != "für E:alle\nEnde\n" {
		t.Errorf("the chunks are %q, the error %v", got.String(), r.Err)
	}
}

func TestStreamAborts(t *testing.T) {
	errEnough := errors.New("enough")
	c := shell(t, "yes")
	c.OnOutput = func(Chunk) error { return errEnough }
	if r := finish(t, begin(t, c)); !errors.Is(r.Err, errEnough) || r.Cause != Canceled {
		t.Errorf("the result is %v, %v", r.Cause, r.Err)
	}
}

func TestSlowStream(t *testing.T) {
	const size = 8 << 20
	var seen, dropped int64
	release := make(chan struct{})
	c := shell(t, "head -c 8388608 /dev/zero; echo end >&2; cat")
	c.KeepInput = true
	c.OnOutput = func(k Chunk) error {
		<-release
		seen += int64(len(k.Data))
		dropped += k.Dropped
		return nil
	}
	p := begin(t, c)
	// The command is not held up: all is read while the consumer sleeps.
	if err := p.Log().Wait(t.Context(), size); err != nil {
		t.Fatal(err)
	}
	close(release)
	for deadline := time.Now().Add(10 * time.Second); len(p.out.sink.queue) > 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if _, err := p.Write(t.Context(), "more\n"); err != nil {
		t.Fatal(err)
	}
	if err := p.CloseInput(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := finish(t, p)
	if dropped == 0 || seen+dropped != r.TotalBytes {
		t.Errorf("%d bytes seen and %d dropped of %d", seen, dropped, r.TotalBytes)
	}
}

func TestHeldOutput(t *testing.T) {
	// The helper leaves the group and keeps the output open.
	c := shell(t, "setsid sleep 60 & echo done")
	start := time.Now()
	r := finish(t, begin(t, c))
	if r.Stdout != "done\n" || time.Since(start) > 10*time.Second {
		t.Errorf("the result is %+v after %v", r, time.Since(start))
	}
}

func TestUsage(t *testing.T) {
	r := finish(t, begin(t, shell(t, "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done")))
	if r.MaxRSS <= 0 || r.UserTime+r.SystemTime <= 0 {
		t.Errorf("rss %d, user %v, system %v", r.MaxRSS, r.UserTime, r.SystemTime)
	}
}
