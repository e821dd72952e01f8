//go:build linux

package nats

import (
	"testing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/internal/testenv"
	"github.com/toolfacade/toolfacade/sandbox"
)

func TestContract(t *testing.T) {
	srv := serve(t)
	boxes := []sandbox.Sandbox{sandbox.Namespaces{}}
	if testenv.Full() {
		boxes = append(boxes, sandbox.None{}, sandbox.Bubblewrap{})
	}
	for _, box := range boxes {
		t.Run(box.Name(), func(t *testing.T) {
			if err := sandbox.Require(t.Context(), box, sandbox.ProcessTree); err != nil && box.Name() != "none" {
				testenv.Missing(t, "%v", err)
			}
			facadetest.TestTaskStore(t, facadetest.TaskStoreHarness{New: func(t testing.TB) *facadetest.TaskStoreFixture {
				dir, opts := t.TempDir(), testOptions(uniqueName())
				workers := hire(t, srv, 3, opts.Name, dir, box.Name())
				store := open(t, srv, opts)
				return &facadetest.TaskStoreFixture{
					Tasks: store, Root: facadetest.NewDirStore(dir),
					Again: func(t testing.TB) facade.TaskStore { return open(t, srv, opts) },
					Lose:  func(t testing.TB, id string) { workers.kill(t, store, id) },
				}
			}})
		})
	}
}
