package journal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// substitute replaces old by new in text and returns the way back.
func substitute(text, old, new string) (string, *Reverse) {
	r := &Reverse{}
	var out strings.Builder
	at := 0
	for {
		n := strings.Index(text[at:], old)
		if n < 0 {
			return out.String() + text[at:], r
		}
		out.WriteString(text[at:at+n] + new)
		r.Add(int64(at+n), []byte(old), []byte(new))
		at += n + len(old)
	}
}

// substituteFile is the operation of replacing text in a file.
func substituteFile(t *testing.T, j *Journal, tr *tree, path, old, new string) {
	t.Helper()
	data, way := substitute(tr.nodes[path].data, old, new)
	c := Change{Path: path, Before: tr.nodes[path].state, After: fileState(data), Reverse: way}
	tx, err := j.Begin(context.Background(), "s", "replace", []Change{c}, tr)
	if err != nil {
		t.Fatal(err)
	}
	tr.write(path, data)
	if err := tx.Commit(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// kept reports whether the journal holds a content, and a way back to it.
func kept(j *Journal, before, after string) (whole, way bool) {
	b, a := fileState(before), fileState(after)
	return holds(j, b.Hash), holds(j, reverseKey(b, a))
}

// holds reports whether the journal has something under a key.
func holds(j *Journal, key string) bool {
	r, err := j.store.get(key)
	return err == nil && r.Close() == nil
}

func TestReverseLeadsBackAndForth(t *testing.T) {
	each(t, nil, func(t *testing.T, j *Journal) {
		one := strings.Repeat("a needle in a haystack\n", 100_000)
		tr := newTree("f", one)
		substituteFile(t, j, tr, "f", "needle", "pin")
		two := tr.nodes["f"].data
		if whole, way := kept(j, one, two); whole || !way {
			t.Fatalf("kept whole %v, the way back %v", whole, way)
		}
		substituteFile(t, j, tr, "f", "haystack\n", "")
		three := tr.nodes["f"].data
		for range 2 {
			if got, err := undo(t, j, tr, 2, ""); err != nil || ids(got) != "c2 c1" || tr.nodes["f"].data != one {
				t.Fatalf("undo: %v %v, as it was: %v", ids(got), err, tr.nodes["f"].data == one)
			}
			if got, err := redo(t, j, tr, 2, ""); err != nil || ids(got) != "c1 c2" || tr.nodes["f"].data != three {
				t.Fatalf("redo: %v %v, as it was: %v", ids(got), err, tr.nodes["f"].data == three)
			}
		}
		if _, err := undo(t, j, tr, 1, ""); err != nil || tr.nodes["f"].data != two {
			t.Fatalf("undo: %v", err)
		}
	})
}

func TestReverseOfChangedFile(t *testing.T) {
	each(t, nil, func(t *testing.T, j *Journal) {
		tr := newTree("f", "a needle")
		substituteFile(t, j, tr, "f", "needle", "pin")
		tr.write("f", "a pin!")
		if _, err := undo(t, j, tr, 1, ""); facade.CodeOf(err) != facade.CodeStale || tr.nodes["f"].data != "a pin!" {
			t.Errorf("undo: %v, then %q", err, tr.nodes["f"].data)
		}
		tr.write("f", "a pin")
		if _, err := undo(t, j, tr, 1, ""); err != nil || tr.nodes["f"].data != "a needle" {
			t.Errorf("undo: %v, then %q", err, tr.nodes["f"].data)
		}
	})
}

// An operation that a crash cut short after the file was replaced, with other
// paths still to come, is taken back.
func TestReverseRecovers(t *testing.T) {
	each(t, nil, func(t *testing.T, j *Journal) {
		tr := newTree("f", "a needle")
		data, way := substitute("a needle", "needle", "pin")
		changes := []Change{
			{Path: "f", Before: tr.nodes["f"].state, After: fileState(data), Reverse: way},
			{Path: "g", Before: State{Kind: Absent}, After: fileState("never written")},
		}
		if _, err := j.Begin(context.Background(), "s", "replace", changes, tr); err != nil {
			t.Fatal(err)
		}
		tr.write("f", data)
		if ops, err := j.Recover(context.Background(), "s", tr); err != nil || len(ops) != 1 || tr.nodes["f"].data != "a needle" {
			t.Errorf("%v %v, then %q", ops, err, tr.nodes["f"].data)
		}
	})
}

// A way back that is too long is none: the content is kept whole.
func TestReverseTooLong(t *testing.T) {
	j := NewMemory(nil)
	before := large(maxReverse+1) + "end"
	tr := newTree("f", before)
	substituteFile(t, j, tr, "f", large(maxReverse+1), "")
	if whole, way := kept(j, before, "end"); !whole || way {
		t.Fatalf("kept whole %v, the way back %v", whole, way)
	}
	if _, err := undo(t, j, tr, 1, ""); err != nil || tr.nodes["f"].data != before {
		t.Errorf("undo: %v", err)
	}
}

// The way back goes with its operation, and not before.
func TestReverseIsSwept(t *testing.T) {
	now := time.Now()
	each(t, &Options{Now: func() time.Time { return now }, MaxAge: time.Hour}, func(t *testing.T, j *Journal) {
		start := now
		defer func() { now = start }()
		tr := newTree("f", "a needle")
		substituteFile(t, j, tr, "f", "needle", "pin")
		for _, step := range []struct {
			after time.Duration
			want  bool
		}{{30 * time.Minute, true}, {2 * time.Hour, false}} {
			now = start.Add(step.after)
			if err := j.Sweep(); err != nil {
				t.Fatal(err)
			}
			if _, way := kept(j, "a needle", "a pin"); way != step.want {
				t.Errorf("after %v: kept %v", step.after, way)
			}
		}
	})
}

// read reads back the old content from base.
func readBack(way []byte, base, want string, wrap func(io.Reader) io.Reader) (string, error) {
	j := NewMemory(nil)
	tr := newTree("f", base)
	s, now := fileState(want), tr.nodes["f"].state
	if err := j.store.putReverse(reverseKey(s, now), way); err != nil {
		return "", err
	}
	r, err := j.former(context.Background(), tr, "f", s, now)
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(wrap(r))
	return string(b), errors.Join(err, r.Close())
}

func TestReverseOfAnything(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string {
		b := make([]byte, rng.IntN(n))
		for i := range b {
			b[i] = "ab"[rng.IntN(2)]
		}
		return string(b)
	}
	whole := func(r io.Reader) io.Reader { return r }
	for range 500 {
		before := text(200)
		after, way := substitute(before, "a"+text(3), text(4))
		for _, wrap := range []func(io.Reader) io.Reader{whole, iotest.OneByteReader, iotest.HalfReader} {
			if got, err := readBack(way.b, after, before, wrap); err != nil || got != before {
				t.Fatalf("%q from %q: %q, %v", before, after, got, err)
			}
		}
		if after != before {
			if _, err := readBack(way.b, before, after+"!", whole); err == nil {
				t.Fatalf("%q is not what %q leads to", after+"!", before)
			}
		}
	}
}

// Whatever a damaged journal holds, reading ends with an error or with exactly
// the old content.
func FuzzReverse(f *testing.F) {
	_, way := substitute("a needle in a needle case", "needle", "pin")
	f.Add(way.b, "a pin in a pin case")
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0, 0}, "x")
	f.Add(bytes.Repeat([]byte{0xff}, 30), "x")
	f.Fuzz(func(t *testing.T, way []byte, base string) {
		const want = "a needle in a needle case"
		got, err := readBack(way, base, want, func(r io.Reader) io.Reader { return r })
		if err == nil && got != want {
			t.Errorf("%q", got)
		}
	})
}
