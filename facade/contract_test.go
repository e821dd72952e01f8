package facade_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

type fullPython struct {
	facade.PythonTools
	facade.PythonTaskFeeder
}

type fullTerminal struct {
	facade.TerminalTools
	facade.TerminalTasks
}

// fullTools are the tools of the contract with every action.
func fullTools() []*facade.Tool {
	return []*facade.Tool{
		files(), facade.Git(&fakeGit{}), facade.Python(fullPython{}), facade.Terminal(fullTerminal{}),
		facade.Document(struct{ facade.DocumentTools }{}), facade.Sync(struct{ facade.SyncTools }{}),
	}
}

// TestContract writes the whole contract down: tools, actions, effects,
// parameters with types, defaults and ranges, members of the data. A change of
// it is a change that users see.
func TestContract(t *testing.T) {
	var b strings.Builder
	for _, tool := range fullTools() {
		b.WriteString(tool.Name() + "\n")
		for _, a := range tool.Actions() {
			fmt.Fprintf(&b, "\n  %s (%v)\n", a.Name, a.Effect)
			for _, f := range a.Fields() {
				fmt.Fprintf(&b, "    %s\n", parameter(f))
			}
			var out []string
			for _, f := range facade.Fields(a.Out) {
				out = append(out, f.Name)
			}
			fmt.Fprintf(&b, "    -> %s\n", strings.Join(out, ", "))
		}
		b.WriteString("\n")
	}
	golden(t, "contract.txt", b.String())
}

func parameter(f facade.Field) string {
	s := f.Name
	if f.Required {
		s += "*"
	}
	s += " " + f.Type.String()
	if f.Default != "" {
		s += "=" + f.Default
	}
	if f.Enum != nil {
		s += " " + strings.Join(f.Enum, "|")
	}
	if f.Min != nil {
		s += fmt.Sprintf(" from %v", *f.Min)
	}
	if f.Max != nil {
		s += fmt.Sprintf(" to %.0f", *f.Max)
	}
	if f.MinItems > 0 {
		s += fmt.Sprintf(" at least %d", f.MinItems)
	}
	return s
}

// TestSmallerImplementations checks that the enum shrinks to what there is.
func TestSmallerImplementations(t *testing.T) {
	for want, tool := range map[string]*facade.Tool{
		"list find read": facade.Files(struct{ facade.FileReader }{}),
		"run":            facade.Python(struct{ facade.PythonRunner }{}),
		"run run_background task_status task_output task_cancel list_tasks": facade.Python(struct{ facade.PythonTools }{}),
		"run task_input": facade.Python(struct {
			facade.PythonRunner
			facade.PythonTaskFeeder
		}{}),
		"run kill list": facade.Terminal(struct{ facade.TerminalTools }{}),
		"read":          facade.Document(struct{ facade.DocumentReader }{}),
		"read read_image": facade.Document(struct {
			facade.DocumentReader
			facade.DocumentImageReader
		}{}),
	} {
		if got := names(tool); got != want {
			t.Errorf("%s: %s, want %s", tool.Name(), got, want)
		}
	}
}

// TestEveryOutputHasAText checks that no output of the contract is shown as
// JSON, and that presenting an empty one does not panic.
func TestEveryOutputHasAText(t *testing.T) {
	for _, tool := range fullTools() {
		for _, a := range tool.Actions() {
			out := reflect.New(a.Out).Elem().Interface()
			p, ok := out.(facade.Presenter)
			if !ok {
				t.Errorf("%s.%s: %v has no Present", tool.Name(), a.Name, a.Out)
				continue
			}
			p.Present(&facade.Result{})
		}
	}
}

