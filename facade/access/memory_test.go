package access

import (
	"strconv"
	"testing"
)

func TestMemoryIsBounded(t *testing.T) {
	m := newMemory()
	for i := range maxRemembered + 10 {
		m.add("s", strconv.Itoa(i))
		m.add("s", strconv.Itoa(i))
	}
	if len(m.at) != maxRemembered || m.order.Len() != maxRemembered {
		t.Errorf("%d and %d are remembered", len(m.at), m.order.Len())
	}
	if m.has("s", "9") || !m.has("s", "10") || m.has("t", "10") {
		t.Error("not the oldest was dropped")
	}
	m.forget("s")
	if len(m.at) != 0 || m.order.Len() != 0 {
		t.Error("something is left")
	}
}
