//go:build unix

package exectool

import (
	"testing"

	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/runner"
	"github.com/toolfacade/toolfacade/sandbox"
)

func TestMemoryIsAStore(t *testing.T) {
	facadetest.TestTaskStore(t, facadetest.TaskStoreHarness{New: func(t testing.TB) *facadetest.TaskStoreFixture {
		r := open(t, &runner.Options{Sandbox: sandbox.None{}, EndTasks: true})
		return &facadetest.TaskStoreFixture{Tasks: r.own, Root: facadetest.NewDirStore(r.Dir())}
	}})
}
