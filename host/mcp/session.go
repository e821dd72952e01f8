package mcphost

import (
	"crypto/rand"
	"runtime"
	"sync"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessions names MCP sessions. One without an id of its own, as over stdio, is
// given a random name for as long as the SDK holds it.
type sessions struct {
	mu    sync.Mutex
	names map[weak.Pointer[mcp.ServerSession]]string
}

func newSessions() *sessions {
	return &sessions{names: map[weak.Pointer[mcp.ServerSession]]string{}}
}

func (s *sessions) of(req *mcp.CallToolRequest) string {
	if id := req.Session.ID(); id != "" {
		return id
	}
	key := weak.Make(req.Session)
	s.mu.Lock()
	defer s.mu.Unlock()
	name, ok := s.names[key]
	if !ok {
		name = rand.Text()
		s.names[key] = name
		runtime.AddCleanup(req.Session, s.forget, key)
	}
	return name
}

func (s *sessions) forget(key weak.Pointer[mcp.ServerSession]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.names, key)
}
