package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/sandbox"
	"github.com/toolfacade/toolfacade/schema"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bench is a plane under test with a token for everything.
type bench struct {
	t     *testing.T
	p     *Plane
	admin string
}

func open(t *testing.T, dir string) *bench {
	t.Helper()
	box, err := sandbox.Named(t.Context(), "none")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Open(dir, box)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	first, err := p.First(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return &bench{t, p, first}
}

func (b *bench) call(token, tool, args string) *facade.Result {
	b.t.Helper()
	res, err := b.p.Call(b.t.Context(), token, tool, []byte(args))
	if err != nil {
		b.t.Fatal(err)
	}
	return res
}

// ok makes a call that succeeds and returns a member of its data, by path.
func (b *bench) ok(token, tool, args string, path ...string) any {
	b.t.Helper()
	res := b.call(token, tool, args)
	if !res.OK() {
		b.t.Fatalf("%s %s: %s", tool, args, res.FullText())
	}
	var data any
	if err := json.Unmarshal(res.JSON(), &data); err != nil {
		b.t.Fatal(err)
	}
	for _, name := range path {
		data = data.(map[string]any)[name]
	}
	return data
}

func (b *bench) fails(code facade.Code, token, tool, args string) refusal {
	b.t.Helper()
	res := b.call(token, tool, args)
	if res.OK() || res.Error.Code != code {
		b.t.Errorf("%s %s: want %s, got %s", tool, args, code, res.FullText())
		return refusal{}
	}
	return refusal{res.Error.Message, res.Error.Hint}
}

// refusal is what a model reads of a failure.
type refusal struct{ Message, Hint string }

// token makes a token and returns its secret.
func (b *bench) token(access, project string) string {
	b.t.Helper()
	return b.ok(b.admin, "token", `{"action":"create","access":"`+access+`","project":"`+project+`"}`, "secret").(string)
}

func (b *bench) project(name string) {
	b.t.Helper()
	b.ok(b.admin, "project", `{"action":"create","name":"`+name+`"}`)
}

// The tools have exactly the actions that are promised, and every provider can
// be told of them.
func TestTools(t *testing.T) {
	b := open(t, t.TempDir())
	want := map[string][]string{
		"project":   {"create", "list", "get", "delete"},
		"container": {"start", "stop", "logs", "exec"},
		"session":   {"spawn", "message", "get", "list", "end", "events", "cleanup"},
		"workspace": {"list", "delete"},
		"token":     {"create", "list", "revoke"},
		"schedule":  {"create", "list", "get", "update", "delete", "trigger"},
	}
	got, calls := map[string][]string{}, []string{}
	for _, tool := range b.p.set.Tools() {
		for _, a := range tool.Actions() {
			got[tool.Name()] = append(got[tool.Name()], a.Name)
			calls = append(calls, tool.Name()+"."+a.Name)
		}
		if _, err := schema.Render(tool, schema.OpenAIStrict); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("actions (-want +got)", diff)
	}
	slices.Sort(calls)
	if diff := cmp.Diff(calls, slices.Sorted(maps.Keys(needed))); diff != "" {
		t.Error("actions with an access (-want +got)", diff)
	}
}

func TestErrors(t *testing.T) {
	b := open(t, t.TempDir())
	e := b.fails(facade.CodeUnknownAction, b.admin, "project", `{"action":"foo"}`)
	if e.Message != "unknown action 'foo' for project tool; valid actions: create, list, get, delete" {
		t.Error(e.Message)
	}
	if e = b.fails(facade.CodeUnknownAction, b.admin, "project", `{"action":"creat"}`); e.Hint != "did you mean 'create'?" {
		t.Error(e.Hint)
	}
	b.project("shop")
	for _, test := range []struct {
		code       facade.Code
		tool, args string
	}{
		{facade.CodeInvalidArgument, "project", `{"action":"create"}`},
		{facade.CodeInvalidArgument, "project", `{"action":"create","name":"../up"}`},
		{facade.CodeInvalidArgument, "project", `{"action":"create","name":"a","prompt":"x"}`},
		{facade.CodeAlreadyExists, "project", `{"action":"create","name":"shop"}`},
		{facade.CodeNotFound, "project", `{"action":"get","name":"bar"}`},
		{facade.CodeNotFound, "project", `{"action":"delete","name":"bar"}`},
		{facade.CodeInvalidArgument, "session", `{"action":"spawn","prompt":"x"}`},
		{facade.CodeNotFound, "session", `{"action":"spawn","project":"bar","prompt":"x"}`},
		{facade.CodeNotFound, "session", `{"action":"get","project":"shop","id":"s-none"}`},
		{facade.CodeNotFound, "session", `{"action":"message","project":"shop","id":"s-none","text":"x"}`},
		{facade.CodeInvalidArgument, "workspace", `{"action":"delete","project":"shop","name":".."}`},
		{facade.CodeNotFound, "workspace", `{"action":"delete","project":"shop","name":"none"}`},
		{facade.CodeInvalidArgument, "token", `{"action":"create","access":"root"}`},
		{facade.CodeNotFound, "token", `{"action":"revoke","id":"t-none"}`},
		{facade.CodeInvalidArgument, "schedule", `{"action":"create","project":"shop","name":"n","prompt":"x","every_seconds":0}`},
		{facade.CodeNotFound, "schedule", `{"action":"trigger","project":"shop","name":"none"}`},
		{facade.CodeNotFound, "container", `{"action":"logs","project":"shop","id":"c-none"}`},
	} {
		b.fails(test.code, b.admin, test.tool, test.args)
	}
}

// Each access may do what it may, and nothing above it.
func TestAccess(t *testing.T) {
	b := open(t, t.TempDir())
	b.project("shop")
	read, write := b.token("read", ""), b.token("write", "")
	for _, args := range []string{`{"action":"list"}`, `{"action":"get","name":"shop"}`} {
		b.ok(read, "project", args)
	}
	e := b.fails(facade.CodeDenied, read, "project", `{"action":"create","name":"new"}`)
	if e.Message != "project.create needs admin access, this token has read" {
		t.Error(e.Message)
	}
	const spawn = `{"action":"spawn","project":"shop","prompt":"x"}`
	b.fails(facade.CodeDenied, read, "session", spawn)
	b.ok(write, "session", spawn)
	b.fails(facade.CodeDenied, write, "project", `{"action":"delete","name":"shop"}`)
	b.fails(facade.CodeDenied, write, "token", `{"action":"list"}`)
	b.fails(facade.CodeDenied, write, "session", `{"action":"cleanup","project":"shop"}`)
	for _, nobody := range []string{"", "guess", b.admin + "x"} {
		b.fails(facade.CodeDenied, nobody, "project", `{"action":"list"}`)
	}
	tokens := b.ok(b.admin, "token", `{"action":"list"}`, "tokens").([]any)
	for _, tok := range tokens {
		if m := tok.(map[string]any); m["access"] == "read" {
			b.ok(b.admin, "token", `{"action":"revoke","id":"`+m["id"].(string)+`"}`)
		}
	}
	b.fails(facade.CodeDenied, read, "project", `{"action":"list"}`)
	for call, need := range needed { // whatever it needs, nobody has none
		tool, action, _ := strings.Cut(call, ".")
		res := b.call("", tool, `{"action":"`+action+`"}`)
		if res.OK() || res.Error.Code != facade.CodeDenied && res.Error.Code != facade.CodeInvalidArgument {
			t.Errorf("%s (%s): %s", call, need, res.FullText())
		}
	}
}

// A token of one project sees and changes nothing of another.
func TestProjectToken(t *testing.T) {
	b := open(t, t.TempDir())
	b.project("shop")
	b.project("bank")
	secret := b.ok(b.admin, "session", `{"action":"spawn","project":"bank","prompt":"secret"}`, "session", "id").(string)
	bank := b.ok(b.admin, "token", `{"action":"create","access":"read","project":"bank"}`, "token", "id").(string)
	shop := b.token("admin", "shop")
	for tool, calls := range map[string][]string{
		"project":   {`{"action":"get","name":"bank"}`, `{"action":"delete","name":"bank"}`, `{"action":"create","name":"other"}`, `{"action":"list","project":"bank"}`},
		"session":   {`{"action":"list","project":"bank"}`, `{"action":"get","project":"bank","id":"` + secret + `"}`, `{"action":"cleanup","project":"bank"}`},
		"container": {`{"action":"exec","project":"bank","command":"true"}`},
		"workspace": {`{"action":"list","project":"bank"}`},
		"schedule":  {`{"action":"list","project":"bank"}`},
		"token":     {`{"action":"create","access":"read","project":"bank"}`, `{"action":"list","project":"bank"}`},
	} {
		for _, args := range calls {
			b.fails(facade.CodeDenied, shop, tool, args)
		}
	}
	b.fails(facade.CodeNotFound, shop, "session", `{"action":"get","id":"`+secret+`"}`) // looked for in its own
	b.fails(facade.CodeNotFound, shop, "token", `{"action":"revoke","id":"`+bank+`"}`)
	if got := b.ok(shop, "project", `{"action":"list"}`, "projects").([]any); len(got) != 1 {
		t.Errorf("it sees %v", got)
	}
	if got := b.ok(shop, "token", `{"action":"list"}`, "tokens").([]any); len(got) != 1 {
		t.Errorf("it sees the tokens %v", got)
	}
	own := b.ok(shop, "token", `{"action":"create","access":"admin"}`, "token", "project")
	if own != "shop" {
		t.Errorf("it made a token for %v", own)
	}
	b.ok(shop, "session", `{"action":"spawn","prompt":"x"}`)
	b.ok(b.admin, "project", `{"action":"delete","name":"shop"}`)
	b.fails(facade.CodeDenied, shop, "project", `{"action":"list"}`) // its tokens went with it
}

func TestSession(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir)
	b.project("shop")
	id := b.ok(b.admin, "session", `{"action":"spawn","project":"shop","prompt":"go"}`, "session", "id").(string)
	in := `"project":"shop","id":"` + id + `"`
	b.ok(b.admin, "session", `{"action":"message",`+in+`,"text":"faster"}`)
	if got := b.ok(b.admin, "session", `{"action":"events",`+in+`,"after":1}`, "events").([]any); len(got) != 1 || got[0].(map[string]any)["text"] != "faster" {
		t.Errorf("events %v", got)
	}
	if got := b.ok(b.admin, "workspace", `{"action":"list","project":"shop"}`, "workspaces").([]any); len(got) != 1 {
		t.Errorf("workspaces %v", got)
	}
	b.fails(facade.CodeConflict, b.admin, "workspace", `{"action":"delete","project":"shop","name":"`+id+`"}`)
	b.ok(b.admin, "session", `{"action":"end",`+in+`}`)
	b.ok(b.admin, "session", `{"action":"end",`+in+`}`)
	b.fails(facade.CodeConflict, b.admin, "session", `{"action":"message",`+in+`,"text":"x"}`)
	if got := b.ok(b.admin, "session", `{"action":"list","project":"shop","status":"active"}`, "sessions").([]any); len(got) != 0 {
		t.Errorf("active sessions %v", got)
	}
	if got := b.ok(b.admin, "session", `{"action":"get",`+in+`}`, "session", "events"); got != float64(3) {
		t.Errorf("%v events", got)
	}
	if got := b.ok(b.admin, "session", `{"action":"cleanup","project":"shop"}`, "removed").([]any); len(got) != 1 || got[0] != id {
		t.Errorf("removed %v", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "projects", "shop", id)); !os.IsNotExist(err) {
		t.Errorf("the workspace is there: %v", err)
	}
}

