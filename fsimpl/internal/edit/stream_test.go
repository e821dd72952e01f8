package edit

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

func stream(raw string, s Substitution, o *Options) (string, Plan, error) {
	var out bytes.Buffer
	plan, err := ReplaceStream(context.Background(), &out, strings.NewReader(raw), textenc.Detect([]byte(raw)), s, o)
	return out.String(), plan, err
}

// A stream does what Replace does on the whole content.
func TestReplaceStream(t *testing.T) {
	long := strings.Repeat("0123456789 caf\u00e9\r\n", 20_000)
	multi, err := textenc.Lookup("shift_jis")
	if err != nil {
		t.Fatal(err)
	}
	japanese, err := multi.Encode(strings.Repeat("\u65e5\u672c ", 60_000) + "x\r\n" + strings.Repeat("\u8a9e\r\n", 9))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, raw string
		s         Substitution
		d         *textenc.Detection
	}{
		{"small", "a\nb\n", Substitution{Old: "b", New: "x"}, nil},
		{"bom", "\xEF\xBB\xBFb\n", Substitution{Old: "b", New: "\u00e9"}, nil},
		{"crlf", long + "last", Substitution{Old: "\u00e9\n0", New: "e\n\n0", All: true}, nil},
		{"across pieces", strings.Repeat("x", bufferSize-2) + "needle" + strings.Repeat("y", bufferSize), Substitution{Old: "needle", New: "n"}, nil},
		{"crlf across pieces", strings.Repeat("x", bufferSize-1) + "\r\nend\r\n", Substitution{Old: "x\nend", New: "x\ny"}, nil},
		{"in a row", strings.Repeat("ab", bufferSize), Substitution{Old: "ab", New: "", All: true}, nil},
		{"self-similar", strings.Repeat("a", 2*bufferSize+3) + "b", Substitution{Old: strings.Repeat("a", 1000) + "b", New: "c"}, nil},
		{"utf-16", wide(long), Substitution{Old: "9 caf\u00e9\n", New: "\U0001F600\n", All: true}, nil},
		{"invalid bytes", "\u00e9" + strings.Repeat("\x80", bufferSize+9) + "b" + strings.Repeat("\u00e9", 2*bufferSize), Substitution{Old: "b\u00e9", New: "x"}, nil},
		{"a character where a match may begin", strings.Repeat("\u00e9", bufferSize) + "xy", Substitution{Old: "xy", New: "z"}, nil},
		{"only line ends", long, Substitution{Old: "\r\n", New: "\n", All: true}, nil},
		{"a line without an end in a multi-byte encoding", string(japanese), Substitution{Old: "x\n\u8a9e", New: "y"}, &textenc.Detection{Encoding: multi, LineEnding: textenc.CRLF}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := textenc.Detect([]byte(tt.raw))
			if tt.d != nil {
				d = *tt.d
			}
			want, err := Replace(context.Background(), []byte(tt.raw), d, tt.s, nil)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			got, err := ReplaceStream(context.Background(), &out, iotest.DataErrReader(strings.NewReader(tt.raw)), d, tt.s, nil)
			if err != nil {
				t.Fatal(err)
			}
			if whole := Apply([]byte(tt.raw), want.Splices); !bytes.Equal(out.Bytes(), whole) {
				t.Fatalf("%d bytes, want %d; they differ", out.Len(), len(whole))
			}
			want.Splices = want.Splices[:min(len(want.Splices), maxStreamSplices)]
			want.Matches[0].Lines = want.Matches[0].Lines[:min(len(want.Matches[0].Lines), maxStreamLines)]
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("plan (-whole +stream)\n%.2000s", diff)
			}
		})
	}
}

