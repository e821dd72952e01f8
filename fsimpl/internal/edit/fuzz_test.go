package edit

import (
	"bytes"
	"context"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// inverse returns the splices that take others back.
func inverse(raw []byte, splices []Splice) []Splice {
	out := make([]Splice, len(splices))
	shift := int64(0)
	for i, s := range splices {
		start := s.Start + shift
		out[i] = Splice{start, start + int64(len(s.New)), raw[s.Start:s.End]}
		shift += int64(len(s.New)) - (s.End - s.Start)
	}
	return out
}

// checkSplices proves that splices are in order and inside the file, that the
// bytes outside them stay and that their inverse restores the file.
func checkSplices(t *testing.T, raw []byte, splices []Splice) []byte {
	t.Helper()
	at := int64(0)
	for _, s := range splices {
		if s.Start < at || s.End < s.Start || s.End > int64(len(raw)) {
			t.Fatalf("splices %v of %d bytes", splices, len(raw))
		}
		at = s.End
	}
	after := Apply(raw, splices)
	if back := Apply(after, inverse(raw, splices)); !bytes.Equal(back, raw) {
		t.Fatalf("the inverse gives %q, want %q", back, raw)
	}
	var out bytes.Buffer
	if _, err := ApplyStream(context.Background(), &out, bytes.NewReader(raw), splices); err != nil || !bytes.Equal(out.Bytes(), after) {
		t.Fatalf("the stream gives %q, want %q (%v)", out.Bytes(), after, err)
	}
	return after
}

func FuzzReplace(f *testing.F) {
	for _, raw := range []string{"a\r\nb\nc", "caf\xE9 b", "\xFF\xFEa\x00\r\x00\n\x00", "\u00e9\xFF b b", "a\rb\rb", "\xEF\xBB\xBFb"} {
		f.Add([]byte(raw), "b", "x\ny", byte(0))
		f.Add([]byte(raw), "a\nb", "\u00fc", byte(1))
		f.Add([]byte(raw), `(\w)$`, "$1$1", byte(3))
	}
	f.Fuzz(func(t *testing.T, raw []byte, before, after string, flags byte) {
		s := Substitution{Old: before, New: after, All: flags&1 != 0, Regex: flags&2 != 0}
		d := textenc.Detect(raw)
		plan, err := Replace(context.Background(), raw, d, s, &Options{MaxOutput: 1 << 20})
		if err != nil {
			if facade.CodeOf(err) == facade.CodeInternal {
				t.Fatal(err)
			}
			return
		}
		whole := checkSplices(t, raw, plan.Splices)
		if s.Regex || flags&1 == 0 {
			return
		}
		var out bytes.Buffer
		if _, err := ReplaceStream(context.Background(), &out, bytes.NewReader(raw), d, s, nil); err != nil || !bytes.Equal(out.Bytes(), whole) {
			t.Fatalf("the stream gives %q, want %q (%v)", out.Bytes(), whole, err)
		}
	})
}

func FuzzEdit(f *testing.F) {
	f.Add([]byte("func f() {\n\tif x {\n\t\treturn 1\n\t}\n}\n"), "if x {\n  return 1\n}", "if y {\n  if x {\n    return 1\n  }\n}", byte(0))
	f.Add([]byte("say \u201chello\u201d\r\n"), "say \"hello\"", "say \"bye\"", byte(1))
	f.Add([]byte("a  \nb\t\nc"), "a\nb", "a\nx", byte(2))
	f.Add([]byte("one two three\n"), "one two thrice", "x", byte(3))
	f.Fuzz(func(t *testing.T, raw []byte, before, after string, flags byte) {
		tolerance := Tolerance{Whitespace: flags&1 == 0, Partial: flags&2 == 0, KeepIndent: flags&4 == 0, Confidence: 1 - float64(flags&8)/16}
		d := textenc.Detect(raw)
		doc := NewDocument(raw, d, nil)
		for range 2 { // the second edit is on the result of the first
			e := facade.TextEdit{OldText: before, NewText: after, ReplaceAll: flags&16 != 0}
			if _, err := doc.Edit(context.Background(), e, tolerance); facade.CodeOf(err) == facade.CodeInternal {
				t.Fatal(err)
			}
			before, after = after, before
		}
		if got := checkSplices(t, raw, doc.Plan().Splices); !bytes.Equal(got, doc.Bytes()) {
			t.Fatalf("the splices give %q, the document is %q", got, doc.Bytes())
		}
	})
}

func FuzzRange(f *testing.F) {
	f.Add([]byte("a\r\nb\nc"), int64(1), int64(1), "x\ny", false)
	f.Add([]byte("caf\xE9"), int64(0), int64(-1), "\u00e9", true)
	f.Fuzz(func(t *testing.T, raw []byte, start, end int64, text string, byBytes bool) {
		d := textenc.Detect(raw)
		plan, err := ReplaceRange(raw, d, Range{start, end, text, byBytes}, nil)
		if err != nil {
			if facade.CodeOf(err) == facade.CodeInternal {
				t.Fatal(err)
			}
			return
		}
		checkSplices(t, raw, plan.Splices)
	})
}
