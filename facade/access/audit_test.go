package access_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/access"
)

// sink is a log that fails while it is told to.
type sink struct {
	mu  sync.Mutex
	buf bytes.Buffer
	err error
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	return s.buf.Write(p)
}

func (s *sink) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

// records returns the logged objects, without what varies.
func (s *sink) records(t *testing.T) []map[string]any {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []map[string]any
	for line := range strings.Lines(s.buf.String()) {
		var r map[string]any
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if _, ok := r["duration_ms"].(float64); !ok && r["tool"] != nil {
			t.Errorf("no duration in %s", line)
		}
		delete(r, "time")
		delete(r, "duration_ms")
		all = append(all, r)
	}
	return all
}

func (s *sink) handler() slog.Handler { return slog.NewJSONHandler(s, nil) }

func TestAudit(t *testing.T) {
	set := files(t)
	verdict := access.Allow
	p := newPolicy(t, set, &access.PolicyOptions{
		Approver: func(_ ctxt, r access.Request) (access.Decision, error) {
			return access.Decision{Verdict: verdict, Digest: r.Digest}, nil
		},
	}, access.Rule{Name: "no secrets", Verdict: access.Deny, Paths: []string{"/secret"}})
	var log sink
	guarded := set.With(access.NewAudit(log.handler(), nil).Middleware, p.Middleware)
	type record = map[string]any
	want := func(level, action, effect, decision, rule, code string, paths ...any) record {
		return record{
			"level": level, "msg": "tool call", "id": "1", "session": "s", "tool": "filesystem", "action": action,
			"effect": effect, "decision": decision, "rule": rule, "code": code, "resources": paths,
		}
	}
	const destroys = "write, destructive"
	for _, c := range []struct {
		args    string
		verdict access.Verdict
		want    record
	}{
		{
			`{"action":"read","path":"src/main.go"}`, 0,
			want("INFO", "read", "read, idempotent", "allow", "default", "", "src/main.go"),
		},
		{
			`{"action":"read","path":"src/non\ne"}`, 0,
			want("WARN", "read", "read, idempotent", "allow", "default", "not_found", "src/non\ne"),
		},
		{
			`{"action":"read","path":"secret/key"}`, 0,
			want("WARN", "read", "read, idempotent", "deny", "no secrets", "denied", "secret/key"),
		},
		{
			`{"action":"write","path":"a","content":"CONTENT"}`, access.Allow,
			want("INFO", "write", destroys, "approved", "default", "", "a"),
		},
		{
			`{"action":"write","path":"b","content":"CONTENT"}`, access.Deny,
			want("WARN", "write", destroys, "refused", "default", "denied", "b"),
		},
		{
			`{"action":"write","path":"b","content":"CONTENT"}`, access.Ask,
			want("WARN", "write", destroys, "needs_approval", "default", "needs_approval", "b"),
		},
		{
			`{"action":"edit","edits":[{"path":"a","old_text":"CONTENT","new_text":"CONTENT2"}]}`, access.Deny,
			want("WARN", "edit", destroys, "refused", "default", "denied", "a"),
		},
	} {
		log.buf.Reset()
		verdict = c.verdict
		dispatch(t, guarded, "filesystem", c.args)
		if strings.Contains(log.buf.String(), "CONTENT") {
			t.Errorf("contents in the log: %s", &log.buf)
		}
		if diff := cmp.Diff([]record{c.want}, log.records(t)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.args, diff)
		}
	}
}

func TestAuditOfPanic(t *testing.T) {
	var log sink
	set := plain(func(ctxt) error { panic("at /srv/host") }).With(access.NewAudit(log.handler(), nil).Middleware)
	if r := dispatch(t, set, "plain", `{"action":"read"}`); codeOf(r) != facade.CodeInternal {
		t.Errorf("got %s", r.Text)
	}
	if got := log.records(t); len(got) != 1 || got[0]["code"] != "internal" || got[0]["decision"] != "none" {
		t.Errorf("records %v", got)
	}
}

// While the log fails nothing runs, and nothing is forgotten.
func TestAuditFailsClosed(t *testing.T) {
	var log sink
	var told []error
	ran := 0
	set := plain(func(ctxt) error { ran++; return nil }).
		With(access.NewAudit(log.handler(), &access.AuditOptions{OnFailure: func(err error) { told = append(told, err) }}).Middleware)
	full := errors.New("disk full")
	call := func(want facade.Code, text string) {
		t.Helper()
		if r := dispatch(t, set, "plain", `{"action":"write"}`); codeOf(r) != want || !strings.Contains(r.Text, text) {
			t.Errorf("got %s; want code %q", r.Text, want)
		}
	}
	call("", "")
	log.fail(full)
	call(facade.CodeUnavailable, "the call ran, but")
	call(facade.CodeUnavailable, "nothing may run")
	call(facade.CodeUnavailable, "nothing may run")
	if ran != 2 || len(told) != 1 || !errors.Is(told[0], full) {
		t.Errorf("%d calls ran, told %v", ran, told)
	}
	log.fail(nil)
	call("", "")
	var got []string
	for _, r := range log.records(t) {
		got = append(got, r["msg"].(string))
	}
	want := []string{"tool call", "tool call", "tool calls were refused while the audit log failed", "tool call"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("(-want +got)", diff)
	}
}

func TestAuditBestEffort(t *testing.T) {
	var log sink
	log.fail(errors.New("disk full"))
	set := plain(nothing).With(access.NewAudit(log.handler(), &access.AuditOptions{BestEffort: true}).Middleware)
	for range 2 {
		if r := dispatch(t, set, "plain", `{"action":"write"}`); !r.OK() {
			t.Errorf("got %s", r.Text)
		}
	}
}

type panicking struct{ slog.Handler }

func (panicking) Enabled(context.Context, slog.Level) bool { panic("in a handler") }

// A handler that drops records, or panics, does not take them.
func TestAuditHandlers(t *testing.T) {
	for name, h := range map[string]slog.Handler{
		"filter":  slog.NewJSONHandler(&sink{}, &slog.HandlerOptions{Level: slog.LevelError}),
		"discard": slog.DiscardHandler,
		"panic":   panicking{},
	} {
		set := plain(nothing).With(access.NewAudit(h, nil).Middleware)
		if r := dispatch(t, set, "plain", `{"action":"read"}`); codeOf(r) != facade.CodeUnavailable {
			t.Errorf("%s: got %s", name, r.Text)
		}
	}
}

// The record of a call that was canceled is written all the same.
func TestAuditCanceled(t *testing.T) {
	var log sink
	ctx, cancel := context.WithCancel(t.Context())
	set := plain(func(ctx ctxt) error { cancel(); return ctx.Err() }).With(access.NewAudit(log.handler(), nil).Middleware)
	if _, err := set.Dispatch(ctx, "plain", facade.Call{Args: json.RawMessage(`{"action":"read"}`)}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got := log.records(t); len(got) != 1 || got[0]["code"] != "canceled" {
		t.Errorf("records %v", got)
	}
}

// TestAuditConcurrent writes one record for each call.
func TestAuditConcurrent(t *testing.T) {
	var log sink
	set := plain(nothing).With(access.NewAudit(log.handler(), nil).Middleware)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 25 {
				if _, err := set.Dispatch(t.Context(), "plain", facade.Call{Args: json.RawMessage(`{"action":"read"}`)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := len(log.records(t)); got != 200 {
		t.Errorf("%d records of 200 calls", got)
	}
}
