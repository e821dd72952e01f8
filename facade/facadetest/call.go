package facadetest

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// callLimit is how long one call of the suite may take: a call that hangs is a
// broken rule, not a test that never ends.
const callLimit = 30 * time.Second

// filesTest is what a rule works with: the fixture, and calls made as a model
// makes them. Every call is checked for what holds of all replies.
type filesTest struct {
	testing.TB
	*FilesFixture
	tool    *facade.Tool
	session string
	events  *Events
}

// as returns f calling on behalf of another session.
func (f *filesTest) as(session string) *filesTest {
	c := *f
	c.session = session
	return &c
}

// call calls an action with arguments given as name, value, name, value.
func (f *filesTest) call(action facade.FileAction, kv ...any) *facade.Result {
	f.Helper()
	args := map[string]any{"action": action}
	for i := 0; i < len(kv); i += 2 {
		args[kv[i].(string)] = kv[i+1]
	}
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(args); err != nil {
		f.Fatalf("arguments: %v", err)
	}
	return f.callJSON(raw.String())
}

// callJSON calls with arguments as a model writes them.
func (f *filesTest) callJSON(args string) *facade.Result {
	f.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	type reply struct {
		res *facade.Result
		err error
	}
	replies := make(chan reply, 1)
	go func() {
		res, err := f.tool.Call(ctx, facade.Call{
			ID: "call", Session: f.session, Args: json.RawMessage(args), Emit: f.events.Emit,
		})
		replies <- reply{res, err}
	}()
	select {
	case r := <-replies:
		if r.err != nil {
			f.Fatalf("call %s: Go error %v; a tool's failure belongs into the result", args, r.err)
		}
		f.inspect(args, r.res)
		return r.res
	case <-time.After(callLimit + time.Second):
		f.Fatalf("call %s: no reply, not even after its context ended", args)
		return nil
	}
}

// inspect checks what holds of every reply.
func (f *filesTest) inspect(args string, r *facade.Result) {
	f.Helper()
	raw := r.JSON()
	if r.Text == "" {
		f.Errorf("call %s: the reply has no text", args)
	}
	if len(r.Text) > facade.DefaultOutputBudget || len(raw) > facade.DefaultOutputBudget {
		f.Errorf("call %s: %d bytes of text, %d of JSON; the budget is %d", args, len(r.Text), len(raw), facade.DefaultOutputBudget)
	}
	var top struct{ Error *facade.Error }
	if err := json.Unmarshal(raw, &top); err != nil {
		f.Errorf("call %s: the structured form is not a JSON object: %v\n%s", args, err, raw)
	} else if r.Error == nil && top.Error != nil {
		f.Errorf("call %s: the structured form is above the budget; the implementation has to page it", args)
	}
	if r.Error == nil && strings.Contains(r.Text, "\n[cut: ") {
		f.Errorf("call %s: the text is above the budget; the implementation has to page it", args)
	}
	f.inspectError(args, r.Error)
	f.noHostPath(args, r.Text, string(raw))
}

// inspectError checks that a model can act on the failure.
func (f *filesTest) inspectError(args string, e *facade.Error) {
	f.Helper()
	if e == nil {
		return
	}
	if e.Message == "" || e.Tool == "" {
		f.Errorf("call %s: error without message or tool: %+v", args, e)
	}
	switch e.Code {
	case "", facade.CodeInternal:
		f.Errorf("call %s: error code %q (%s) tells the model nothing", args, e.Code, e.Message)
	case facade.CodeInvalidArgument, facade.CodeUnknownAction:
		if e.Field == "" && e.Hint == "" {
			f.Errorf("call %s: %s names neither a field nor a way on: %s", args, e.Code, e.Message)
		}
	default:
		if e.Hint == "" {
			f.Errorf("call %s: %s has no hint: %s", args, e.Code, e.Message)
		}
	}
}

// noHostPath checks that none of texts shows where the root is on the host.
func (f *filesTest) noHostPath(args string, texts ...string) {
	f.Helper()
	if f.HostPath == "" || strings.Contains(args, f.HostPath) {
		return // what the model said itself may be said back
	}
	for _, text := range texts {
		if strings.Contains(text, f.HostPath) {
			f.Errorf("call %s: the reply shows the root's host path: %s", args, text)
		}
	}
}

// ok calls an action that has to succeed.
func (f *filesTest) ok(action facade.FileAction, kv ...any) *facade.Result {
	f.Helper()
	r := f.call(action, kv...)
	if r.Error != nil {
		f.Fatalf("%s%v failed: %s", action, kv, r.Error.Text())
	}
	return r
}

