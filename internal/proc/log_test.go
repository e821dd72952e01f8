package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// numbered is text whose every byte tells its offset: lines of 16 bytes.
func numbered(from, size int64) []byte {
	var b bytes.Buffer
	for i := from / 16; int64(b.Len()) < size+16; i++ {
		fmt.Fprintf(&b, "%015d\n", i)
	}
	return b.Bytes()[from%16 : from%16+size]
}

func TestLogOffsets(t *testing.T) {
	const limit, total = memoryLog + 64<<10, 2 << 20
	l := newLog(t.TempDir(), limit)
	defer l.Close()
	for at := int64(0); at < total; at += 64 << 10 {
		l.write(Stdout, numbered(at, 64<<10))
	}
	for _, c := range []struct {
		name         string
		at, want     int64
		size, length int
	}{
		{"start", 0, 0, 100, 100},
		{"end of memory", memoryLog - 10, memoryLog - 10, 100, 10},
		{"file", memoryLog, memoryLog, 100, 100},
		{"end of file", limit - 7, limit - 7, 100, 7},
		{"gap", limit, total - tailLog, 100, 100},
		{"tail", total - 50, total - 50, 100, 50},
		{"end", total, total, 100, 0},
		{"behind", total + 5, total, 100, 0},
		{"negative", -5, 0, 16, 16},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := l.Read(c.at, c.size)
			if err != nil || r.Offset != c.want || len(r.Data) != c.length || r.Next != c.want+int64(c.length) {
				t.Fatalf("Read gives offset %d, %d bytes, next %d, %v", r.Offset, len(r.Data), r.Next, err)
			}
			if want := numbered(r.Offset, int64(c.length)); !bytes.Equal(r.Data, want) {
				t.Errorf("Read gives %q, want %q", r.Data, want)
			}
		})
	}
}

func TestLogCharacters(t *testing.T) {
	l := newLog(t.TempDir(), 1<<20)
	text := strings.Repeat("日本語", 1000)
	l.write(Stdout, []byte(text))
	var got strings.Builder
	for at := int64(0); at < int64(len(text)); {
		r, err := l.Read(at, 100)
		if err != nil || len(r.Data) == 0 || !utf8.Valid(r.Data) {
			t.Fatalf("at %d: %q, %v", at, r.Data, err)
		}
		got.Write(r.Data)
		at = r.Next
	}
	if got.String() != text {
		t.Error("the pieces are not the text")
	}
}

func TestLogStreams(t *testing.T) {
	l := newLog(t.TempDir(), 1<<20)
	for _, w := range []struct {
		s    Stream
		text string
	}{{Stdout, "out"}, {Stderr, "er"}, {Stderr, "ror"}, {Stdout, "more"}, {Stderr, "end"}} {
		l.write(w.s, []byte(w.text))
	}
	for _, c := range []struct {
		offset int64
		limit  int
		want   []Span
	}{{0, 100, []Span{{3, 8}, {12, 15}}}, {4, 2, []Span{{4, 6}}}, {0, 3, nil}, {8, 5, []Span{{12, 13}}}} {
		r, err := l.Read(c.offset, c.limit)
		if diff := cmp.Diff(c.want, r.Stderr); err != nil || diff != "" {
			t.Errorf("Read(%d, %d): %v (-want +got):\n%s", c.offset, c.limit, err, diff)
		}
	}
}

func TestLogWait(t *testing.T) {
	l := newLog(t.TempDir(), 1<<20)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := l.Wait(ctx, 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("Wait gives %v", err)
	}
	woken := make(chan error, 1)
	go func() { woken <- l.Wait(t.Context(), 0) }()
	l.write(Stdout, []byte("x"))
	if err := <-woken; err != nil {
		t.Fatal(err)
	}
	l.end()
	if err := l.Wait(t.Context(), 1000); err != nil {
		t.Fatal(err)
	}
}

func TestLogWithoutSpace(t *testing.T) {
	l := newLog(t.TempDir()+"/missing", 10<<20)
	for at := int64(0); at < 1<<20; at += 64 << 10 {
		l.write(Stdout, numbered(at, 64<<10))
	}
	r, err := l.Read(memoryLog+100, 100)
	if err != nil || r.Offset != 1<<20-tailLog || !bytes.Equal(r.Data, numbered(r.Offset, 100)) {
		t.Errorf("without a file, Read gives offset %d, %v", r.Offset, err)
	}
}

func TestLogClosed(t *testing.T) {
	dir := t.TempDir()
	l := newLog(dir, 10<<20)
	l.write(Stdout, numbered(0, 1<<20))
	for range 2 {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if r, err := l.Read(0, 16); err != nil || len(r.Data) != 16 {
		t.Errorf("the start is gone: %q, %v", r.Data, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func TestWindow(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		whole          bool
	}{
		{"short", "abc", "abc", true},
		{"exact", "12345678", "12345678", true},
		{"overlap", "1234567", "1234567", true},
		{"long", "1234xxxxx5678", "1234\n[… 5 bytes left out …]\n5678", false},
		{"characters", "12日xxxx語34", "12\n[… 10 bytes left out …]\n34", false},
		{"character across the middle", "123日56", "123日56", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWindow(4)
			for _, b := range []byte(c.in) {
				w.write([]byte{b})
			}
			if got, whole := w.text(); got != c.want || whole != c.whole {
				t.Errorf("the text is %q, %v; want %q", got, whole, c.want)
			} else if !utf8.ValidString(got) {
				t.Errorf("%q is not UTF-8", got)
			}
		})
	}
}

func FuzzRing(f *testing.F) {
	f.Add([]byte("hello"), []byte(" world"), uint8(4))
	f.Fuzz(func(t *testing.T, a, b []byte, size uint8) {
		r := ring{size: int(size)}
		r.write(a)
		r.write(b)
		all := append(bytes.Clone(a), b...)
		want := all[max(0, len(all)-int(size)):]
		if got, from := r.bytes(); !bytes.Equal(got, want) || from != int64(len(all)-len(want)) {
			t.Errorf("the ring holds %q from %d, want %q", got, from, want)
		}
	})
}

func FuzzPartial(f *testing.F) {
	f.Add([]byte("aä日\xf0\x9f\x98"))
	f.Fuzz(func(t *testing.T, p []byte) {
		n := partial(p)
		if n < 0 || n > 3 || n > len(p) {
			t.Fatalf("partial is %d", n)
		}
		if utf8.Valid(p) && n != 0 {
			t.Errorf("%q is whole, yet %d bytes are held", p, n)
		}
	})
}