func TestSchedule(t *testing.T) {
	b := open(t, t.TempDir())
	b.project("shop")
	in := `"project":"shop","name":"nightly"`
	b.ok(b.admin, "schedule", `{"action":"create",`+in+`,"prompt":"sweep","every_seconds":3600}`)
	b.fails(facade.CodeAlreadyExists, b.admin, "schedule", `{"action":"create",`+in+`,"prompt":"sweep","every_seconds":3600}`)
	tick := func(after time.Duration, want int) {
		t.Helper()
		if got, err := b.p.Tick(t.Context(), time.Now().Add(after)); err != nil || got != want {
			t.Errorf("%d sessions after %v, %v; want %d", got, after, err, want)
		}
	}
	tick(0, 0)
	tick(61*time.Minute, 1)
	tick(0, 0)
	b.ok(b.admin, "schedule", `{"action":"update",`+in+`,"enabled":false,"prompt":"mop"}`)
	tick(100*time.Hour, 0)
	id := b.ok(b.admin, "schedule", `{"action":"trigger",`+in+`}`, "session", "id")
	if got := b.ok(b.admin, "schedule", `{"action":"get",`+in+`}`, "schedule").(map[string]any); got["last_session"] != id || got["prompt"] != "mop" {
		t.Errorf("schedule %v", got)
	}
	b.ok(b.admin, "schedule", `{"action":"delete",`+in+`}`)
	if got := b.ok(b.admin, "schedule", `{"action":"list","project":"shop"}`, "schedules").([]any); len(got) != 0 {
		t.Errorf("schedules %v", got)
	}
}

