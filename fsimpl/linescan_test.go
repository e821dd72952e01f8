package fsimpl

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// scanText is a few blocks of lines of all lengths, some longer than a block.
func scanText(rng *rand.Rand, blocks int, ended bool) []byte {
	var text []byte
	for len(text) < blocks*blockSize {
		n := rng.IntN(200)
		if rng.IntN(3000) == 0 {
			n = rng.IntN(2 * blockSize)
		}
		text = append(append(text, bytes.Repeat([]byte("x"), n)...), '\n')
	}
	if ended {
		text = append(text[:blocks*blockSize-1], '\n')
	} else {
		text = append(text, 'x')
	}
	return text
}

// passed is what lineScan should return for a text after prefix bytes.
func passed(text []byte, prefix int, wanted int64) (lines, offset int64) {
	at := prefix
	for lines < wanted && at < len(text) {
		lines++
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return lines, int64(len(text))
		}
		at += n + 1
	}
	return lines, int64(at)
}

func TestLineScan(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, blocks := range []int{0, 1, scanAlone, scanAlone + 1, 30} {
		for _, ended := range []bool{true, false} {
			if blocks == 0 && ended {
				continue
			}
			text := scanText(rng, blocks, ended)
			name := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(name, text, 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			total, _ := passed(text, 0, math.MaxInt64)
			wanted := []int64{0, 1, 2, total - 1, total, total + 1, math.MaxInt64}
			for range 30 {
				wanted = append(wanted, rng.Int64N(total+1))
			}
			for i, n := range wanted {
				prefix := []int{0, 3}[i%2]
				if prefix > len(text) {
					prefix = 0
				}
				s := &lineScan{file: f, sep: '\n', start: int64(prefix), wanted: n}
				lines, offset, err := s.skip(context.Background())
				wantLines, wantOffset := passed(text, prefix, n)
				if err != nil || lines != wantLines || offset != wantOffset {
					t.Fatalf("%d blocks, ended %v, %d lines from %d: %d lines to %d, %v; want %d to %d",
						blocks, ended, n, prefix, lines, offset, err, wantLines, wantOffset)
				}
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			if blocks > 0 {
				s := &lineScan{file: f, sep: '\n', wanted: 1}
				if _, _, err := s.skip(context.Background()); !errors.Is(err, fs.ErrClosed) {
					t.Errorf("of a closed file: %v", err)
				}
			}
		}
	}
}

func TestLineScanEndsWithItsContext(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, scanText(rand.New(rand.NewPCG(5, 6)), 2*scanAlone, true), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := &lineScan{file: f, sep: '\n', wanted: math.MaxInt64}
	if lines, _, err := s.skip(ctx); !errors.Is(err, context.Canceled) || lines != 0 {
		t.Errorf("%d lines, %v", lines, err)
	}
}
