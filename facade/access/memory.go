package access

import (
	"container/list"
	"sync"
)

// maxRemembered is how many approvals a policy remembers over all sessions;
// the oldest is asked for again.
const maxRemembered = 4096

type remembered struct{ session, digest string }

// memory holds the approvals that stand for later calls.
type memory struct {
	mu    sync.Mutex
	order *list.List // of remembered, the oldest first
	at    map[remembered]*list.Element
}

func newMemory() *memory {
	return &memory{order: list.New(), at: map[remembered]*list.Element{}}
}

func (m *memory) has(session, digest string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.at[remembered{session, digest}] != nil
}

func (m *memory) add(session, digest string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := remembered{session, digest}
	if m.at[key] != nil {
		return
	}
	m.at[key] = m.order.PushBack(key)
	if m.order.Len() > maxRemembered {
		delete(m.at, m.order.Remove(m.order.Front()).(remembered))
	}
}

func (m *memory) forget(session string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, e := range m.at {
		if key.session == session {
			m.order.Remove(e)
			delete(m.at, key)
		}
	}
}

// Forget drops the approvals remembered for a session: when it ends, or when
// its user thinks better of it.
func (p *Policy) Forget(session string) { p.approval.memory.forget(session) }
