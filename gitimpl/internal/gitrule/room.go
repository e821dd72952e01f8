package gitrule

import (
	"context"
	"encoding/json"

	"github.com/toolfacade/toolfacade/facade"
)

// The parts of a reply that lists may fill, in percent.
const (
	MostRoom = 85
	HalfRoom = 45
)

// Room is what is left of a reply's budget.
type Room struct{ left int }

// NewRoom reserves a share of the reply, in percent, for a list.
func NewRoom(ctx context.Context, percent int) *Room {
	const whole = 100
	return &Room{left: facade.Budget(ctx) / whole * percent}
}

// Take reports whether v still fits, and reserves its place.
func (m *Room) Take(v any) bool {
	raw, err := json.Marshal(v)
	if err != nil || m.left < len(raw)+1 {
		m.left = 0
		return false
	}
	m.left -= len(raw) + 1
	return true
}

// Fit returns the start of a list that fits, and how many do not.
func Fit[T any](m *Room, list []T) (kept []T, hidden int) {
	for i := range list {
		if !m.Take(list[i]) {
			return list[:i], len(list) - i
		}
	}
	if list == nil {
		list = []T{}
	}
	return list, 0
}

// PatchRoom is how many bytes of patch a reply may have. A patch has quotes
// and line ends that take two bytes in JSON.
func PatchRoom(ctx context.Context, maxBytes int) int {
	limit := facade.Budget(ctx) / 2
	if maxBytes > 0 {
		limit = min(limit, maxBytes)
	}
	return limit
}
