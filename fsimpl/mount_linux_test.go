package fsimpl_test

import (
	"testing"

	"github.com/toolfacade/toolfacade/internal/escapetest"
)

// TestMounts runs the payloads with bind mounts.
func TestMounts(t *testing.T) {
	if !escapetest.InMountNamespace(t) {
		return
	}
	for _, name := range escapetest.Mounts() {
		t.Run(name, func(t *testing.T) { runPayload(t, name) })
	}
}
