package search_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/search"
	"github.com/toolfacade/toolfacade/fsimpl/internal/walk"
)

// forest returns a tree of text and binary files in memory.
func forest(t testing.TB, files int) afero.Fs {
	t.Helper()
	r := rand.New(rand.NewPCG(9, 9))
	mem := afero.NewMemMapFs()
	for i := range files {
		name := fmt.Sprintf("d%d/e%d/f%d.txt", r.IntN(6), r.IntN(3), i)
		content := randomText(r, r.IntN(400), false)
		if i%17 == 0 {
			content = "\x00" + content
		}
		if err := afero.WriteFile(mem, name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := afero.WriteFile(mem, "d1/.gitignore", []byte("*7.txt\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return mem
}

// row is a match and its file, or with line 0 a file and its count.
type row struct {
	Path  string
	Line  int64
	Count int
}

// rows searches a tree and returns what it finds.
func rows(t testing.TB, fsys afero.Fs, start, pattern string, opt *search.TreeOptions) ([]row, search.Totals) {
	t.Helper()
	var got []row
	totals, err := search.Tree(t.Context(), fsys, start, compile(t, nil, pattern), opt, func(f *search.FileMatches) bool {
		if opt.Scope.Mode != search.Lines {
			got = append(got, row{Path: f.Path, Count: f.Count})
		}
		for _, m := range f.Matches {
			got = append(got, row{Path: f.Path, Line: m.Line})
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return got, totals
}

func TestTreePages(t *testing.T) {
	mem := forest(t, 120)
	for _, mode := range []search.Mode{search.Lines, search.Count, search.Files} {
		all, totals := rows(t, mem, ".", "foo", &search.TreeOptions{Scope: search.Scope{Mode: mode}})
		if len(all) < 50 || totals.Next != "" || totals.Binary == 0 || totals.Walk.Ignored == 0 {
			t.Fatalf("mode %d: %d rows, totals %+v", mode, len(all), totals)
		}
		if !slices.IsSortedFunc(all, func(a, b row) int { return walk.Compare(a.Path, b.Path) }) {
			t.Errorf("mode %d: not in the order of paths", mode)
		}
		for limit := range 40 {
			limit++
			opt := search.TreeOptions{Walk: walk.Options{Workers: 1 + limit%4}, Scope: search.Scope{Mode: mode}, Key: "key"}
			if mode == search.Lines {
				opt.MaxMatches = limit
			} else {
				opt.MaxFiles = limit
			}
			var paged []row
			for {
				page, part := rows(t, mem, ".", "foo", &opt)
				paged = append(paged, page...)
				if opt.Cursor = part.Next; part.Next == "" {
					break
				}
				if len(page) != limit {
					t.Fatalf("mode %d, limit %d: a page of %d with a cursor", mode, limit, len(page))
				}
			}
			if diff := cmp.Diff(all, paged); diff != "" {
				t.Fatalf("mode %d, limit %d: pages differ (-want +got):\n%s", mode, limit, diff)
			}
		}
	}
}

func TestTreeTotals(t *testing.T) {
	mem := forest(t, 120)
	ordered, want := rows(t, mem, ".", "foo|bar", &search.TreeOptions{})
	for _, workers := range []int{1, 2, 5} {
		for _, unordered := range []bool{false, true} {
			opt := &search.TreeOptions{Walk: walk.Options{Workers: workers, Unordered: unordered}}
			got, totals := rows(t, mem, ".", "foo|bar", opt)
			slices.SortStableFunc(got, func(a, b row) int { return walk.Compare(a.Path, b.Path) })
			if diff := cmp.Diff(ordered, got); diff != "" {
				t.Errorf("%d workers, unordered %v: rows differ (-want +got):\n%s", workers, unordered, diff)
			}
			if diff := cmp.Diff(want, totals); diff != "" {
				t.Errorf("%d workers, unordered %v: totals differ (-want +got):\n%s", workers, unordered, diff)
			}
		}
	}
	if want.Matches != len(ordered) || want.Searched+want.Binary != 121-want.Walk.Ignored || want.Failed != 0 {
		t.Errorf("totals %+v for %d rows", want, len(ordered))
	}
}

func TestTreeOfOneFile(t *testing.T) {
	mem := afero.NewMemMapFs()
	if err := afero.WriteFile(mem, "/a/b.txt", []byte("x\nfoo\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got, totals := rows(t, mem, "/a/b.txt", "foo", &search.TreeOptions{})
	if diff := cmp.Diff([]row{{Path: "/a/b.txt", Line: 2}}, got); diff != "" || totals.Files != 1 || totals.Searched != 1 {
		t.Errorf("totals %+v, rows differ (-want +got):\n%s", totals, diff)
	}
}

func TestTreeStops(t *testing.T) {
	mem := forest(t, 120)
	for _, unordered := range []bool{false, true} {
		n := 0
		opt := &search.TreeOptions{Walk: walk.Options{Unordered: unordered, Workers: 3}, Key: "k"}
		totals, err := search.Tree(t.Context(), mem, ".", compile(t, nil, "foo"), opt, func(*search.FileMatches) bool {
			n++
			return n < 3
		})
		if err != nil || n != 3 || totals.Files != 3 || (totals.Next == "") != unordered {
			t.Errorf("unordered %v: %d calls, totals %+v, error %v", unordered, n, totals, err)
		}
	}
}

func TestTreeCancel(t *testing.T) {
	mem := afero.NewMemMapFs()
	if err := afero.WriteFile(mem, "f", []byte(strings.Repeat("some text\n", 1<<20)), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(5*time.Millisecond, cancel)
	begin := time.Now()
	for ctx.Err() == nil {
		_, err := search.Tree(ctx, mem, ".", compile(t, nil, `(o|e)+m.*x$`), nil, func(*search.FileMatches) bool { return true })
		if took := time.Since(begin); err != nil && !errors.Is(err, context.Canceled) || took > time.Second {
			t.Errorf("error %v after %v", err, took)
		}
	}
}

func TestCursors(t *testing.T) {
	mem := forest(t, 60)
	opt := search.TreeOptions{MaxMatches: 3, Key: "one"}
	_, totals := rows(t, mem, ".", "foo", &opt)
	for _, tt := range []struct{ cursor, key, reason string }{
		{totals.Next, "two", "other arguments"},
		{"!!!", "one", "not one that"},
		{"AAAA", "one", "not one that"},
		{totals.Next[:6], "one", "not one that"},
	} {
		opt.Cursor, opt.Key = tt.cursor, tt.key
		_, err := search.Tree(t.Context(), mem, ".", compile(t, nil, "foo"), &opt, func(*search.FileMatches) bool { return true })
		e, ok := errors.AsType[*facade.Error](err)
		if !ok || e.Code != facade.CodeInvalidArgument || e.Field != "cursor" || !strings.Contains(e.Message, tt.reason) {
			t.Errorf("%q: error %v, want one about %q", tt.cursor, err, tt.reason)
		}
	}
	if search.CursorAfter("one", "p", 7) == search.CursorAfter("one", "p", search.WholeFile) {
		t.Error("cursors do not tell places apart")
	}
}

// failingFs cannot open some files.
type failingFs struct{ afero.Fs }

func (f failingFs) Open(name string) (afero.File, error) {
	if strings.HasSuffix(name, "3.txt") {
		return nil, errBroken
	}
	return f.Fs.Open(name)
}

var errBroken = errors.New("broken")

func TestTreeFailures(t *testing.T) {
	_, totals := rows(t, failingFs{forest(t, 60)}, ".", "foo", &search.TreeOptions{})
	if totals.Failed != 6 || !errors.Is(totals.Failure, errBroken) || totals.Searched == 0 {
		t.Errorf("totals %+v, want 6 failed", totals)
	}
}
