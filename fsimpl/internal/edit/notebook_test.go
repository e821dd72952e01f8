package edit

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/toolfacade/toolfacade/facade"
)

const notebook = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "m1",
   "metadata": {},
   "source": "# Title caf\u00e9"
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "c1",
   "outputs": [{"text": ["one\n"]}],
   "source": [
    "import os\n",
    "print(\"caf\u00e9\")\n",
    "x = 1"
   ]
  },
  {
   "cell_type": "code",
   "source": []
  }
 ],
 "nbformat": 4,   "odd spacing": true
}
`

func TestCells(t *testing.T) {
	want := []Cell{
		{Index: 0, ID: "m1", Type: "markdown", Source: "# Title caf\u00e9"},
		{Index: 1, ID: "c1", Type: "code", Source: "import os\nprint(\"caf\u00e9\")\nx = 1", Output: "one\n"},
		{Index: 2, Type: "code"},
	}
	for _, raw := range []string{notebook, "\xEF\xBB\xBF" + notebook} {
		got, err := Cells([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Cell{})); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

func TestCellsFails(t *testing.T) {
	for _, raw := range []string{
		"", "[]", "{}", `{"cells": 5}`, `{"cells": [5]}`, `{"cells": [{}]}`, `{"cells": [{"source": 5}]}`, `{"cells": [{"source": [5]}]}`,
		`{"cells": [{"source": "a", "id": 5}]}`, `{"cells": [{"source": "a"}`, `{"cells": [{"source": "a"}]`, `{"cells": [{"source": "a" "b"}]}`,
		`{"x": `, `{5: 1}`, `{"cells": [{"cell_type": 1, "source": ""}]}`, `{"cells": [{"source": "a", x}]}`, `{"cells": [{"source": x}]}`,
	} {
		if got, err := Cells([]byte(raw)); facade.CodeOf(err) != facade.CodeUnsupportedFormat {
			t.Errorf("%s: %v, %v", raw, got, err)
		}
	}
}

// replaceCell gives one cell another source.
func replaceCell(raw []byte, index int, source string) (Plan, error) {
	cells, err := Cells(raw)
	if err != nil {
		return Plan{}, err
	}
	return Plan{Splices: []Splice{cells[index].splice(raw, source)}}, nil
}

func TestCellSplice(t *testing.T) {
	tests := []struct {
		cell           int
		source         string
		before, change string
	}{
		{0, "# <New> \u00e9", `"# Title caf\u00e9"`, `"# <New> ` + "\u00e9" + `"`},
		{1, "import os\nprint(\"caf\u00e9\")\nx = 2", `"x = 1"`, `"x = 2"`},
		{1, "import os\nimport sys\nprint(\"caf\u00e9\")\nx = 1", "    \"print", "    \"import sys\\n\",\n    \"print"},
		{1, "", "[\n    \"import os\\n\",\n    \"print(\\\"caf\\u00e9\\\")\\n\",\n    \"x = 1\"\n   ]", "[]"},
		{1, "one\n", "\"import os\\n\",\n    \"print(\\\"caf\\u00e9\\\")\\n\",\n    \"x = 1\"", `"one\n"`},
		{2, "a\nb", "[]", "[\n    \"a\\n\",\n    \"b\"\n   ]"},
	}
	for _, tt := range tests {
		plan, err := replaceCell([]byte(notebook), tt.cell, tt.source)
		if err != nil {
			t.Fatal(err)
		}
		got := string(Apply([]byte(notebook), plan.Splices))
		if want := strings.Replace(notebook, tt.before, tt.change, 1); got != want {
			t.Errorf("cell %d %q (-want +got)\n%s", tt.cell, tt.source, cmp.Diff(want, got))
		}
		cells, err := Cells([]byte(got))
		if err != nil || cells[tt.cell].Source != tt.source {
			t.Errorf("cell %d is %q, %v", tt.cell, cells[tt.cell].Source, err)
		}
	}
	compact := `{"cells":[{"source":[]},{"source":["a\n","b"]},{"source":["a"]}]}`
	for cell, want := range []string{`{"cells":[{"source":["x\n","y"]}`, `{"source":["x\n","y"]},{"source":["a"]}]}`, `{"source":["x\n","y"]}]}`} {
		plan, err := replaceCell([]byte(compact), cell, "x\ny")
		if got := string(Apply([]byte(compact), plan.Splices)); err != nil || !strings.Contains(got, want) {
			t.Errorf("compact cell %d: %s, %v", cell, got, err)
		}
	}
}

func TestEditNotebook(t *testing.T) {
	ctx := context.Background()
	tolerance := ToleranceOf(facade.EditInput{})
	edit := func(e facade.TextEdit) (string, Plan, []int, error) {
		plan, cells, err := Notebook(ctx, []byte(notebook), e, tolerance, nil)
		return string(Apply([]byte(notebook), plan.Splices)), plan, cells, err
	}
	got, plan, cells, err := edit(facade.TextEdit{OldText: "print(\"caf\u00e9\")", NewText: "print('tea')"})
	if err != nil || got != strings.Replace(notebook, `print(\"caf\u00e9\")`, `print('tea')`, 1) || fmt.Sprint(cells, plan.Matches) != "[1] [{exact 1 [2]}]" {
		t.Errorf("%v %v %v\n%s", cells, plan.Matches, err, got)
	}
	got, plan, cells, err = edit(facade.TextEdit{OldText: "caf\u00e9", NewText: "tea", ReplaceAll: true})
	if err != nil || strings.Count(got, "tea") != 2 || fmt.Sprint(cells) != "[0 1]" || plan.Count != 2 {
		t.Errorf("%v %v\n%s", cells, err, got)
	}
	if _, _, cells, err = edit(facade.TextEdit{OldText: "import os  \nprint", NewText: "print"}); err != nil || fmt.Sprint(cells) != "[1]" {
		t.Errorf("tolerant: %v %v", cells, err)
	}
	for _, tt := range []struct {
		e    facade.TextEdit
		code facade.Code
		part string
	}{
		{facade.TextEdit{OldText: "caf\u00e9", NewText: "x"}, facade.CodeAmbiguousMatch, "2 cells: [0 1]"},
		{facade.TextEdit{OldText: "absent", NewText: "x"}, facade.CodeNoMatch, "any cell"},
		{facade.TextEdit{OldText: "", NewText: "x"}, facade.CodeInvalidArgument, "empty"},
		{facade.TextEdit{OldText: "o", NewText: "x"}, facade.CodeAmbiguousMatch, "cell 1"},
	} {
		if _, _, _, err := edit(tt.e); facade.CodeOf(err) != tt.code || !strings.Contains(err.Error(), tt.part) {
			t.Errorf("%+v: %v", tt.e, err)
		}
	}
	if _, _, err := Notebook(ctx, []byte("x"), facade.TextEdit{OldText: "a", NewText: "b"}, tolerance, nil); facade.CodeOf(err) != facade.CodeUnsupportedFormat {
		t.Errorf("no notebook: %v", err)
	}
	if _, _, err := Notebook(ctx, []byte(`{"cells":[]}`), facade.TextEdit{OldText: "a", NewText: "b"}, tolerance, nil); facade.CodeOf(err) != facade.CodeNoMatch {
		t.Errorf("no cells: %v", err)
	}
	if _, _, err := Notebook(ctx, []byte(`{"cells":[{"source":"abc"}]}`), facade.TextEdit{OldText: "abd", NewText: "b"}, tolerance, nil); facade.CodeOf(err) != facade.CodeNoMatch {
		t.Errorf("one cell: %v", err)
	}
}

func FuzzNotebook(f *testing.F) {
	f.Add(notebook, 1, "a\nb\n")
	f.Fuzz(func(t *testing.T, raw string, cell int, source string) {
		cells, err := Cells([]byte(raw))
		if err != nil || len(cells) == 0 {
			return
		}
		cell = max(0, cell) % len(cells)
		plan, err := replaceCell([]byte(raw), cell, source)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Cells(Apply([]byte(raw), plan.Splices))
		if err != nil || got[cell].Source != strings.ToValidUTF8(source, "\uFFFD") && json.Valid([]byte(raw)) && strings.ToValidUTF8(source, "") == source {
			t.Fatalf("cell %d of %q is %+v, want %q (%v)", cell, raw, got, source, err)
		}
	})
}

// The strictest match of all cells counts, wherever it is, and cells that are
// no text are passed over.
func TestEditNotebookStrictest(t *testing.T) {
	const indented, plain, binary = `{"source":"\ta\n\tb"}`, `{"source":"a\nb"}`, `{"source":"\u0000"}`
	tolerance := ToleranceOf(facade.EditInput{})
	e := facade.TextEdit{OldText: "a\nb", NewText: "a\nc"}
	for _, cells := range [][]string{{indented, plain}, {plain, indented}, {indented, plain, indented}, {binary, plain}, {plain, binary}} {
		raw := `{"cells":[` + strings.Join(cells, ",") + `]}`
		plan, _, err := Notebook(t.Context(), []byte(raw), e, tolerance, nil)
		if err != nil || plan.Matches[0].Strategy != Exact {
			t.Errorf("%s: %v, %v", raw, plan.Matches, err)
			continue
		}
		if got, want := string(Apply([]byte(raw), plan.Splices)), strings.Replace(raw, plain, `{"source":"a\nc"}`, 1); got != want {
			t.Errorf("%s: %s", raw, got)
		}
	}
	_, _, err := Notebook(t.Context(), []byte(`{"cells":[`+binary+`]}`), e, tolerance, nil)
	if facade.CodeOf(err) != facade.CodeBinaryContent {
		t.Errorf("only a cell that is no text: %v", err)
	}
}
