package facadetest

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

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
	type reply struct {
		r   *facade.Result
		err error
	}
	replies := make(chan reply, 1)
	go func() {
		r, err := d.tool.Call(ctx, facade.Call{ID: "call", Args: raw, Emit: d.events.Emit})
		replies <- reply{r, err}
	}()
	select {
	case got := <-replies:
		if got.err != nil {
			d.Fatalf("call %s: Go error %v; a tool's failure belongs into the result", raw, got.err)
		}
		d.inspect(string(raw), got.r)
		return got.r
	case <-time.After(callLimit + time.Second):
		d.Fatalf("call %s: no reply, not even after its context ended", raw)
		return nil
	}
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
	if e := r.Error; e != nil {
		if e.Code == "" || e.Code == facade.CodeInternal || e.Message == "" || e.Hint == "" && e.Field == "" {
			d.Errorf("call %s: the error tells the model nothing: %+v", args, e)
		}
		d.onlyError(args, raw)
	}
	if d.HostPath != "" && !strings.Contains(args, d.HostPath) && (strings.Contains(r.Text, d.HostPath) || strings.Contains(string(raw), d.HostPath)) {
		d.Errorf("call %s: the reply shows the root's host path", args)
	}
}

// onlyError checks that a failed reply has no data, which could be taken for a
// result.
func (d *documentTest) onlyError(args string, raw []byte) {
	d.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		d.Errorf("call %s: the structured form is no JSON object: %v", args, err)
	}
	for name := range members {
		if name != "error" && name != "notes" {
			d.Errorf("call %s: it fails, and returns %q all the same", args, name)
		}
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

// fails calls and expects a failure with one of codes, separated by '|'.
func (d *documentTest) fails(codes string, action facade.DocumentAction, kv ...any) *facade.Error {
	d.Helper()
	r := d.call(action, kv...)
	if r.Error == nil {
		d.Fatalf("%s%v succeeds, want %s; it says: %s", action, kv, codes, r.Text)
	}
	if !slices.Contains(strings.Split(codes, "|"), string(r.Error.Code)) {
		d.Fatalf("%s%v: error %v, want %s", action, kv, r.Error, codes)
	}
	return r.Error
}

// refuses is fails with a hint or message that says something.
func (d *documentTest) refuses(code, says string, action facade.DocumentAction, kv ...any) {
	d.Helper()
	if e := d.fails(code, action, kv...); !strings.Contains(e.Text(), says) {
		d.Errorf("%s%v: the failure does not say %q: %s", action, kv, says, e.Text())
	}
}

// read reads a document with more arguments.
func (d *documentTest) read(path string, kv ...any) facade.DocumentReadOutput {
	d.Helper()
	return documentData[facade.DocumentReadOutput](d, "read", append([]any{"path", path}, kv...)...)
}

// index indexes and returns what the first backend says.
func (d *documentTest) index(path string, kv ...any) facade.DocumentIndexed {
	d.Helper()
	out := documentData[facade.DocumentIndexOutput](d, "index", append([]any{"path", path}, kv...)...)
	if len(out.Backends) == 0 {
		d.Fatalf("index of %s has no result of a backend", path)
	}
	if b := out.Backends[0]; b.Error != nil || b.Backend == "" || b.DurationMS < 0 {
		d.Fatalf("index of %s: the backend says %+v", path, b)
	}
	return out.Backends[0]
}

// hits searches.
func (d *documentTest) hits(query string, kv ...any) []facade.DocumentHit {
	d.Helper()
	return documentData[facade.DocumentSearchOutput](d, "search", append([]any{"query", query}, kv...)...).Hits
}

// found searches and returns the paths of the hits, the best first.
func (d *documentTest) found(query string, kv ...any) []string {
	d.Helper()
	paths := []string{}
	for _, h := range d.hits(query, kv...) {
		paths = append(paths, h.Path)
	}
	return paths
}

// finds checks the paths that a query finds, in any order.
func (d *documentTest) finds(query string, want ...string) {
	d.Helper()
	got := d.found(query)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		d.Errorf("%q is found in %q, want %q", query, got, want)
	}
}

func (d *documentTest) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatalf("preparing the store: %v", err)
	}
}

// sample writes the first sample that has something, and returns it.
func (d *documentTest) sample(has func(s DocumentSample) bool) DocumentSample {
	d.Helper()
	i := slices.IndexFunc(d.Samples, has)
	d.must(d.Store.WriteFile(d.Samples[i].Name, d.Samples[i].Data, 0o644))
	return d.Samples[i]
}

// sampled needs a sample that has something.
func sampled(what string, has func(s DocumentSample) bool) func(f *DocumentFixture) string {
	return func(f *DocumentFixture) string {
		if !slices.ContainsFunc(f.Samples, has) {
			return "there is no sample with " + what
		}
		return ""
	}
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
