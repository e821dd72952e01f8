package hosttest

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/schema"
)

var update = flag.Bool("update", false, "rewrite golden files")

// Host is an adapter on its host's own machinery.
type Host struct {
	// Via names what carries the results, as "chat": one golden file each.
	Via string
	// Profile is the dialect in which the schemas must arrive.
	Profile schema.Profile
	// Play runs the host.
	Play Play
	// Marks says that the protocol has a mark for failures.
	Marks bool
	// Images says that results may carry images.
	Images bool
	// Ordered says that parameters arrive in the order of the contract.
	Ordered bool
	// Text says that arguments travel as a text that may be no JSON.
	Text bool
	// NoSchema says that the host has no place for schemas but the description.
	NoSchema bool
	// Single says that the host answers one call at a time.
	Single bool
	// Unknown says that a name of no tool reaches the adapter or a host that
	// lets the model know, rather than ending the run.
	Unknown bool
}

// check is one thing that is exercised; it reports whether the host has it.
type check struct {
	name string
	has  func(Host) bool
	run  func(*testing.T, Host)
}

func always(Host) bool { return true }

var checks = []check{
	{"definitions", always, testDefinitions},
	{"order of parameters", func(h Host) bool { return h.Ordered }, testOrder},
	{"text", always, testText},
	{"failure", always, testFailure},
	{"failure marked", func(h Host) bool { return h.Marks }, testMarks},
	{"bad argument", always, testBadArgument},
	{"unknown action", always, testUnknownAction},
	{"unknown tool", func(h Host) bool { return h.Unknown }, testUnknownTool},
	{"arguments that are no JSON", func(h Host) bool { return h.Text }, testNoJSON},
	{"panic", always, testPanic},
	{"image", func(h Host) bool { return h.Images }, testImage},
	{"image named", func(h Host) bool { return !h.Images }, testImageNamed},
	{"attachment named", always, testAttachment},
	{"calls side by side", func(h Host) bool { return !h.Single }, testSideBySide},
	{"several turns", always, testTurns},
	{"granular tools", always, testGranular},
	{"session", always, testSession},
	{"canceled", always, testCanceled},
}

// Run checks everything that h has, and that a golden file lists just that.
func Run(t *testing.T, h Host) {
	t.Helper()
	var done strings.Builder
	for _, c := range checks {
		if !c.has(h) {
			continue
		}
		if t.Run(c.name, func(t *testing.T) { c.run(t, h) }) {
			done.WriteString(c.name + "\n")
		}
	}
	golden := filepath.Join("testdata", "wire-"+h.Via+".txt")
	if *update {
		if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(golden, []byte(done.String()), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatalf("%v (-update writes it)", err)
	}
	if string(want) != done.String() {
		t.Errorf("exercised:\n%s\n%s says:\n%s", &done, golden, want)
	}
}

// play runs a script to its end: no failure of a tool stops a run.
func play(t *testing.T, h Host, set *facade.Set, script ...[]Call) *Transcript {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	got, err := h.Play(ctx, t, set, script...)
	if err != nil {
		t.Fatalf("the run ended with: %v", err)
	}
	if got.Final != Final {
		t.Errorf("the run ended with %q, want %q", got.Final, Final)
	}
	if len(got.Turns) != len(script) {
		t.Fatalf("%d turns have results, want %d", len(got.Turns), len(script))
	}
	for i, turn := range got.Turns {
		if len(turn) != len(script[i]) {
			t.Fatalf("turn %d: %d results for %d calls: %+v", i, len(turn), len(script[i]), turn)
		}
	}
	return got
}

// one makes one call of the lab, or of the tool that the arguments follow.
func one(t *testing.T, h Host, tool, args string) Result {
	t.Helper()
	return play(t, h, NewLab().Set(), []Call{{"call_1", tool, args}}).Turns[0][0]
}

func wantText(t *testing.T, got Result, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(got.Text, p) {
			t.Errorf("the result says %q, which lacks %q", got.Text, p)
		}
	}
}

func testDefinitions(t *testing.T, h Host) {
	set := NewLab().Set()
	got := play(t, h, set, []Call{{"call_1", "lab", `{"action":"who"}`}})
	if len(got.Tools) != len(set.Tools()) {
		t.Fatalf("%d tools arrived, want %d", len(got.Tools), len(set.Tools()))
	}
	for _, tool := range set.Tools() {
		i := slices.IndexFunc(got.Tools, func(d Def) bool { return d.Name == tool.Name() })
		if i < 0 {
			t.Errorf("no tool %s arrived", tool.Name())
			continue
		}
		d := got.Tools[i]
		if !strings.Contains(d.Description, tool.Doc()) {
			t.Errorf("%s: the description is %q", d.Name, d.Description)
		}
		if h.NoSchema {
			if want, _ := schema.Render(tool, h.Profile); !strings.Contains(d.Description, string(want.Input)) {
				t.Errorf("%s: the schema is not in the description: %q", d.Name, d.Description)
			}
			continue
		}
		sameSchema(t, h, tool, d)
	}
}

// sameSchema checks that nothing was lost or added on the way, and that the
// provider takes what arrived.
func sameSchema(t *testing.T, h Host, tool *facade.Tool, d Def) {
	t.Helper()
	want, err := schema.Render(tool, h.Profile)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := normal(t, want.Input), normal(t, d.Schema); a != b {
		t.Errorf("%s: the schema arrived as\n%s\nnot as\n%s", d.Name, b, a)
	}
	for _, f := range schema.Lint(h.Profile, d.Schema) {
		t.Errorf("%s: %s", d.Name, f)
	}
}

// normal renders JSON with sorted keys, types in lower case, and numbers that
// travel as texts as numbers.
func normal(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	out, err := json.Marshal(plain(v))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// plain undoes what Gemini's own schema type does to a schema.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			switch text, ok := x.(string); {
			case k == "type" && ok:
				v[k] = strings.ToLower(text)
			case k == "minItems" && ok:
				v[k] = json.Number(text)
			default:
				v[k] = plain(x)
			}
		}
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	}
	return v
}
