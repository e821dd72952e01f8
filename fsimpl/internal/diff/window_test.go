package diff

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// whole is Unified without the window.
func whole(before, after []byte, o *Options) string {
	w := newWriter("a", "a", o.withDefaults())
	w.show(lines(before), lines(after), 0)
	return w.result().Text
}

// A diff of the windows is the diff of the texts.
func TestWindow(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString([]string{"a\n", "b\n", "\n", "ab\n", "a", "x\r\n"}[random.IntN(6)])
		}
		return b.String()
	}
	long := strings.Repeat("a line of some length\n", 1000)
	for i := range 20_000 {
		head, tail := text(), text()
		if i%100 == 0 { // more than what is compared at once
			head, tail = head+long, long+tail
		}
		before, after := []byte(head+text()+tail), []byte(head+text()+tail)
		if bytes.Equal(before, after) {
			continue
		}
		o := &Options{Context: random.IntN(5) - 1, MaxBytes: 1 << 20}
		if d := cmp.Diff(whole(before, after, o), Unified("a", "a", before, after, o).Text); d != "" {
			t.Fatalf("%.200q and %.200q, context %d (-whole +window):\n%s", before, after, o.Context, d)
		}
	}
}

// What is cut off is all but the context.
func TestWindowIsSmall(t *testing.T) {
	long := strings.Repeat("a line of some length\n", 10_000)
	from, a, b := window([]byte(long+"old\n"+long), []byte(long+"new\n"+long), 3)
	if from != len(long)-3*22 || len(a) != 4+6*22 || len(a) != len(b) {
		t.Errorf("from %d, %d and %d bytes", from, len(a), len(b))
	}
}