func TestReplaceStreamFails(t *testing.T) {
	for _, tt := range []struct {
		name, raw string
		s         Substitution
		o         *Options
		code      facade.Code
	}{
		{"twice", "a a", Substitution{Old: "a", New: "b"}, nil, facade.CodeAmbiguousMatch},
		{"none", "a", Substitution{Old: "b", New: "c"}, nil, facade.CodeNoMatch},
		{"empty", "a", Substitution{New: "c"}, nil, facade.CodeInvalidArgument},
		{"same", "a", Substitution{Old: "a", New: "a"}, nil, facade.CodeInvalidArgument},
		{"pattern", "a", Substitution{Old: "a", New: "b", Regex: true}, nil, facade.CodeInvalidArgument},
		{"binary", "\x00", Substitution{Old: "a", New: "b"}, nil, facade.CodeBinaryContent},
		{"cannot hold", "caf\xE9", Substitution{Old: "c", New: "\u2192"}, nil, facade.CodeUnsupportedEncoding},
		{"many", "aaa", Substitution{Old: "a", New: "b", All: true}, &Options{MaxMatches: 2}, facade.CodeTooLarge},
		{"large", "aaa", Substitution{Old: "a", New: "bb", All: true}, &Options{MaxOutput: 5}, facade.CodeTooLarge},
		{"large in several pieces", strings.Repeat("a", 2*bufferSize), Substitution{Old: "a", New: "bb", All: true}, &Options{MaxOutput: 3 * bufferSize}, facade.CodeTooLarge},
	} {
		if _, _, err := stream(tt.raw, tt.s, tt.o); facade.CodeOf(err) != tt.code {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.code)
		}
	}
	same := Substitution{Old: "a\r\n", New: "a\n"}
	if out, _, err := stream("a\r\n", same, nil); err != nil || out != "a\n" {
		t.Errorf("only line ends: %q, %v", out, err)
	}
}

// failAfter is a writer that takes n writes.
type failAfter struct{ n int }

