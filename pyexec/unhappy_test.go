//go:build unix

package pyexec_test

import (
	"os"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/sandbox"
)

// TestUnhappyCalls makes calls as models make them when they are wrong, and
// reads what they are told.
func TestUnhappyCalls(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(dir+"/scripts/deep", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/scripts/report.py", []byte("print(1)\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := open(t, dir, sandbox.None{})
	tool := facade.Python(p)
	begun, err := p.RunBackground(t.Context(), facade.PythonRunInput{Code: "print('over')"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.TaskStatus(t.Context(), facade.PythonTaskStatusInput{TaskID: begun.TaskID, WaitMS: 60_000}); err != nil {
		t.Fatal(err)
	}
	ran := run(t, p, "1").TaskID
	for _, c := range []struct {
		args string
		code facade.Code // "" where the call succeeds
		want string      // in the text: message, hint
	}{
		{`{"action":"task_cancel","task_id":""}`, facade.CodeInvalidArgument, "'task_id' must not be empty\nhint: list_tasks shows the tasks"},
		{`{"action":"task_status","task_id":""}`, facade.CodeInvalidArgument, "must not be empty"},
		{`{"action":"task_output","task_id":"","tail":1}`, facade.CodeInvalidArgument, "must not be empty"},
		{`{"action":"task_input","task_id":"","eof":true}`, facade.CodeInvalidArgument, "must not be empty"},
		{`{"action":"task_cancel","task_id":"TASK"}`, "", "had ended before: succeeded"},
		{`{"action":"task_cancel","task_id":"task-999"}`, facade.CodeNotFound, "known tasks: "},
		{`{"action":"task_input","task_id":"TASK","data":"x"}`, facade.CodeConflict, "has ended: succeeded\nhint: start it again to feed it; task_output has what it wrote"},
		{`{"action":"task_input","task_id":"RAN","eof":true}`, facade.CodeConflict, "has ended: succeeded"},
		{`{"action":"task_output","task_id":"TASK","offset":1000}`, "", "bytes 5 to 5 of its output: none\n[end of output]"},
		{`{"action":"run","code":"1","args":["a\u0000b"]}`, facade.CodeInvalidArgument, "\"a\\x00b\" has a zero byte"},
		{`{"action":"run","code":"1","cwd":"a\u0000b"}`, facade.CodeInvalidArgument, "no path can have"},
		{`{"action":"run","script":"a\u0000b.py"}`, facade.CodeInvalidArgument, "no path can have"},
		{`{"action":"run","code":"1","env":{"A":"x\u0000"}}`, facade.CodeInvalidArgument, "the value of A has a zero byte"},
		{`{"action":"run","code":"1","env":{"A=B":"x"}}`, facade.CodeInvalidArgument, "\"A=B\" is no environment variable"},
		{`{"action":"run","script":"scripts/reprot.py"}`, facade.CodeNotFound, "did you mean scripts/report.py?"},
		{`{"action":"run","script":"script/report.py"}`, facade.CodeNotFound, "did you mean scripts?"},
		{`{"action":"run","script":"nothing/like/it.py"}`, facade.CodeNotFound, "list the directory"},
		{`{"action":"run","code":"1","cwd":"scripts/dep"}`, facade.CodeNotFound, "did you mean scripts/deep?"},
		{`{"action":"run","code":"1","cwd":"scripts/report.py"}`, facade.CodeNotDirectory, "is not a directory"},
		{`{"action":"run","code":"1","python":"/usr/bin/no-such-python"}`, facade.CodeNotFound, "use venv, system, or the path of an interpreter below the root or in /usr"},
		{`{"action":"run","code":"1","python":"/opt/python"}`, facade.CodeOutsideRoot, "use venv, system"},
		{`{"action":"run","code":"1","python":"3.12"}`, facade.CodeNotFound, "use venv, system"},
		{`{"action":"run","code":"1","args":["` + strings.Repeat("x", 200_000) + `"]}`, facade.CodeTooLarge, "pass it with 'stdin'"},
		{`{"action":"run_background","code":"1","args":["` + strings.Repeat("x", 200_000) + `"]}`, facade.CodeTooLarge, "pass it with 'stdin'"},
		{`{"action":"run","code":"1","timeout":0}`, facade.CodeInvalidArgument, "at least 0.001"},
		{`{"action":"run","code":"1","timeout":1e9}`, facade.CodeInvalidArgument, "at most 86400"},
		{`{"action":"run","code":"import time; print('on'); time.sleep(600)","yield_ms":2000}`, "", "running for "},
	} {
		args := strings.NewReplacer("TASK", begun.TaskID, "RAN", ran).Replace(c.args)
		res, err := tool.Call(t.Context(), facade.Call{Args: []byte(args)})
		if err != nil {
			t.Fatal(err)
		}
		var code facade.Code
		if res.Error != nil {
			code = res.Error.Code
		}
		if text := res.FullText(); code != c.code || !strings.Contains(text, c.want) || strings.Contains(text, "took 0 bytes") || strings.Contains(text, dir) {
			t.Errorf("%.150s gives %s:\n%.600s\nwant %s: %s", args, code, text, c.code, c.want)
		}
	}
	list, err := p.ListTasks(t.Context(), facade.PythonListTasksInput{State: facade.TaskRunning})
	if err != nil || len(list.Tasks) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	if _, err := p.TaskCancel(t.Context(), facade.PythonTaskCancelInput{TaskID: list.Tasks[0].TaskID}); err != nil {
		t.Error(err)
	}
}
