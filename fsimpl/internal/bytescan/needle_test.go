package bytescan

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

func flat(byte, bool) int { return 1 }

// byValue makes tests choose other pairs of bytes than flat does.
func byValue(b byte, _ bool) int { return int(b) }

// indexNaive is the definition.
func indexNaive(h, text []byte, fold bool) int {
	for i := 0; i+len(text) <= len(h); i++ {
		same := true
		for j, c := range text {
			d := h[i+j]
			if fold {
				c, d = lower(c), lower(d)
			}
			if c != d {
				same = false
				break
			}
		}
		if same {
			return i
		}
	}
	return -1
}

func checkIndex(t *testing.T, h, text []byte, fold bool) {
	t.Helper()
	want := indexNaive(h, text, fold)
	for _, rarity := range []func(byte, bool) int{flat, byValue} {
		n := New(string(text), fold, rarity)
		if got := n.Index(h); got != want {
			t.Errorf("Index(%q, %q, fold %v) = %d, want %d", h, text, fold, got, want)
		}
		if got := n.indexPortable(h); got != want {
			t.Errorf("indexPortable(%q, %q, fold %v) = %d, want %d", h, text, fold, got, want)
		}
	}
}

// TestEveryPlace puts a text at every place of texts of every small length.
func TestEveryPlace(t *testing.T) {
	for _, text := range []string{"x", "xy", "Xyz", "@`[{", "needle"} {
		for length := len(text); length < 200; length += 3 {
			for at := 0; at+len(text) <= length; at++ {
				h := bytes.Repeat([]byte{'.'}, length)
				copy(h[at:], text)
				checkIndex(t, h, []byte(text), at%2 == 0)
			}
		}
	}
}

func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const letters = "abAB@`\x00\xff"
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = letters[r.IntN(len(letters))]
		}
		return b
	}
	for range 3000 {
		checkIndex(t, random(r.IntN(300)), random(1+r.IntN(6)), r.IntN(2) == 0)
	}
}

// TestBeyond has the text just outside the slice that is searched.
func TestBeyond(t *testing.T) {
	all := []byte(strings.Repeat("-", 100) + "needle")
	for cut := 1; cut < 6; cut++ {
		if got := New("needle", false, flat).Index(all[:len(all)-cut]); got != -1 {
			t.Errorf("found at %d with %d bytes missing", got, cut)
		}
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte("some hay and a needle"), []byte("needle"), true)
	f.Add(bytes.Repeat([]byte("ab"), 100), []byte("ba@"), false)
	f.Fuzz(func(t *testing.T, h, text []byte, fold bool) {
		if len(text) == 0 || len(text) > 100 || len(h) > 1000 {
			return
		}
		checkIndex(t, h, text, fold)
	})
}