// fails calls an action that has to fail with one of codes, separated by '|'.
func (f *filesTest) fails(codes string, action facade.FileAction, kv ...any) *facade.Result {
	f.Helper()
	r := f.call(action, kv...)
	if r.Error == nil {
		f.Fatalf("%s%v succeeded, want the error %s; it said: %s", action, kv, codes, r.Text)
	}
	if !slices.Contains(strings.Split(codes, "|"), string(r.Error.Code)) {
		f.Errorf("%s%v: code %q, want %s: %s", action, kv, r.Error.Code, codes, r.Error.Message)
	}
	return r
}

// data calls an action that has to succeed, and returns the structured form as
// a host would read it.
func data[T any](f *filesTest, action facade.FileAction, kv ...any) T {
	f.Helper()
	return decoded[T](f, f.ok(action, kv...))
}

func decoded[T any](f *filesTest, r *facade.Result) T {
	f.Helper()
	var out T
	if err := json.Unmarshal(r.JSON(), &out); err != nil {
		f.Fatalf("the structured form does not decode: %v\n%s", err, r.JSON())
	}
	return out
}

// seed writes files, given as path, content, path, content.
func (f *filesTest) seed(kv ...string) {
	f.Helper()
	for i := 0; i < len(kv); i += 2 {
		f.must(f.Store.WriteFile(kv[i], []byte(kv[i+1]), 0o644))
	}
}

func (f *filesTest) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatalf("preparing the store: %v", err)
	}
}

// holds checks a file's bytes.
func (f *filesTest) holds(path, want string) {
	f.Helper()
	got, err := f.Store.ReadFile(path)
	if err != nil {
		f.Errorf("%s: %v, want it to hold %q", path, err, want)
	} else if string(got) != want {
		f.Errorf("%s holds %q, want %q", path, got, want)
	}
}

// gone checks that nothing has these paths, links included.
func (f *filesTest) gone(paths ...string) {
	f.Helper()
	now := f.snapshot()
	for _, p := range paths {
		if what, ok := now[p]; ok {
			f.Errorf("%s is there (%.40q), want nothing", p, what)
		}
	}
}

func (f *filesTest) snapshot() map[string]string {
	f.Helper()
	s := f.Store
	if o, ok := s.(OutsideStore); ok {
		return f.everything(o)
	}
	all, err := s.Snapshot()
	f.must(err)
	return all
}

// everything is a snapshot of root and outside, with paths relative to the
// root.
func (f *filesTest) everything(o OutsideStore) map[string]string {
	f.Helper()
	all, err := o.Outside().Snapshot()
	f.must(err)
	out := map[string]string{}
	for p, what := range all {
		if inner, ok := strings.CutPrefix(p, o.RootName()+"/"); ok {
			out[inner] = what
		} else if p != o.RootName() {
			out["../"+p] = what
		}
	}
	return out
}

// unchanged checks that do changes no file, neither in the root nor beside it.
func (f *filesTest) unchanged(do func()) {
	f.Helper()
	before := f.snapshot()
	do()
	f.same(before, f.snapshot())
}

func (f *filesTest) same(before, after map[string]string) {
	f.Helper()
	for _, p := range slices.Sorted(maps.Keys(before)) {
		switch now, ok := after[p]; {
		case !ok:
			f.Errorf("%s is gone, want nothing changed", p)
		case now != before[p]:
			f.Errorf("%s became %.80q from %.80q, want nothing changed", p, now, before[p])
		}
	}
	for _, p := range slices.Sorted(maps.Keys(after)) {
		if _, ok := before[p]; !ok {
			f.Errorf("%s appeared (%.40q), want nothing changed", p, after[p])
		}
	}
}

// says checks that the reply's text mentions each of texts.
func (f *filesTest) says(r *facade.Result, texts ...string) {
	f.Helper()
	for _, want := range texts {
		if !strings.Contains(r.Text, want) {
			f.Errorf("the reply does not say %q: %s", want, r.Text)
		}
	}
}

// equal checks that got is want.
func equal[T comparable](f *filesTest, what string, got, want T) {
	f.Helper()
	if got != want {
		f.Errorf("%s is %#v, want %#v", what, got, want)
	}
}

// equals checks that got has the elements of want, in their order.
func equals[T comparable](f *filesTest, what string, got []T, want ...T) {
	f.Helper()
	if !slices.Equal(got, want) {
		f.Errorf("%s is %#v, want %#v", what, got, want)
	}
}

// sameSet checks that got has the elements of want in any order.
func sameSet(f *filesTest, what string, got []string, want ...string) {
	f.Helper()
	g, w := slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if !slices.Equal(g, w) {
		f.Errorf("%s is %q, want %q in any order", what, g, w)
	}
}
