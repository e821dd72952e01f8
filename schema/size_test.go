package schema_test

import (
	"testing"

	"github.com/toolfacade/toolfacade/internal/everything"
	"github.com/toolfacade/toolfacade/schema"
)

// mostPerParameter is how many bytes a flat schema may take for each of its
// parameters and actions on average. A model reads every schema before every
// call: a longer description should be worth its place.
const mostPerParameter = 130

func TestSize(t *testing.T) {
	total := 0
	for _, tool := range append(everything.Core(), everything.Tools()...) {
		def := render(t, schema.MCP, tool)[0]
		size := len(def.Description) + len(def.Input)
		n := len(keys(t, rootOf(t, def.Input).Properties)) - 1 + len(tool.Actions())
		t.Logf("%-10s %2d actions and %2d parameters: %d bytes, %d for each",
			tool.Name(), len(tool.Actions()), n-len(tool.Actions()), size, size/n)
		if size/n > mostPerParameter {
			t.Errorf("%s takes %d bytes for each action and parameter, the limit is %d", tool.Name(), size/n, mostPerParameter)
		}
		total += size
	}
	t.Logf("%d bytes in all", total)
}
