//go:build linux

package nats

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/proc"
)

func TestPieces(t *testing.T) {
	got := proc.Range{Data: []byte("0123456789"), Offset: 100, Next: 110, Stderr: []proc.Span{{From: 100, To: 102}, {From: 105, To: 106}}}
	want := []piece{
		{offset: 100, data: []byte("01"), stderr: true},
		{offset: 102, data: []byte("234")},
		{offset: 105, data: []byte("5"), stderr: true},
		{offset: 106, data: []byte("6789")},
	}
	if diff := cmp.Diff(want, pieces(got), cmp.AllowUnexported(piece{})); diff != "" {
		t.Error(diff)
	}
	if got := pieces(proc.Range{}); len(got) > 0 {
		t.Errorf("nothing gives %v", got)
	}
}

// TestRandomAccess reads output, of which pieces of another task lie between,
// from many offsets.
func TestRandomAccess(t *testing.T) {
	srv, opts := serve(t), testOptions(uniqueName())
	s := open(t, srv, opts)
	id := submit(t, s, facade.TaskSpec{Label: "x", Program: "x"})
	var all []byte
	for i := range 300 {
		data := []byte(fmt.Sprintf("<%d>", i*i))
		for range 2 { // the second is a retry
			if err := s.publish(t.Context(), id, piece{offset: int64(len(all)), data: data, stderr: i%5 == 0}); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, data...)
		if err := s.publish(t.Context(), "task-other", piece{offset: int64(i), data: []byte("x")}); err != nil {
			t.Fatal(err)
		}
	}
	for range 300 {
		offset, limit := rand.IntN(len(all)+2), 1+rand.IntN(40)
		out, err := s.Output(t.Context(), id, int64(offset), limit)
		from := min(offset, len(all))
		want := all[from:min(from+limit, len(all))]
		if err != nil || !bytes.Equal(out.Data, want) || out.Offset != int64(from) || out.Next != int64(from+len(want)) || out.Total != int64(len(all)) {
			t.Fatalf("%d bytes from %d are %q, %+v, %v; want %q", limit, offset, out.Data, out, err, want)
		}
		for _, p := range out.Stderr {
			if p.From < out.Offset || p.To > out.Next || p.From >= p.To {
				t.Errorf("the part %+v is outside of %d to %d", p, out.Offset, out.Next)
			}
		}
	}
}

// TestOldOutputGoes reads from the start when the stream has dropped it.
func TestOldOutputGoes(t *testing.T) {
	srv, opts := serve(t), testOptions(uniqueName())
	opts.MaxOutput = 64 << 10
	s := open(t, srv, opts)
	id := submit(t, s, facade.TaskSpec{Label: "x", Program: "x"})
	for i := range 20 {
		if err := s.publish(t.Context(), id, piece{offset: int64(i) * 10_000, data: bytes.Repeat([]byte{byte('a' + i)}, 10_000)}); err != nil {
			t.Fatal(err)
		}
	}
	out, err := s.Output(t.Context(), id, 5, 10)
	if err != nil || out.Offset < 100_000 || out.Next != out.Offset+10 || len(out.Data) != 10 || out.Data[0] != byte('a'+out.Offset/10_000) {
		t.Errorf("from the start comes %+v, %v", out, err)
	}
}
