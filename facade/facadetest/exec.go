package facadetest

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// words are what the python and the terminal tool call the same things.
type words struct {
	status, start, output, input, cancel, list, items any
	code                                              func(p program) []any
}

// program is the same program for both tools.
type program struct{ python, shell string }

// execRule is one rule of the contract of a tool that runs programs.
type execRule struct {
	// Name is "group/rule".
	Name string
	// Explanation is the rule in a sentence; a failure prints it.
	Explanation string
	// Needs returns why the rule does not apply, or "".
	Needs func(x *execTest) string
	// Run checks the rule.
	Run func(x *execTest)
}

// execTest is what a rule works with: calls made as a model makes them.
type execTest struct {
	testing.TB
	tool     *facade.Tool
	terminal facade.TerminalTools // nil for python
	store    Store
	hostPath string
	session  string
	events   *Events
	as       words
}

func runExec(t *testing.T, rules []execRule, skip map[string]string, begin func(t testing.TB) *execTest) {
	t.Helper()
	for name := range skip {
		if !slices.ContainsFunc(rules, func(r execRule) bool { return r.Name == name }) {
			t.Errorf("the harness skips %q, which is no rule", name)
		}
	}
	for _, r := range rules {
		t.Run(r.Name, func(t *testing.T) {
			if reason, ok := skip[r.Name]; ok {
				t.Skipf("skipped by the harness: %s", reason)
			}
			r.check(t, begin)
		})
	}
}

// check runs r on a fresh fixture.
func (r execRule) check(t testing.TB, begin func(t testing.TB) *execTest) {
	t.Helper()
	x := begin(t)
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

func (x *execTest) offers(action any) bool {
	return slices.ContainsFunc(x.tool.Actions(), func(a facade.Action) bool { return a.Name == name(action) })
}

// tasks needs the actions about tasks.
func tasks(x *execTest) string {
	if !x.offers(x.as.start) || !x.offers(x.as.output) {
		return "the implementation has no tasks"
	}
	return ""
}

// feeds needs task input.
func feeds(x *execTest) string {
	if !x.offers(x.as.input) {
		return "the implementation feeds no tasks"
	}
	return ""
}

func name(action any) string {
	switch a := action.(type) {
	case facade.PythonAction:
		return string(a)
	case string:
		return a
	}
	return ""
}

// of returns x on behalf of another session.
func (x *execTest) of(session string) *execTest {
	c := *x
	c.session = session
	return &c
}

// args are the arguments that name a program, followed by others.
func (x *execTest) args(p program, more ...any) []any { return append(x.as.code(p), more...) }

// call calls an action with arguments given as name, value, name, value.
func (x *execTest) call(ctx context.Context, action any, kv ...any) *facade.Result {
	x.Helper()
	args := map[string]any{"action": action}
	for i := 0; i < len(kv); i += 2 {
		args[kv[i].(string)] = kv[i+1]
	}
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(args); err != nil {
		x.Fatalf("arguments: %v", err)
	}
	limited, cancel := context.WithTimeout(ctx, 2*callLimit)
	defer cancel()
	res, err := x.tool.Call(limited, facade.Call{ID: "call", Session: x.session, Args: raw.Bytes(), Emit: x.events.Emit})
	if err != nil && ctx.Err() == nil {
		x.Fatalf("%v%.200v: Go error %v; a tool's failure belongs into the result", action, kv, err)
	}
	if res != nil {
		x.inspect(action, res)
	}
	return res
}

// inspect checks what holds of every reply.
func (x *execTest) inspect(action any, r *facade.Result) {
	x.Helper()
	raw := r.JSON()
	if r.Text == "" {
		x.Errorf("%v: the reply has no text", action)
	}
	if len(r.Text) > facade.DefaultOutputBudget || len(raw) > facade.DefaultOutputBudget || strings.Contains(r.Text, "\n[cut: ") && r.Error == nil && !r.Truncated {
		x.Errorf("%v: %d bytes of text, %d of JSON; the budget is %d", action, len(r.Text), len(raw), facade.DefaultOutputBudget)
	}
	e := r.Error
	if e == nil {
		var top struct{ Error *facade.Error }
		if err := json.Unmarshal(raw, &top); err != nil || top.Error != nil {
			x.Errorf("%v: the structured form is above the budget or no object: %v", action, err)
		}
		return
	}
	if e.Message == "" || e.Code == facade.CodeInternal || e.Hint == "" && e.Field == "" && e.Code != facade.CodeCanceled && e.Code != facade.CodeTimeout {
		x.Errorf("%v: the error (%s) %q tells the model nothing to do", action, e.Code, e.Message)
	}
	if x.hostPath != "" && strings.Contains(e.Text(), x.hostPath) {
		x.Errorf("%v: the error shows the root's host path: %s", action, e.Text())
	}
}

// ok calls an action that has to succeed.
func (x *execTest) ok(action any, kv ...any) *facade.Result {
	x.Helper()
	r := x.call(direct(), action, kv...)
	if r.Error != nil {
		x.Fatalf("%v%.200v failed: %s", action, kv, r.Error.Text())
	}
	return r
}

// fails calls an action that has to fail with a code.
func (x *execTest) fails(code facade.Code, action any, kv ...any) *facade.Result {
	x.Helper()
	r := x.call(direct(), action, kv...)
	if r.Error == nil {
		x.Fatalf("%v%.200v succeeded, want the error %s; it said: %s", action, kv, code, r.Text)
	}
	if r.Error.Code != code {
		x.Errorf("%v%.200v: code %q, want %s: %s", action, kv, r.Error.Code, code, r.Error.Message)
	}
	return r
}

func decodedExec[T any](x *execTest, r *facade.Result) T {
	x.Helper()
	var out T
	if err := json.Unmarshal(r.JSON(), &out); err != nil {
		x.Fatalf("the structured form does not decode: %v\n%s", err, r.JSON())
	}
	return out
}

// stdout checks the standard output of a run that has to succeed.
func (x *execTest) stdout(r *facade.Result, want string) {
	x.Helper()
	out := decodedExec[facade.PythonRunOutput](x, r)
	if out.Stdout != want || out.State != facade.TaskSucceeded || out.ExitCode == nil || *out.ExitCode != 0 {
		x.Errorf("the program ended as %s with %.300q and %.300q on stderr, want success with %.300q", out.State, out.Stdout, out.Stderr, want)
	}
}

func (x *execTest) contains(what, got string, want ...string) {
	x.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			x.Errorf("%s lacks %q: %.500s", what, w, got)
		}
	}
}

