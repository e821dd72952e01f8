package facade_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

func TestResultJSON(t *testing.T) {
	type data struct {
		N         int    `json:"n"`
		Truncated bool   `json:"truncated"`
		Notes     string `json:"notes,omitempty"`
		Error     string `json:"error,omitempty"`
	}
	failure := facade.Errorf(facade.CodeTimeout, "too slow")
	const failureJSON = `"error":{"code":"timeout","message":"too slow","tool":"","action":"","retryable":true,"http_status":504}`
	for _, c := range []struct {
		what string
		r    facade.Result
		want string
	}{
		{"nothing", facade.Result{}, `{}`},
		{"data", facade.Result{Data: data{N: 1}}, `{"n":1,"truncated":false}`},
		{"no escapes for HTML", facade.Result{Data: map[string]string{"a": "<b> & c"}}, `{"a":"<b> & c"}`},
		{"notes beside data", facade.Result{Data: map[string]int{"n": 1}, Notes: []string{"x"}}, `{"n":1,"notes":["x"]}`},
		{"error without data", facade.Result{Error: failure}, `{` + failureJSON + `}`},
		{"error beside data", facade.Result{Data: map[string]int{"n": 1}, Error: failure}, `{"n":1,` + failureJSON + `}`},
		{"data that was cut", facade.Result{Data: data{N: 1, Truncated: true}}, `{"n":1,"truncated":true}`},
		{"both were cut", facade.Result{Data: data{N: 1, Truncated: true}, Truncated: true}, `{"n":1,"truncated":true}`},
		{"the reply was cut", facade.Result{Data: data{N: 1}, Truncated: true}, `{"n":1,"truncated":true}`},
		{"only names of the reply", facade.Result{Data: data{}, Truncated: true}, `{"n":0,"truncated":true}`},
		{
			"every name taken",
			facade.Result{Data: data{1, true, "mine", "mine"}, Notes: []string{"x"}, Error: failure},
			`{"n":1,"truncated":true,"notes":["x"],` + failureJSON + `}`,
		},
		{"all members taken", facade.Result{Data: map[string]int{"notes": 1}, Notes: []string{"x"}}, `{"notes":["x"]}`},
	} {
		got := c.r.JSON()
		if diff := cmp.Diff(c.want, string(got)); diff != "" {
			t.Errorf("%s:\n%s", c.what, diff)
		}
		noDoubledNames(t, got)
	}
}

// noDoubledNames fails when the object has a member twice.
func noDoubledNames(t *testing.T, raw []byte) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		if name := key.(string); seen[name] {
			t.Errorf("%q is doubled in %s", name, raw)
		} else {
			seen[name] = true
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
	}
}

func TestResultJSONThatCannotBeRendered(t *testing.T) {
	for what, data := range map[string]any{"a channel": make(chan int), "a list": []int{1}, "a nil pointer": (*echo)(nil)} {
		raw := (&facade.Result{Data: data}).JSON()
		var got struct{ Error struct{ Code facade.Code } }
		if err := json.Unmarshal(raw, &got); err != nil || got.Error.Code != facade.CodeInternal {
			t.Errorf("%s: %s", what, raw)
		}
	}
}

// long is an output of text.
type long struct {
	Text string `json:"text"`
}

func (o long) Present(r *facade.Result) { r.Text = o.Text }

type sizeInput struct {
	Text string `json:"text,omitempty"`
	Fail bool   `json:"fail,omitempty"`
}

// longTool returns long texts, or fails with one.
func longTool(budget int) *facade.Set {
	return facade.NewSet([]*facade.Tool{facade.New("long", "", facade.Bind("say", facade.EffectRead, "",
		func(ctx context.Context, in sizeInput) (long, error) {
			if facade.Budget(ctx) != budget && budget != 0 {
				return long{}, facade.Errorf(facade.CodeInternal, "the budget is %d", facade.Budget(ctx))
			}
			if in.Fail {
				return long{}, facade.Errorf(facade.CodeConflict, "%s", in.Text).WithHint("%s", in.Text)
			}
			return long{in.Text}, nil
		}))}, &facade.Options{OutputBudget: budget})
}