func TestContainer(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir)
	b.project("shop")
	b.project("bank")
	if got := b.ok(b.admin, "container", `{"action":"exec","project":"shop","command":"echo hello; pwd; exit 3"}`).(map[string]any); got["exit_code"] != float64(3) || !strings.HasPrefix(got["stdout"].(string), "hello\n") {
		t.Errorf("exec %v", got)
	}
	id := b.ok(b.admin, "container", `{"action":"start","project":"shop","command":"echo ready; sleep 600"}`, "container", "id").(string)
	in := `"project":"shop","id":"` + id + `"`
	for range 1000 {
		if strings.Contains(b.call(b.admin, "container", `{"action":"logs",`+in+`}`).FullText(), "ready") {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got := b.call(b.admin, "container", `{"action":"logs",`+in+`}`).FullText(); !strings.Contains(got, "ready") {
		t.Errorf("logs %s", got)
	}
	b.fails(facade.CodeNotFound, b.admin, "container", `{"action":"logs","project":"bank","id":"`+id+`"}`)
	if got := b.ok(b.admin, "container", `{"action":"stop",`+in+`}`, "state"); got != string(facade.TaskCanceled) {
		t.Errorf("state %v", got)
	}
	b.fails(facade.CodeNotFound, b.admin, "container", `{"action":"stop",`+in+`}`)
}

// Everything but what runs outlives the program; main speaks in lines.
func TestMainProgram(t *testing.T) {
	dir := t.TempDir()
	var out, stderr bytes.Buffer
	if err := run(t.Context(), []string{"-data", dir, "-sandbox", "none"}, strings.NewReader(`{"tool":"project","action":"list"}`), &out, &stderr); err != nil {
		t.Fatal(err)
	}
	_, secret, ok := strings.Cut(strings.TrimSpace(stderr.String()), "only now: ")
	if !ok || !strings.Contains(out.String(), `"status":"error"`) {
		t.Fatalf("standard error %q, output %s", &stderr, &out)
	}
	lines := `{"tool":"project","action":"create","name":"shop"}` + "\n[]\n{}\n" + `{"tool":"nothing"}` + "\n"
	for range 2 {
		out.Reset()
		if err := run(t.Context(), []string{"-data", dir, "-sandbox", "none", "-token", secret}, strings.NewReader(lines), &out, &stderr); err != nil {
			t.Fatal(err)
		}
		lines = `{"tool":"project","action":"list"}` + "\n"
	}
	if got := out.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `"name":"shop"`) {
		t.Errorf("after a restart: %s", got)
	}
}
