//go:build unix

package termexec_test

import (
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/sandbox"
	"github.com/toolfacade/toolfacade/termexec"
)

// TestUnhappyCalls makes calls as models make them when they are wrong, and
// reads what they are told.
func TestUnhappyCalls(t *testing.T) {
	dir := t.TempDir()
	term := open(t, dir, &termexec.Options{Sandbox: sandbox.None{}, TaskDir: t.TempDir()})
	tool := facade.Terminal(term)
	long := strings.Repeat("x", 200_000)
	call := func(args string, code facade.Code, want string) *facade.Result {
		t.Helper()
		res, err := tool.Call(t.Context(), facade.Call{Args: []byte(args)})
		if err != nil {
			t.Fatal(err)
		}
		var got facade.Code
		if res.Error != nil {
			got = res.Error.Code
		}
		if text := res.FullText(); got != code || !strings.Contains(text, want) || strings.Contains(text, "took 0 bytes") {
			t.Errorf("%.150s gives %s:\n%.600s\nwant %s: %s", args, got, text, code, want)
		}
		return res
	}
	call(`{"action":"run","command":"echo a\u0000b"}`, facade.CodeInvalidArgument, `"echo a\x00b" has a zero byte`)
	call(`{"action":"run","command":"echo","args":["x","a\u0000b"]}`, facade.CodeInvalidArgument, "no argument can have")
	call(`{"action":"start","command":"echo a\u0000b"}`, facade.CodeInvalidArgument, "no argument can have")
	call(`{"action":"run","command":"pwd","cwd":"a\u0000b"}`, facade.CodeInvalidArgument, "no path can have")
	call(`{"action":"run","command":"echo `+long+`"}`, facade.CodeTooLarge, "put it into a file")
	call(`{"action":"run","command":"echo","args":["`+long+`"]}`, facade.CodeTooLarge, "put it into a file")
	call(`{"action":"start","command":"echo `+long+`"}`, facade.CodeTooLarge, "put it into a file")
	call(`{"action":"kill","task_id":""}`, facade.CodeInvalidArgument, "'task_id' is required (or 'pid')")
	call(`{"action":"kill","pid":1}`, facade.CodeNotFound, "process 1 was not started here")

	yields := call(`{"action":"run","command":"sleep 600","yield_ms":100}`, "", "running for ").Data.(facade.TerminalRunOutput)
	call(`{"action":"input","task_id":"`+yields.TaskID+`","data":"x"}`, facade.CodeConflict, "the program was not started with start, which leaves it open")
	call(`{"action":"kill","task_id":"`+yields.TaskID+`"}`, "", yields.TaskID+": canceled")
	call(`{"action":"kill","task_id":"`+yields.TaskID+`"}`, "", yields.TaskID+": canceled")
	call(`{"action":"input","task_id":"`+yields.TaskID+`","data":"x"}`, facade.CodeConflict, "has ended: canceled\nhint: start it again to feed it; output has what it wrote")
	ended := call(`{"action":"run","command":"true"}`, "", "succeeded").Data.(facade.TerminalRunOutput)
	call(`{"action":"kill","task_id":"`+ended.TaskID+`"}`, "", "had ended before: succeeded")
}
