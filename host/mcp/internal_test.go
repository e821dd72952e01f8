package mcphost

import (
	"runtime"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade"
)

// Names of sessions go with the sessions.
func TestSessionsForgotten(t *testing.T) {
	s := newSessions()
	kept := &mcp.CallToolRequest{Session: &mcp.ServerSession{}}
	name := s.of(kept)
	seen := map[string]bool{name: true}
	for range 100 {
		seen[s.of(&mcp.CallToolRequest{Session: &mcp.ServerSession{}})] = true
	}
	if len(seen) != 101 {
		t.Errorf("%d names for 101 sessions", len(seen))
	}
	for start := time.Now(); ; runtime.GC() {
		s.mu.Lock()
		n := len(s.names)
		s.mu.Unlock()
		if n == 1 {
			break
		}
		if time.Since(start) > 10*time.Second {
			t.Fatalf("%d names are kept, want 1", n)
		}
		time.Sleep(time.Millisecond)
	}
	if got := s.of(kept); got != name {
		t.Errorf("the session kept is now %q, was %q", got, name)
	}
	runtime.KeepAlive(kept)
}

// An implementation may emit from a goroutine that outlives the call.
func TestProgressAfterReply(t *testing.T) {
	params := &mcp.CallToolParamsRaw{Name: "lab"}
	params.SetProgressToken("tok")
	p := newProgress(t.Context(), &mcp.CallToolRequest{Params: params}) // no session: a notification panics
	p.end()
	p.emit(facade.Event{Type: facade.EventProgress, Current: 1})
}
