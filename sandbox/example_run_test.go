package sandbox_test

import (
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/internal/testenv"
)

// What a machine holds differs; that every sandbox is reported on does not.
func TestExample(t *testing.T) {
	got := testenv.Stdout(t, Example)
	for _, name := range []string{"namespaces ", "bubblewrap ", "none does not hold file writes: "} {
		if !strings.Contains(got, name) {
			t.Errorf("no %q in %s", name, got)
		}
	}
}