func TestTaskStates(t *testing.T) {
	got := map[facade.TaskState]string{}
	for _, s := range []facade.TaskState{
		facade.TaskQueued, facade.TaskStarting, facade.TaskRunning, facade.TaskSucceeded, facade.TaskFailed, facade.TaskTimedOut,
		facade.TaskCanceled, facade.TaskOutputLimit, facade.TaskOOMKilled, facade.TaskLost, facade.TaskStartFailed,
	} {
		got[s] = fmt.Sprint(s.Done(), " ", s.Process())
	}
	want := map[facade.TaskState]string{
		"queued": "false running", "starting": "false running", "running": "false running",
		"succeeded": "true completed", "failed": "true failed", "timed_out": "true failed", "canceled": "true failed",
		"output_limit": "true failed", "oom_killed": "true failed", "lost": "true failed", "start_failed": "true failed",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// The enum of the filter has every state.
	for _, f := range facade.Fields(reflect.TypeFor[facade.PythonListTasksInput]()) {
		if f.Name == "state" && len(f.Enum) != len(want) {
			t.Errorf("the filter knows %v", f.Enum)
		}
	}
}

func TestSyncConfigUpdated(t *testing.T) {
	before := facade.SyncConfig{AutoSync: true, DebounceMS: 500, ExcludePatterns: []string{"a"}}
	if diff := cmp.Diff(before, before.Updated(facade.SyncUpdateConfigInput{})); diff != "" {
		t.Error(diff)
	}
	off, zero, none := false, 0, []string{}
	got := before.Updated(facade.SyncUpdateConfigInput{AutoSync: &off, DebounceMS: &zero, ExcludePatterns: &none})
	if diff := cmp.Diff(facade.SyncConfig{ExcludePatterns: []string{}}, got); diff != "" {
		t.Error(diff)
	}
	got = before.Updated(facade.SyncUpdateConfigInput{DebounceMS: &zero})
	if diff := cmp.Diff(facade.SyncConfig{AutoSync: true, ExcludePatterns: []string{"a"}}, got); diff != "" {
		t.Error(diff)
	}
}

// TestRulesBetweenFields holds what the Validate methods refuse.
func TestRulesBetweenFields(t *testing.T) {
	tools := map[string]*facade.Tool{}
	for _, tool := range fullTools() {
		tools[tool.Name()] = tool
	}
	for _, c := range []struct{ tool, args, want string }{
		{"python", `{"action":"run"}`, "field 'code' is required (or 'script' for a file)"},
		{"python", `{"action":"run_background","code":"1","script":"a.py"}`, "give 'script' or 'code', not both"},
		{"python", `{"action":"run","code":"1","timeout":0}`, "field 'timeout' must be at least 0.001, got 0"},
		{"python", `{"action":"run","code":"1","timeout":1e6}`, "field 'timeout' must be at most 86400, got 1e6"},
		{"python", `{"action":"task_output","task_id":"t","offset":0,"tail":5}`, "give 'offset' or 'tail', not both"},
		{"python", `{"action":"task_input","task_id":"t"}`, "give 'data' to write, or 'eof' to close the input"},
		{"python", `{"action":"task_status","task_id":"t","pid":1}`, "unknown field 'pid' for action 'task_status'"},
		{"python", `{"action":"list_tasks","state":"done"}`, "field 'state' must be one of queued, starting, running, succeeded, failed, timed_out, canceled, output_limit, oom_killed, lost, start_failed; got 'done'"},
		{"terminal", `{"action":"run","command":""}`, "field 'command' must not be empty"},
		{"terminal", `{"action":"start"}`, "field 'command' is required for action 'start'"},
		{"terminal", `{"action":"output"}`, "field 'task_id' is required (or 'pid')"},
		{"terminal", `{"action":"output","pid":7,"offset":0,"tail":1}`, "give 'offset' or 'tail', not both"},
		{"terminal", `{"action":"kill","task_id":"t","pid":7}`, "give 'task_id' or 'pid', not both"},
		{"terminal", `{"action":"kill","pid":-1}`, "field 'pid' must be at least 1, got -1"},
		{"terminal", `{"action":"input","pid":7}`, "give 'data' to write, or 'eof' to close the input"},
		{"document", `{"action":"search","query":""}`, "field 'query' must not be empty"},
		{"document", `{"action":"search","query":"a","filter":{"author":"x"}}`, "unknown field 'filter.author' for action 'search'"},
		{"document", `{"action":"read","path":"a","output":"html"}`, "field 'output' must be one of markdown, text, blocks; got 'html'"},
		{"document", `{"action":"index","path":"a","storage_backends":[]}`, "field 'storage_backends' must have at least 1 item, got 0"},
		{"sync", `{"action":"update_config"}`, "give at least one of 'auto_sync', 'debounce_ms' and 'exclude_patterns'"},
		{"sync", `{"action":"update_config","debounce_ms":-1}`, "field 'debounce_ms' must be at least 0, got -1"},
		{"sync", `{"action":"set_auto"}`, "field 'enabled' is required for action 'set_auto'"},
		{"sync", `{"action":"trigger","direction":"up"}`, "field 'direction' must be one of to_target, to_source, both; got 'up'"},
	} {
		r := call(t, tools[c.tool], c.args)
		if r.OK() || r.Error.Code != facade.CodeInvalidArgument || r.Error.Message != c.want {
			t.Errorf("%s %s: %s", c.tool, c.args, r.Text)
		}
	}
}
