package hosttest

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

var actionFirst = regexp.MustCompile(`"properties":\s*\{\s*"action"`)

func testOrder(t *testing.T, h Host) {
	got := play(t, h, NewLab().Set(), []Call{{"call_1", "lab", `{"action":"who"}`}})
	for _, d := range got.Tools {
		if !actionFirst.Match(d.Schema) {
			t.Errorf("%s: action is not the first property: %s", d.Name, d.Schema)
		}
	}
}

func testText(t *testing.T, h Host) {
	got := one(t, h, "lab", `{"action":"echo","text":"größe <&> \"x\"\n2","times":"2"}`)
	want := "echo\ngröße <&> \"x\"\n2\ngröße <&> \"x\"\n2\nnote: "
	if !strings.HasPrefix(got.Text, want) {
		t.Errorf("got %q, want the lines and a note of the coercion: %q", got.Text, want)
	}
	if got.ID != "" && got.ID != "call_1" || got.Tool != "" && got.Tool != "lab" || got.ID+got.Tool == "" {
		t.Errorf("the result is for the call %q of %q", got.ID, got.Tool)
	}
	if got.Failed != nil && *got.Failed {
		t.Error("a success is marked as failed")
	}
}

func testFailure(t *testing.T, h Host) {
	wantText(t, one(t, h, "shelf", `{"action":"take","name":"spoon"}`), "error (not_found): there is no spoon", "hint: take something else")
}

func testMarks(t *testing.T, h Host) {
	got := one(t, h, "shelf", `{"action":"take","name":"spoon"}`)
	if got.Failed == nil || !*got.Failed {
		t.Errorf("a failure is not marked: %+v", got)
	}
}

func testBadArgument(t *testing.T, h Host) {
	for args, want := range map[string]string{
		`{"action":"echo"}`:                         "field 'text' is required",
		`{"action":"echo","text":"x","times":10}`:   "times",
		`{"action":"echo","text":"x","style":"no"}`: "style",
		`{"action":"echo","text":"x","note":"y"}`:   "field 'note'",
		`{"action":"who","text":"x"}`:               "text",
		`{"action":"echo","text":["no","text"]}`:    "text",
		`{}`:                                        "action",
	} {
		wantText(t, one(t, h, "lab", args), "error (invalid_argument)", want)
	}
}

func testUnknownAction(t *testing.T, h Host) {
	wantText(t, one(t, h, "lab", `{"action":"eco"}`),
		"error (unknown_action): unknown action 'eco' for lab tool; valid actions: echo, who, picture, archive, wait, panic", "did you mean 'echo'")
}

func testUnknownTool(t *testing.T, h Host) {
	wantText(t, one(t, h, "lap", `{"action":"who"}`), "lap")
}

func testNoJSON(t *testing.T, h Host) {
	for _, args := range []string{`{"action":"echo","text":`, `echo`, ``} {
		wantText(t, one(t, h, "lab", args), "error (invalid_argument)")
	}
}

func testPanic(t *testing.T, h Host) {
	wantText(t, one(t, h, "lab", `{"action":"panic"}`), "error (internal)", "a defect of the tool")
}

func testImage(t *testing.T, h Host) {
	got := one(t, h, "lab", `{"action":"picture"}`)
	wantText(t, got, "a picture")
	if want := []Image{{"image/png", Picture}}; !slices.Equal(got.Images, want) {
		t.Errorf("got %q, want the picture", got.Images)
	}
}

func testImageNamed(t *testing.T, h Host) {
	got := one(t, h, "lab", `{"action":"picture"}`)
	wantText(t, got, "a picture", "dot.png", "image/png", "not shown")
	if len(got.Images) > 0 {
		t.Errorf("a host without images sent %d", len(got.Images))
	}
}

func testAttachment(t *testing.T, h Host) {
	wantText(t, one(t, h, "lab", `{"action":"archive"}`), "an archive", "a.zip")
}

// testSideBySide has three calls in one reply, of which one fails.
func testSideBySide(t *testing.T, h Host) {
	calls := []Call{
		{"call_1", "lab", `{"action":"echo","text":"first"}`},
		{"call_2", "shelf", `{"action":"take","name":"fork"}`},
		{"call_3", "lab", `{"action":"echo","text":"third"}`},
	}
	got := play(t, h, NewLab().Set(), calls).Turns[0]
	for i, want := range []string{"echo\nfirst", "error (not_found): there is no fork", "echo\nthird"} {
		k := slices.IndexFunc(got, func(r Result) bool {
			if r.ID != "" {
				return r.ID == calls[i].ID
			}
			return r.Tool == calls[i].Tool && strings.Contains(r.Text, want) // without ids, in any order
		})
		if k < 0 {
			t.Errorf("no result of call %d in %+v", i+1, got)
			continue
		}
		wantText(t, got[k], want)
		got = slices.Delete(got, k, k+1)
	}
}

func testTurns(t *testing.T, h Host) {
	got := play(t, h, NewLab().Set(),
		[]Call{{"call_1", "lab", `{"action":"echo","text":"one"}`}},
		[]Call{{"call_2", "shelf", `{"action":"put","name":"two"}`}},
		[]Call{{"call_3", "lab", `{"action":"echo","text":"three"}`}})
	for i, want := range []string{"one", "there is no two", "three"} {
		wantText(t, got.Turns[i][0], want)
	}
}

func testGranular(t *testing.T, h Host) {
	set := NewLab().Set().View(facade.Granular, facade.Allow("lab.echo", "shelf"))
	got := play(t, h, set, []Call{{"call_1", "lab_echo", `{"text":"fine"}`}}, []Call{{"call_2", "shelf_take", `{"name":"cup"}`}})
	wantText(t, got.Turns[0][0], "echo\nfine")
	wantText(t, got.Turns[1][0], "there is no cup")
	var names []string
	for _, d := range got.Tools {
		names = append(names, d.Name)
	}
	slices.Sort(names)
	if !slices.Equal(names, []string{"lab_echo", "shelf_put", "shelf_take"}) {
		t.Errorf("tools: %v", names)
	}
}

func testSession(t *testing.T, h Host) {
	ctx := facade.WithSession(t.Context(), "conversation seven", nil)
	got, err := h.Play(ctx, t, NewLab().Set(), []Call{{"call_1", "lab", `{"action":"who"}`}})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Turns) != 1 || len(got.Turns[0]) != 1 {
		t.Fatalf("got %+v", got)
	}
	wantText(t, got.Turns[0][0], "session conversation seven")
}

// testCanceled ends the context while a tool runs: that ends the run.
func testCanceled(t *testing.T, h Host) {
	lab := NewLab()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		select {
		case <-lab.Began:
		case <-ctx.Done():
		}
		cancel()
	}()
	start := time.Now()
	got, err := h.Play(ctx, t, lab.Set(), []Call{{"call_1", "lab", `{"action":"wait"}`}})
	if err == nil {
		t.Errorf("the run went on: %+v", got)
	}
	if !errors.Is(err, context.Canceled) && !strings.Contains(err.Error(), context.Canceled.Error()) {
		t.Errorf("the run ended with %v, which does not say why", err)
	}
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("the run ended after %v", d)
	}
}
