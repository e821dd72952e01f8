package main

import (
	"math"
	"strings"
	"testing"
)

func close2(a, b float64) bool { return math.Abs(a-b) < 0.005 }

func TestF1(t *testing.T) {
	want := tokens("# One *two* [three](https://example.org/x) <!-- image --> ![](#i1)\n| four | ﬁve |")
	if got := strings.Join(want, " "); got != "one two three four five" {
		t.Fatalf("tokens are %q", got)
	}
	for text, scores := range map[string][2]float64{
		"one two three four five": {1, 1}, "five four three two one": {1, 0}, "one two": {0.57, 0.4}, "": {0, 0},
		"one one two three four five": {0.91, 0.89},
	} {
		if a, b := f1(tokens(text), want, 1), f1(tokens(text), want, 2); !close2(a, scores[0]) || !close2(b, scores[1]) {
			t.Errorf("%q has %.2f and %.2f, want %v", text, a, b, scores)
		}
	}
}

func TestHeadingScore(t *testing.T) {
	want := headings("# A title\ntext\n## 1 First part\n```\n# no heading\n```\n## 2 Second part\n")
	for text, score := range map[string]float64{
		"# A title\n# 1 First part\n# 2 Second part": 1, "## 2 Second part\n## 1 First part\n# A title": 1. / 3, "nothing": 0, "# A title": 0.5,
	} {
		if got := headingScore(headings(text), want); !close2(got, score) {
			t.Errorf("%q has %.2f, want %.2f", text, got, score)
		}
	}
}

func TestTableScore(t *testing.T) {
	want := truthTables("text\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nmore\n\n| c | d |\n| - | - |\n| 3 | 4 |\n")
	if len(want) != 2 || len(want[0]) != 2 || want[1][1][1] != "4" {
		t.Fatalf("the tables are %v", want)
	}
	for name, tt := range map[string]struct {
		got   []grid
		sum   float64
		extra int
	}{
		"the same":     {[]grid{want[1], want[0]}, 2, 0},
		"one missing":  {want[:1], 1, 0},
		"one too many": {[]grid{want[0], want[1], {{"x"}}}, 2, 1},
		"no columns":   {[]grid{{{"a b"}, {"1 2"}}}, 0.52, 0},
		"none":         {nil, 0, 0},
	} {
		if sum, n, extra := tableScore(tt.got, want); !close2(sum, tt.sum) || n != 2 || extra != tt.extra {
			t.Errorf("%s: %.2f of %d and %d more, want %.2f and %d", name, sum, n, extra, tt.sum, tt.extra)
		}
	}
}
