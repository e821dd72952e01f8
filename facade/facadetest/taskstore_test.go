package facadetest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// fakeTasks answers everything with an ended task, or with err.
type fakeTasks struct{ err error }

func (f fakeTasks) info(id string) facade.TaskInfo {
	now := time.Now()
	return facade.TaskInfo{ID: id, State: facade.TaskSucceeded, Ended: &now}
}

func (f fakeTasks) Submit(context.Context, facade.TaskSpec) (facade.TaskInfo, error) {
	return f.info("task"), f.err
}

func (f fakeTasks) Get(_ context.Context, id string) (facade.TaskInfo, error) {
	return f.info(id), f.err
}

func (f fakeTasks) List(context.Context, facade.TaskFilter) ([]facade.TaskInfo, error) {
	return nil, f.err
}

func (f fakeTasks) Cancel(_ context.Context, id string) (facade.TaskInfo, error) {
	return f.info(id), f.err
}

func (f fakeTasks) Output(_ context.Context, _ string, offset int64, _ int) (facade.TaskOutput, error) {
	return facade.TaskOutput{Offset: offset, Next: offset, Total: offset, Ended: true}, f.err
}

func (f fakeTasks) Wait(context.Context, string, int64) error { return f.err }

func (f fakeTasks) Input(context.Context, string, string, bool) (int, error) { return 0, f.err }

func (f fakeTasks) Close() error { return f.err }

// TestEveryStoreRuleCanFail proves that no rule is empty.
func TestEveryStoreRuleCanFail(t *testing.T) {
	harness := func(err error) TaskStoreHarness {
		return TaskStoreHarness{New: func(t testing.TB) *TaskStoreFixture {
			return &TaskStoreFixture{
				Tasks: fakeTasks{err}, Root: NewDirStore(t.TempDir()),
				Again: func(testing.TB) facade.TaskStore { return fakeTasks{err} }, Lose: func(testing.TB, string) {},
			}
		}}
	}
	watch := func(r storeRule, err error) *witness {
		w := &witness{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			r.check(w, harness(err))
		}()
		<-done
		for i := len(w.cleanups) - 1; i >= 0; i-- {
			w.cleanups[i]()
		}
		return w
	}
	seen := map[string]bool{}
	for _, r := range storeRules() {
		t.Run(r.Name, func(t *testing.T) {
			if seen[r.Name] || !strings.Contains(r.Name, "/") || !strings.HasSuffix(r.Explanation, ".") {
				t.Errorf("doubled, without group, or without a sentence: %q", r.Explanation)
			}
			seen[r.Name] = true
			refusal := facade.Errorf(facade.CodeUnsupported, "no").WithHint("no")
			for name, w := range map[string]*witness{"an empty": watch(r, nil), "a refusing": watch(r, refusal)} {
				if !w.failed || !strings.Contains(w.log.String(), "the contract: "+r.Explanation) {
					t.Errorf("%s store keeps the rule:\n%s", name, w.log.String())
				}
			}
		})
	}
}
