package schema_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/everything"
	"github.com/toolfacade/toolfacade/schema"
)

// sample is a definition with what the o200k encoding makes of it: counted once,
// by the encoding itself, and never rewritten.
type sample struct {
	Name, Description string
	Parameters        json.RawMessage
	O200K             int
}

// mostOff is how far an estimate may be off.
const mostOff = 0.1

func TestTokensAgainstTheEncoding(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("testdata", "tokens", "samples.json"))
	if err != nil {
		t.Fatal(err)
	}
	var samples []sample
	if err := json.Unmarshal(raw, &samples); err != nil {
		t.Fatal(err)
	}
	if len(samples) < 20 {
		t.Fatalf("%d samples", len(samples))
	}
	estimated, counted := 0, 0
	for _, s := range samples {
		got := schema.Tokens(schema.Def{Name: s.Name, Description: s.Description, Input: s.Parameters})
		if off := float64(got)/float64(s.O200K) - 1; off > mostOff || off < -mostOff {
			t.Errorf("%s: estimated %d, the encoding makes it %d: %+.1f %%", s.Name, got, s.O200K, 100*off)
		}
		estimated, counted = estimated+got, counted+s.O200K
	}
	off := float64(estimated)/float64(counted) - 1
	t.Logf("estimated %d, counted %d: %+.1f %%", estimated, counted, 100*off)
	if off > mostOff/2 || off < -mostOff/2 {
		t.Errorf("all samples: estimated %d, the encoding makes it %d", estimated, counted)
	}
}

func TestTokensOfOddDefinitions(t *testing.T) {
	if got := schema.Tokens(); got != 0 {
		t.Errorf("nothing takes %d tokens", got)
	}
	small := schema.Tokens(schema.Def{Name: "t"})
	if small < 5 || small > 20 {
		t.Errorf("a tool without a schema takes %d tokens", small)
	}
	if got := schema.Tokens(schema.Def{Name: "t"}, schema.Def{Name: "t"}); got < 2*small-1 || got > 2*small+1 {
		t.Errorf("two take %d, one %d", got, small)
	}
	foreign := schema.Tokens(schema.Def{Name: "t", Description: strings.Repeat("界", 100)})
	if n := foreign - small; n < 40 || n > 200 {
		t.Errorf("100 Chinese characters take %d tokens", n)
	}
	if got := schema.Tokens(schema.Def{Name: "t", Input: json.RawMessage("{broken")}); got < 1 {
		t.Errorf("what is no JSON takes %d tokens", got)
	}
}

func FuzzTokens(f *testing.F) {
	for _, text := range []string{"", "a b", `{"type":"object"}`, "größe\n\n  x", "\xff\xfe", "12345", "aBcD_e", "  \t", "…–"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		one := schema.Tokens(schema.Def{Description: text})
		if one < 1 || one > 20+3*len(text) {
			t.Errorf("%d bytes take %d tokens", len(text), one)
		}
	})
}

// The budgets are what filesystem, git, python and document with the actions
// of their basic contracts may take of a model's context. It reads every
// definition before every answer: a longer description must be worth it.
const (
	flatBudget     = 3450
	granularBudget = 4650
)

func TestTokenBudget(t *testing.T) {
	for _, c := range []struct {
		view   view
		budget int
	}{{views[0], flatBudget}, {views[3], granularBudget}} {
		var defs []schema.Def
		for _, tool := range everything.Core() {
			defs = append(defs, render(t, schema.MCP, c.view.cut(tool)...)...)
		}
		got := schema.Tokens(defs...)
		t.Logf("%s: %d tokens in %d tools", c.view.name, got, len(defs))
		if got > c.budget {
			t.Errorf("%s: the core tools take %d tokens, the budget is %d", c.view.name, got, c.budget)
		}
	}
}

// TestViewsCostWhatTheyShow checks that a view with less takes less.
func TestViewsCostWhatTheyShow(t *testing.T) {
	for _, tool := range everything.Tools() {
		whole := schema.Tokens(render(t, schema.MCP, tool)...)
		if some := schema.Tokens(render(t, schema.MCP, facade.ReadOnly(tool)...)...); some >= whole {
			t.Errorf("%s: the actions that only observe take %d tokens, all take %d", tool.Name(), some, whole)
		}
	}
}