func TestOutputBudget(t *testing.T) {
	for _, budget := range []int{1, 50, 300, 1000, 0} {
		limit := budget
		if limit == 0 {
			limit = facade.DefaultOutputBudget
		}
		for _, unit := range []string{"x", "é", "語", "\U0001F600"} {
			for _, fail := range []string{"false", "true"} {
				text := strings.Repeat(unit, 2*limit)
				args := json.RawMessage(`{"action":"say","text":"` + text + `","fail":` + fail + `}`)
				r, err := longTool(budget).Dispatch(t.Context(), "long", facade.Call{Args: args})
				if err != nil || r.OK() == (fail == "true") {
					t.Fatalf("%v: %.100s", err, r.Text)
				}
				if len(r.Text) > limit || !r.Truncated || !utf8.ValidString(r.Text) {
					t.Errorf("budget %d: %d bytes of text, truncated %v, valid %v", limit, len(r.Text), r.Truncated, utf8.ValidString(r.Text))
				}
				if limit >= 300 && !strings.Contains(r.Text, "ask for less") {
					t.Errorf("budget %d: no advice in %.400s", limit, r.Text)
				}
				raw := r.JSON()
				if most := max(limit, 2000); len(raw) > most || !json.Valid(raw) {
					t.Errorf("budget %d: %d bytes of JSON, valid %v", limit, len(raw), json.Valid(raw))
				}
			}
		}
	}
}

func TestOutputWithinTheBudgetIsWhole(t *testing.T) {
	text := strings.Repeat("x", facade.DefaultOutputBudget)
	r, err := longTool(0).Dispatch(t.Context(), "long", facade.Call{Args: json.RawMessage(`{"action":"say","text":"` + text + `"}`)})
	if err != nil || r.Text != text || r.Truncated {
		t.Errorf("%v: %d bytes, truncated %v", err, len(r.Text), r.Truncated)
	}
	// The JSON form has the same text and some bytes more.
	if raw := r.JSON(); !strings.Contains(string(raw), `"too_large"`) {
		t.Errorf("%.200s", raw)
	}
}

func TestResultTexts(t *testing.T) {
	r := call(t, sampleTool(), `{"action":"rest"}`)
	if r.Text != "{}" || !r.OK() {
		t.Errorf("an output without a text is shown as JSON, got %q", r.Text)
	}
	r = &facade.Result{Text: "2 files\na\nb", Notes: []string{"n"}}
	if r.Headline() != "2 files\nnote: n" || r.FullText() != "2 files\na\nb\nnote: n" {
		t.Errorf("%q %q", r.Headline(), r.FullText())
	}
	r.Error = facade.Errorf(facade.CodeIO, "bad disk").WithHint("none")
	if r.Headline() != "error (io): bad disk\nhint: none\nnote: n" {
		t.Errorf("%q", r.Headline())
	}
}

func TestEffects(t *testing.T) {
	all := facade.EffectRead | facade.EffectWrite | facade.EffectExecute | facade.EffectNetwork | facade.EffectDestructive | facade.Idempotent
	if got := all.String(); got != "read, write, execute, network, destructive, idempotent" {
		t.Error(got)
	}
	for e, want := range map[facade.Effect]bool{
		facade.EffectRead: true, facade.EffectRead | facade.EffectNetwork | facade.Idempotent: true,
		facade.EffectRead | facade.EffectWrite: false, facade.EffectExecute: false,
		facade.EffectRead | facade.EffectDestructive: false, facade.EffectNetwork: false, 0: false,
	} {
		if e.ReadOnly() != want {
			t.Errorf("(%v).ReadOnly() = %v", e, !want)
		}
	}
	if facade.EffectRead.Has(facade.EffectRead | facade.EffectWrite) {
		t.Error("Has wants every bit")
	}
}
