//go:build unix

package proc

import (
	"context"
	"strings"
	"testing"
	"time"
)

// typed starts a shell line on a terminal.
func typed(t *testing.T, line string) *Process {
	t.Helper()
	c := shell(t, line)
	c.Terminal, c.KeepInput = true, true
	return begin(t, c)
}

// until waits until the output holds text.
func until(t *testing.T, p *Process, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for {
		r, err := p.Log().Read(0, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(r.Data), text) {
			return
		}
		if r.Ended {
			t.Fatalf("the output ended as %q, without %q", r.Data, text)
		}
		if err := p.Log().Wait(ctx, r.Next); err != nil {
			t.Fatalf("waiting for %q behind %q: %v", text, r.Data, err)
		}
	}
}

func write(t *testing.T, p *Process, text string) {
	t.Helper()
	if n, err := p.Write(t.Context(), text); n != len(text) || err != nil {
		t.Fatalf("of %q %d bytes were taken, %v", text, n, err)
	}
}

func TestTerminal(t *testing.T) {
	p := typed(t, "[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && stty size && tty && read x && echo got $x && echo err >&2")
	until(t, p, "40 120")
	write(t, p, "word\n")
	if r := finish(t, p); r.ExitCode != 0 || !strings.Contains(r.Stdout, "got word\r\n") || !strings.Contains(r.Stdout, "err") || r.Stderr != "" {
		t.Errorf("the result is %+v", r)
	}
}

func TestTerminalEnd(t *testing.T) {
	for _, text := range []string{"whole\n", "part"} {
		p := typed(t, "cat; echo end $?")
		write(t, p, text)
		if err := p.CloseInput(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r := finish(t, p); !strings.Contains(r.Stdout, "end 0") || strings.Count(r.Stdout, strings.TrimSpace(text)) != 2 {
			t.Errorf("with %q the result is %+v", text, r)
		}
	}
}

func TestTerminalInterrupt(t *testing.T) {
	p := typed(t, "trap 'echo caught' INT; echo ready; sleep 600; echo after")
	until(t, p, "ready")
	for running := true; running; { // sleep may not have begun
		_, _ = p.Write(t.Context(), "\x03") // it may have ended
		select {
		case <-p.Done():
			running = false
		case <-time.After(100 * time.Millisecond):
		}
	}
	if r := finish(t, p); !strings.Contains(r.Stdout, "caught") || !strings.Contains(r.Stdout, "after") {
		t.Errorf("the result is %+v", r)
	}
}

// TestTerminalStop stops a session with a job in a process group of its own.
func TestTerminalStop(t *testing.T) {
	p := typed(t, "set -m; trap '' INT TERM HUP; sleep 600 & echo on; sleep 600; wait")
	until(t, p, "on")
	p.Stop()
	if r := finish(t, p); r.Cause != Canceled || len(r.Leaked) > 0 || r.Incomplete {
		t.Errorf("the result is %+v", r)
	}
}