func (f *failAfter) Write(p []byte) (int, error) {
	if f.n--; f.n < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestStreamsPassFailuresOn(t *testing.T) {
	s := Substitution{Old: "a", New: "b"}
	for n := range 4 {
		_, err := ReplaceStream(context.Background(), &failAfter{n}, strings.NewReader("xay"), textenc.Detection{}, s, nil)
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("write %d: %v", n, err)
		}
	}
	broken := iotest.ErrReader(io.ErrNoProgress)
	if _, err := ReplaceStream(context.Background(), io.Discard, broken, textenc.Detection{}, s, nil); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("read: %v", err)
	}
	late := io.MultiReader(strings.NewReader(strings.Repeat("x", 2*bufferSize)), broken)
	if _, err := ReplaceStream(context.Background(), io.Discard, late, textenc.Detection{}, s, nil); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("late read: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ReplaceStream(ctx, io.Discard, strings.NewReader("a"), textenc.Detection{}, s, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestApplyStream(t *testing.T) {
	raw := []byte("0123456789")
	splices := []Splice{{0, 1, []byte("a")}, {3, 3, []byte("b")}, {5, 8, nil}, {10, 10, []byte("c")}}
	want := Apply(raw, splices)
	var out bytes.Buffer
	n, err := ApplyStream(context.Background(), &out, bytes.NewReader(raw), splices)
	if err != nil || !bytes.Equal(out.Bytes(), want) || n != int64(len(want)) || n != Size(10, splices) {
		t.Errorf("%q (%d), %v; want %q", out.Bytes(), n, err, want)
	}
	out.Reset()
	_, err = ApplyStream(context.Background(), &out, iotest.DataErrReader(bytes.NewReader(raw)), []Splice{{10, 10, []byte("c")}})
	if err != nil || out.String() != "0123456789c" {
		t.Errorf("the end of the file with its last bytes: %q, %v", out.Bytes(), err)
	}
	if _, err := ApplyStream(context.Background(), io.Discard, bytes.NewReader(raw), []Splice{{11, 12, nil}}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("short file: %v", err)
	}
	if _, err := ApplyStream(context.Background(), io.Discard, bytes.NewReader(raw), []Splice{{9, 12, nil}}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("short file: %v", err)
	}
	for n := range 3 {
		if _, err := ApplyStream(context.Background(), &failAfter{n}, bytes.NewReader(raw), splices[1:2]); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("write %d: %v", n, err)
		}
	}
	if _, err := ApplyStream(context.Background(), io.Discard, iotest.ErrReader(io.ErrNoProgress), nil); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("read: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ApplyStream(ctx, io.Discard, bytes.NewReader(raw), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// lines100MB gives 100 MB without holding them.
type lines100MB struct{ left int }

func (l *lines100MB) Read(p []byte) (int, error) {
	const line = "the quick brown fox jumps over the lazy dog again and again\r\n"
	if l.left <= 0 {
		return 0, io.EOF
	}
	n := 0
	for n+len(line) <= len(p) && l.left > 0 {
		n += copy(p[n:], line)
		l.left -= len(line)
	}
	if n == 0 { // a small buffer still gets something
		n = copy(p, line[:1])
		l.left -= n
	}
	return n, nil
}

func TestStreamMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	peak := make(chan uint64)
	stop := make(chan struct{})
	go func() {
		var most uint64
		for {
			select {
			case <-stop:
				peak <- most
				return
			case <-time.After(5 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
		}
	}()
	plan, err := ReplaceStream(context.Background(), io.Discard, &lines100MB{100 << 20}, textenc.Detection{LineEnding: textenc.CRLF},
		Substitution{Old: "lazy dog", New: "lazy cat", All: true}, &Options{MaxMatches: 10 << 20})
	close(stop)
	most := <-peak
	runtime.ReadMemStats(&after)
	if err != nil || plan.Count < 1_500_000 {
		t.Fatalf("%d matches, %v", plan.Count, err)
	}
	if used := int64(most) - int64(before.HeapAlloc); used > 32<<20 {
		t.Errorf("%d MiB of heap", used>>20)
	}
}

// A line of 64 MiB is edited within bounds of time.
func TestLongLine(t *testing.T) {
	if testing.Short() {
		t.Skip("64 MiB")
	}
	raw := bytes.Repeat([]byte("abcdefgh"), 8<<20)
	copy(raw[40<<20:], "NEEDLE  ")
	d := textenc.Detect(raw)
	began := time.Now()
	plan, err := Replace(context.Background(), raw, d, Substitution{Old: "NEEDLE", New: "x"}, nil)
	if err != nil || plan.Splices[0].Start != 40<<20 {
		t.Errorf("%v", err)
	}
	if _, err := Replace(context.Background(), raw, d, Substitution{Old: "ABSENT", New: "x"}, nil); facade.CodeOf(err) != facade.CodeNoMatch {
		t.Errorf("%v", err)
	}
	e := facade.TextEdit{OldText: "  no\n such", NewText: "y"}
	if _, err := NewDocument(raw, d, nil).Edit(context.Background(), e, ToleranceOf(facade.EditInput{})); facade.CodeOf(err) != facade.CodeNoMatch {
		t.Errorf("%v", err)
	}
	if plan, err = ReplaceRange(raw, d, Range{Start: 1, End: -1, New: "z"}, nil); err != nil || plan.Splices[0].Start != int64(len(raw)) {
		t.Errorf("%v", err)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
}

// All that is read is told, and stays as it is while others may work on it.
func TestReplaceStreamTellsParts(t *testing.T) {
	raw := []byte(strings.Repeat("some words with a needle\n"+strings.Repeat("none here\n", 300), 1000))
	var told []byte
	var held [][]byte
	var were []string
	check := func() {
		for i, part := range held {
			if string(part) != were[i] {
				t.Fatalf("part %d has changed before %d more were told", len(held)-i, Parts-1)
			}
		}
	}
	read := func(part []byte) {
		told = append(told, part...)
		check()
		if held, were = append(held, part), append(were, string(part)); len(held) == Parts {
			held, were = held[1:], were[1:]
		}
	}
	out, plan, err := stream(string(raw), Substitution{Old: "needle", New: "a much longer text", All: true}, &Options{Read: read})
	if err != nil || plan.Count != 1000 || out != strings.ReplaceAll(string(raw), "needle", "a much longer text") {
		t.Fatalf("%d are replaced, %v", plan.Count, err)
	}
	if check(); !bytes.Equal(told, raw) {
		t.Errorf("%d bytes were told of %d", len(told), len(raw))
	}
}
