package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/fsimpl/internal/edit"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

func TestUnified(t *testing.T) {
	long := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"
	tests := []struct{ name, a, b, want string }{
		{"equal", "a\n", "a\n", ""},
		{"change", "a\nb\nc\n", "a\nx\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
		{"create", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"empty", "a\n", "", "@@ -1 +0,0 @@\n-a\n"},
		{"append", "a\n", "a\nb\n", "@@ -1 +1,2 @@\n a\n+b\n"},
		{"no final newline", "a\nb", "a\nc", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"},
		{"final newline added", "a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"crlf to lf", "a\r\n", "a\n", "@@ -1 +1 @@\n-a\r\n+a\n"},
		{
			"two hunks", long, strings.NewReplacer("2\n", "x\n", "11\n", "y\n").Replace("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"),
			"@@ -1,5 +1,5 @@\n 1\n-2\n+x\n 3\n 4\n 5\n@@ -8,5 +8,5 @@\n 8\n 9\n 10\n-11\n+y\n 1x\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "two hunks" {
				tt.b = strings.Replace(strings.Replace(long, "\n2\n", "\nx\n", 1), "\n11\n", "\ny\n", 1)
				tt.want = strings.Replace(tt.want, " 1x\n", " 12\n", 1)
			}
			want := tt.want
			if want != "" {
				want = "--- a/f\n+++ b/f\n" + want
			}
			got := Unified("f", "f", []byte(tt.a), []byte(tt.b), nil)
			if got.Text != want || got.Cut {
				t.Errorf("got %q, cut %v\nwant %q", got.Text, got.Cut, want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{"", "f", "--- /dev/null\n+++ b/f\n"},
		{"f", "", "--- a/f\n+++ /dev/null\n"},
		{"a\nb", "q\"x\\", "--- \"a/a\\012b\"\n+++ \"b/q\\\"x\\\\\"\n"},
		{"x ", "caf\u00e9", "--- \"a/x \"\n+++ b/caf\u00e9\n"},
	} {
		if got := Unified(tt.old, tt.new, []byte("a"), nil, nil).Text; !strings.HasPrefix(got, tt.want) {
			t.Errorf("got %q, want prefix %q", got, tt.want)
		}
	}
}

func TestLimits(t *testing.T) {
	a := strings.Repeat("line\n", 5000)
	b := strings.Repeat("other\n", 5000)
	r := Unified("f", "f", []byte(a), []byte(b), &Options{MaxBytes: 1000})
	if !r.Cut || len(r.Text) > 1200 || !strings.Contains(r.Text, "more changed lines]") {
		t.Errorf("cut %v, %d bytes: %s", r.Cut, len(r.Text), r.Text[max(0, len(r.Text)-80):])
	}
	r = Unified("f", "f", []byte(strings.Repeat("\u00e9", 3000)), []byte("x"), nil)
	if !r.Cut || !strings.Contains(r.Text, "[4000 more bytes]") {
		t.Errorf("a long line: %.100q", r.Text)
	}
	r = Unified("f", "f", []byte("aaaa"), []byte("bbbbb"), &Options{MaxInput: 8})
	if !r.Cut || !strings.Contains(r.Text, "4 bytes became 5; too large") {
		t.Errorf("large input: %q", r.Text)
	}
}

// Nothing in common and a million lines: the effort is bounded.
func TestHostileInputIsBounded(t *testing.T) {
	var a, b bytes.Buffer
	r := rand.New(rand.NewPCG(1, 2))
	for range 60_000 {
		fmt.Fprintf(&a, "%d\n", r.IntN(50))
		fmt.Fprintf(&b, "%d\n", r.IntN(50))
	}
	began := time.Now()
	if got := Unified("f", "f", a.Bytes(), b.Bytes(), nil); got.Text == "" {
		t.Error("no difference")
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestContent(t *testing.T) {
	utf16, err := textenc.Lookup("utf-16le")
	if err != nil {
		t.Fatal(err)
	}
	wide := func(s string) string {
		b, err := utf16.Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		return "\xFF\xFE" + string(b)
	}
	for _, tt := range []struct{ name, a, b, want string }{
		{"equal", "x", "x", ""},
		{"latin-1", "caf\xE9\n", "th\xE9\n", "-caf\u00e9\n+th\u00e9\n"},
		{"utf-16", wide("a\nb\n"), wide("a\nc\n"), " a\n-b\n+c\n"},
		{"bom", "\xEF\xBB\xBFa\n", "\xEF\xBB\xBFb\n", "-a\n+b\n"},
		{"bom lost", "\xEF\xBB\xBFa\n", "a\n", "utf-8 with byte order mark became utf-8]"},
		{"binary", "a\x00", "a\x00b", "[not text: 2 bytes became 3]"},
		{"stray byte", "\u00e9\xFF\n", "\u00e9\xFE\n", "-\u00e9\uFFFD\n"},
	} {
		if got := Content("f", "f", []byte(tt.a), []byte(tt.b), nil).Text; !strings.Contains(got, tt.want) || (tt.want == "") != (got == "") {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// lcs is the length of a longest common subsequence, the plain way.
func lcs(a, b []int) int {
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			up := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diagonal = up
		}
	}
	return row[len(b)]
}

// checkCompare proves that what is not marked is common, in order, and that
// no longer common sequence exists.
func checkCompare(t *testing.T, a, b []int) {
	t.Helper()
	deleted, inserted := compare(a, b, 1000)
	var x, y []int
	for i, v := range a {
		if !deleted[i] {
			x = append(x, v)
		}
	}
	for i, v := range b {
		if !inserted[i] {
			y = append(y, v)
		}
	}
	if fmt.Sprint(x) != fmt.Sprint(y) {
		t.Fatalf("kept %v of %v and %v of %v", x, a, y, b)
	}
	if want := lcs(a, b); len(x) != want {
		t.Fatalf("%v and %v have %d lines in common, kept %d", a, b, want, len(x))
	}
}

func FuzzCompare(f *testing.F) {
	f.Add([]byte("abcabba"), []byte("cbabac"))
	f.Add([]byte("aaab"), []byte("baaa"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if len(a) > 200 || len(b) > 200 {
			return
		}
		number := func(p []byte) []int {
			out := make([]int, len(p))
			for i, c := range p {
				out[i] = int(c % 5)
			}
			return out
		}
		checkCompare(t, number(a), number(b))
	})
}

func TestCompareRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		list := func() []int {
			out := make([]int, r.IntN(30))
			for i := range out {
				out[i] = r.IntN(4)
			}
			return out
		}
		checkCompare(t, list(), list())
	}
}

func TestSplices(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 400 {
		var old []byte
		for range r.IntN(60) {
			old = append(old, fmt.Sprintf("line %d\n", r.IntN(9))...)
		}
		if r.IntN(2) == 0 {
			old = append(old, "no end"...)
		}
		var splices []edit.Splice
		for at := int64(0); at < int64(len(old)); {
			start := at + r.Int64N(120)
			end := start + r.Int64N(12)
			if end > int64(len(old)) {
				break
			}
			splices = append(splices, edit.Splice{Start: start, End: end, New: []byte([]string{"", "x", "\n", "new\nlines\n"}[r.IntN(4)])})
			at = end + 1
		}
		checkSplices(t, old, splices)
	}
}

// checkSplices compares with the diff of the whole texts, which may group and
// align lines differently but must change the same number of them.
func checkSplices(t *testing.T, old []byte, splices []edit.Splice) {
	t.Helper()
	after := edit.Apply(old, splices)
	got, err := Splices("f", "f", bytes.NewReader(old), int64(len(old)), splices, &Options{MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	want := Unified("f", "f", old, after, &Options{MaxBytes: 1 << 20})
	if balance(got.Text) != balance(want.Text) {
		t.Fatalf("splices %v of %q:\n%s\nwhole:\n%s", splices, old, got.Text, want.Text)
	}
	if applied := naiveApply(t, string(old), got.Text); applied != string(after) {
		t.Fatalf("the diff gives %q, want %q\n%s", applied, after, got.Text)
	}
}

// balance is the number of lines added less those removed.
func balance(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
		case line[0] == '+':
			n++
		case line[0] == '-':
			n--
		}
	}
	return n
}

// naiveApply applies a unified diff by its line numbers only.
func naiveApply(t *testing.T, old, text string) string {
	t.Helper()
	var out []string
	source := lines([]byte(old))
	at := 0
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
		case strings.HasPrefix(line, "@@"):
			lo, n := 0, 1
			if _, err := fmt.Sscanf(line, "@@ -%d,%d", &lo, &n); err != nil {
				n = 1
				fmt.Sscanf(line, "@@ -%d", &lo)
			}
			if n > 0 {
				lo--
			}
			for ; at < lo; at++ {
				out = append(out, string(source[at]))
			}
		case line[0] == '\\':
			out[len(out)-1] = strings.TrimSuffix(out[len(out)-1], "\n")
		case line[0] == '+':
			out = append(out, line[1:])
		case line[0] == ' ':
			out = append(out, string(source[at]))
			at++
		case line[0] == '-':
			if string(source[at]) != line[1:] && string(source[at])+"\n" != line[1:] {
				t.Fatalf("line %d is %q, the diff says %q", at+1, source[at], line)
			}
			at++
			out = append(out, "") // keeps the note on a missing end off other lines
		}
	}
	for ; at < len(source); at++ {
		out = append(out, string(source[at]))
	}
	return strings.Join(out, "")
}

func TestSplicesOfLargeFiles(t *testing.T) {
	line := strings.Repeat("x", 100) + "\n"
	old := []byte(strings.Repeat(line, 50_000))
	at := int64(len(line) * 40_000)
	r, err := Splices("f", "f", bytes.NewReader(old), int64(len(old)), []edit.Splice{{Start: 5, End: 6, New: []byte("y")}, {Start: at, End: at, New: []byte("new\n")}}, nil)
	if err != nil || !strings.Contains(r.Text, "@@ -39998,6 +39998,7 @@") || !strings.Contains(r.Text, "@@ -1,4 +1,4 @@") {
		t.Errorf("%v\n%s", err, r.Text)
	}
	single := bytes.Repeat([]byte("x"), 1<<20)
	r, err = Splices("f", "f", bytes.NewReader(single), int64(len(single)), []edit.Splice{{Start: 500_000, End: 500_001, New: []byte("y")}}, nil)
	if err != nil || !r.Cut || !strings.Contains(r.Text, "too long to show") {
		t.Errorf("%v %q", err, r.Text)
	}
	var many []edit.Splice
	for i := range int64(40_000) {
		many = append(many, edit.Splice{Start: i * int64(len(line)), End: i*int64(len(line)) + 1, New: []byte("z")})
	}
	r, err = Splices("f", "f", bytes.NewReader(old), int64(len(old)), many, nil)
	if err != nil || !r.Cut || len(r.Text) > 64<<10 {
		t.Errorf("%v, %d bytes", err, len(r.Text))
	}
	if r, err := Splices("f", "f", bytes.NewReader(old), int64(len(old)), nil, nil); err != nil || r.Text != "" {
		t.Errorf("no splices: %v %q", err, r.Text)
	}
	if _, err := Splices("f", "f", bytes.NewReader(nil), 100, []edit.Splice{{Start: 50, End: 50}}, nil); err == nil {
		t.Error("a short file passed")
	}
}
