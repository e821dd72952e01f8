package facadetest

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// TaskStoreHarness tells [TestTaskStore] how to get a store to test.
type TaskStoreHarness struct {
	// New returns a fixture over an empty root and an empty store that nothing
	// else uses. It is called once per rule, and releases what it holds with
	// t.Cleanup; rules leave no task running.
	New func(t testing.TB) *TaskStoreFixture
	// Skip names rules that the store is known not to keep, with the reason.
	// They are reported as skipped. A name that is no rule's fails.
	Skip map[string]string
}

// TaskStoreFixture is one fresh store. The machine that runs its tasks has a
// POSIX shell and its usual companions.
type TaskStoreFixture struct {
	Tasks facade.TaskStore
	// Root reaches the root that tasks run in.
	Root Store
	// Again opens the same store as another host does. Nil skips what needs it.
	Again func(t testing.TB) facade.TaskStore
	// Lose kills what runs a task without letting it say a word: the task's
	// supervisor, or the worker with its machine. Nil skips what needs it.
	Lose func(t testing.TB, id string)
}

// TestTaskStore runs every rule of the contract of task stores, each as a
// subtest on a fresh fixture. Rules about input run when the store is a
// [facade.TaskFeeder].
func TestTaskStore(t *testing.T, h TaskStoreHarness) {
	rules := storeRules()
	for name := range h.Skip {
		if !slices.ContainsFunc(rules, func(r storeRule) bool { return r.Name == name }) {
			t.Errorf("the harness skips %q, which is no rule", name)
		}
	}
	for _, r := range rules {
		t.Run(r.Name, func(t *testing.T) {
			if reason, ok := h.Skip[r.Name]; ok {
				t.Skipf("skipped by the harness: %s", reason)
			}
			r.check(t, h)
		})
	}
}

// storeRule is one rule of the contract.
type storeRule struct {
	Name        string // "group/rule"
	Explanation string // in a sentence; a failure prints it
	Needs       func(x *storeTest) string
	Run         func(x *storeTest)
}

func (r storeRule) check(t testing.TB, h TaskStoreHarness) {
	t.Helper()
	x := &storeTest{TB: t, TaskStoreFixture: h.New(t)}
	if r.Needs != nil {
		if why := r.Needs(x); why != "" {
			t.Skip(why)
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the contract: %s", r.Explanation)
		}
	})
	r.Run(x)
}

// storeTest is what a rule works with.
type storeTest struct {
	testing.TB
	*TaskStoreFixture
}

// taskLimit is how long a rule waits for anything.
const taskLimit = 60 * time.Second

func (x *storeTest) limited() (context.Context, context.CancelFunc) {
	return context.WithTimeout(direct(), taskLimit)
}

// shell is a line of the shell as a task.
func shell(line string) facade.TaskSpec {
	return facade.TaskSpec{Label: line, Program: "/bin/sh", Flags: []string{"-c", line}}
}

// submit submits a task that has to be taken.
func (x *storeTest) submit(spec facade.TaskSpec) facade.TaskInfo {
	x.Helper()
	ctx, cancel := x.limited()
	defer cancel()
	info, err := x.Tasks.Submit(ctx, spec)
	if err != nil || info.ID == "" {
		x.Fatalf("Submit(%q) gives %+v, %v", spec.Label, info, err)
	}
	return info
}

func (x *storeTest) get(id string) facade.TaskInfo {
	x.Helper()
	ctx, cancel := x.limited()
	defer cancel()
	info, err := x.Tasks.Get(ctx, id)
	if err != nil || info.ID != id {
		x.Fatalf("Get(%s) gives %+v, %v", id, info, err)
	}
	return info
}

// wait waits for output behind offset, or for the end.
func (x *storeTest) wait(id string, offset int64) {
	x.Helper()
	ctx, cancel := x.limited()
	defer cancel()
	if err := x.Tasks.Wait(ctx, id, offset); err != nil {
		x.Fatalf("waiting for %s behind byte %d: %v", id, offset, err)
	}
}

// ends waits for a task's end and returns how it ended.
func (x *storeTest) ends(id string) facade.TaskInfo {
	x.Helper()
	x.wait(id, facade.TaskEnd)
	info := x.get(id)
	if !info.State.Done() || info.Ended == nil {
		x.Fatalf("behind its end the task is %+v", info)
	}
	return info
}

// cancel cancels a task.
func (x *storeTest) cancel(id string) facade.TaskInfo {
	x.Helper()
	ctx, cancel := x.limited()
	defer cancel()
	info, err := x.Tasks.Cancel(ctx, id)
	if err != nil || !info.State.Done() {
		x.Fatalf("Cancel(%s) gives %+v, %v", id, info, err)
	}
	return info
}

// from reads all output from offset until the end, in pieces of limit bytes.
func (x *storeTest) from(id string, offset int64, limit int) (string, []facade.TaskSpan) {
	x.Helper()
	var all bytes.Buffer
	var stderr []facade.TaskSpan
	for {
		x.wait(id, offset)
		out := x.output(id, offset, limit)
		if out.Offset != offset || out.Next != offset+int64(len(out.Data)) || len(out.Data) > limit || out.Total < out.Next {
			x.Fatalf("from byte %d come %d bytes, from %d to %d of %d", offset, len(out.Data), out.Offset, out.Next, out.Total)
		}
		all.Write(out.Data)
		stderr = append(stderr, out.Stderr...)
		if offset = out.Next; out.Ended && out.Next == out.Total {
			return all.String(), stderr
		}
	}
}

func (x *storeTest) output(id string, offset int64, limit int) facade.TaskOutput {
	x.Helper()
	ctx, cancel := x.limited()
	defer cancel()
	out, err := x.Tasks.Output(ctx, id, offset, limit)
	if err != nil {
		x.Fatalf("Output(%s, %d, %d): %v", id, offset, limit, err)
	}
	return out
}

// list returns the ids of a list.
func (x *storeTest) list(f facade.TaskFilter) []string {
	x.Helper()
	ctx, cancel := x.limited()
	defer cancel()
	all, err := x.Tasks.List(ctx, f)
	if err != nil {
		x.Fatalf("List(%+v): %v", f, err)
	}
	ids := []string{}
	for _, i := range all {
		ids = append(ids, i.ID)
	}
	return ids
}

// feed writes to a task.
func (x *storeTest) feed(id, data string, eof bool) (int, error) {
	ctx, cancel := x.limited()
	defer cancel()
	return x.Tasks.(facade.TaskFeeder).Input(ctx, id, data, eof)
}

// expect checks how a task ended; a negative exit code stands for any or none.
func (x *storeTest) expect(info facade.TaskInfo, state facade.TaskState, exit int) {
	x.Helper()
	if info.State != state || exit >= 0 && (info.ExitCode == nil || *info.ExitCode != exit) {
		x.Errorf("the task is %+v, want %s with exit code %d", info, state, exit)
	}
}

func (x *storeTest) must(err error) {
	x.Helper()
	if err != nil {
		x.Fatal(err)
	}
}

// fed needs task input.
func fed(x *storeTest) string {
	if _, ok := x.Tasks.(facade.TaskFeeder); !ok {
		return "the store feeds no tasks"
	}
	return ""
}

// reopens needs a second host.
func reopens(x *storeTest) string {
	if x.Again == nil {
		return "the fixture opens the store once only"
	}
	return ""
}

// loses needs a way to lose tasks.
func loses(x *storeTest) string {
	if x.Lose == nil {
		return "the fixture loses no tasks"
	}
	return ""
}
