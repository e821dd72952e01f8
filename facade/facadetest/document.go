package facadetest

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// DocumentHarness tells [TestDocument] how to get an implementation to test.
type DocumentHarness struct {
	// New returns a fixture over an empty root that nothing else uses. It is
	// called once per rule, and releases what it holds with t.Cleanup.
	New func(tb testing.TB) *DocumentFixture
	// Skip names rules that the implementation is known not to keep, with the
	// reason. They are reported as skipped. A name that is no rule's fails.
	Skip map[string]string
}

// DocumentFixture is one fresh implementation and the suite's own way to the
// documents it reads.
type DocumentFixture struct {
	// Tools is the implementation. It reads at least plain text, Markdown and
	// CSV. Rules about search and images run when it has the optional interface.
	Tools facade.DocumentReader
	// Store reaches the same files without going through Tools.
	Store Store
	// HostPath is the root's path on the host, "" when there is none; nothing
	// that Tools returns may contain it.
	HostPath string
}

// TestDocument runs every rule of the document contract that h's
// implementation is able to keep, each as a subtest on a fresh fixture.
func TestDocument(t *testing.T, h DocumentHarness) {
	rules := documentRules()
	for name := range h.Skip {
		if !slices.ContainsFunc(rules, func(r documentRule) bool { return r.Name == name }) {
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

// documentRule is one rule of the contract.
type documentRule struct {
	// Name is "group/rule".
	Name string
	// Explanation is the rule in a sentence; a failure prints it.
	Explanation string
	// Needs returns why the rule does not apply, or "". nil means it does.
	Needs func(f *DocumentFixture) string
	// Run checks the rule.
	Run func(f *documentTest)
}

func (r documentRule) check(tb testing.TB, h DocumentHarness) {
	tb.Helper()
	f := h.New(tb)
	if r.Needs != nil {
		if why := r.Needs(f); why != "" {
			tb.Skip(why)
		}
	}
	tb.Cleanup(func() {
		if tb.Failed() {
			tb.Logf("the contract: %s", r.Explanation)
		}
	})
	r.Run(&documentTest{TB: tb, DocumentFixture: f, tool: facade.Document(f.Tools)})
}

// indexes needs an implementation that searches.
func indexes(f *DocumentFixture) string {
	if _, ok := f.Tools.(facade.DocumentIndexer); !ok {
		return "the implementation has no DocumentIndexer"
	}
	return ""
}

// readsImages needs an implementation that reads images.
func readsImages(f *DocumentFixture) string {
	if _, ok := f.Tools.(facade.DocumentImageReader); !ok {
		return "the implementation has no DocumentImageReader"
	}
	return ""
}

// documentRules lists the whole contract, group by group.
func documentRules() []documentRule {
	return slices.Concat(documentReadRules(), documentPageRules(), documentSearchRules(), documentImageRules())
}

// documentTest is what a rule works with.
type documentTest struct {
	testing.TB
	*DocumentFixture
	tool *facade.Tool
}

// seed writes files given as path, content, path, content.
func (d *documentTest) seed(kv ...string) {
	d.Helper()
	for i := 0; i < len(kv); i += 2 {
		if err := d.Store.WriteFile(kv[i], []byte(kv[i+1]), 0o644); err != nil {
			d.Fatal(err)
		}
	}
}

// call calls an action with arguments given as name, value, name, value.
func (d *documentTest) call(action facade.DocumentAction, kv ...any) *facade.Result {
	d.Helper()
	args := map[string]any{"action": action}
	for i := 0; i < len(kv); i += 2 {
		args[kv[i].(string)] = kv[i+1]
	}
	raw, err := json.Marshal(args)
	if err != nil {
		d.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(d.Context(), callLimit)
	defer cancel()
	r, err := d.tool.Call(ctx, facade.Call{ID: "call", Args: raw})
	if err != nil {
		d.Fatalf("call %s: Go error %v; a tool's failure belongs into the result", raw, err)
	}
	d.inspect(string(raw), r)
	return r
}

// inspect checks what holds of every reply.
func (d *documentTest) inspect(args string, r *facade.Result) {
	d.Helper()
	raw := r.JSON()
	if r.Text == "" {
		d.Errorf("call %s: the reply has no text", args)
	}
	if len(r.Text) > facade.DefaultOutputBudget || len(raw) > facade.DefaultOutputBudget {
		d.Errorf("call %s: %d bytes of text, %d of JSON; the budget is %d", args, len(r.Text), len(raw), facade.DefaultOutputBudget)
	}
	if r.Error == nil && (bytes.HasPrefix(raw, []byte(`{"error"`)) || strings.Contains(r.Text, "\n[cut: ")) {
		d.Errorf("call %s: the reply is above the budget; the implementation has to page it", args)
	}
	if e := r.Error; e != nil && (e.Code == "" || e.Code == facade.CodeInternal || e.Message == "" || e.Hint == "" && e.Field == "") {
		d.Errorf("call %s: the error tells the model nothing: %+v", args, e)
	}
	if d.HostPath != "" && !strings.Contains(args, d.HostPath) && (strings.Contains(r.Text, d.HostPath) || strings.Contains(string(raw), d.HostPath)) {
		d.Errorf("call %s: the reply shows the root's host path", args)
	}
}

// ok calls and expects success.
func (d *documentTest) ok(action facade.DocumentAction, kv ...any) *facade.Result {
	d.Helper()
	r := d.call(action, kv...)
	if r.Error != nil {
		d.Fatalf("%s%v fails: %v", action, kv, r.Error)
	}
	return r
}

// fails calls and expects a failure.
func (d *documentTest) fails(code facade.Code, action facade.DocumentAction, kv ...any) *facade.Error {
	d.Helper()
	r := d.call(action, kv...)
	if r.Error == nil || r.Error.Code != code {
		d.Fatalf("%s%v: error %v, want %s", action, kv, r.Error, code)
	}
	return r.Error
}

// documentData calls and decodes the structured form of the reply.
func documentData[T any](d *documentTest, action facade.DocumentAction, kv ...any) T {
	d.Helper()
	var out T
	if err := json.Unmarshal(d.ok(action, kv...).JSON(), &out); err != nil {
		d.Fatal(err)
	}
	return out
}