func (x *execTest) must(err error) {
	x.Helper()
	if err != nil {
		x.Fatalf("preparing: %v", err)
	}
}

// start starts a program in the background and returns its task.
func (x *execTest) start(p program, more ...any) string {
	x.Helper()
	out := decodedExec[facade.PythonRunBackgroundOutput](x, x.ok(x.as.start, x.args(p, more...)...))
	if out.TaskID == "" || out.PID <= 0 || out.State.Done() {
		x.Fatalf("the start gives %+v, want a task that runs", out)
	}
	return out.TaskID
}

// ends reads a task's output to its end.
func (x *execTest) ends(id string) (string, facade.PythonTaskOutputOutput) {
	x.Helper()
	var from int64
	var all strings.Builder
	for deadline := time.Now().Add(callLimit); time.Now().Before(deadline); {
		out := decodedExec[facade.PythonTaskOutputOutput](x, x.ok(x.as.output, "task_id", id, "offset", from, "wait_ms", 5000))
		if out.Offset != from || out.NextOffset != from+int64(len(out.Content)) {
			x.Fatalf("asked for %d, the output is from %d to %d with %d bytes", from, out.Offset, out.NextOffset, len(out.Content))
		}
		all.WriteString(out.Content)
		if from = out.NextOffset; out.EOF {
			return all.String(), out
		}
	}
	x.Fatalf("task %s does not end", id)
	return "", facade.PythonTaskOutputOutput{}
}

func repeat(s string, n int) string { return strings.Repeat(s, n) }
