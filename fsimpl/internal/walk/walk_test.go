package walk_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/fsimpl/internal/glob"
	"github.com/toolfacade/toolfacade/fsimpl/internal/ignore"
	"github.com/toolfacade/toolfacade/fsimpl/internal/walk"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// handleFs hands out directory handles below a directory of the system.
type handleFs struct {
	afero.Fs
	dir string
}

func (h handleFs) OpenDir(name string) (*os.File, error) {
	f, err := os.Open(filepath.Join(h.dir, name))
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.IsDir() {
		f.Close()
		return nil, &os.PathError{Op: "open", Path: name, Err: errNotDir}
	}
	return f, nil
}

// systems are the ways a walk can reach a tree.
func systems(t *testing.T, files map[string]string) map[string]afero.Fs {
	t.Helper()
	dir := t.TempDir()
	mem := afero.NewMemMapFs()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(path, 0o755))
			must(t, mem.MkdirAll(strings.TrimSuffix(name, "/"), 0o755))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(content), 0o644))
		must(t, afero.WriteFile(mem, name, []byte(content), 0o644))
	}
	base := afero.NewBasePathFs(afero.NewOsFs(), dir)
	return map[string]afero.Fs{"handles": handleFs{base, dir}, "plain": base, "memory": mem}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// paths walks and returns the paths met.
func paths(t *testing.T, fsys afero.Fs, start string, opt *walk.Options) ([]string, walk.Stats) {
	t.Helper()
	var got []string
	stats, err := walk.Each(t.Context(), fsys, start, opt, func(e *walk.Entry) bool {
		p := e.Path()
		if e.Type == walk.Directory {
			p += "/"
		}
		got = append(got, p)
		return true
	})
	must(t, err)
	return got, stats
}

var tree = map[string]string{
	".gitignore":            "*.o\nbuild/\n!keep.o\n/top.txt\n",
	".git/config":           "x",
	".git/info/exclude":     "secret*\n",
	"a/b/c.txt":             "x",
	"a/b.txt":               "x",
	"a/x.o":                 "x",
	"a/keep.o":              "x",
	"a/build/out.txt":       "x",
	"a/.gitignore":          "b.txt\n",
	"a-b/f.go":              "x",
	"a.txt":                 "x",
	"empty/":                "",
	"top.txt":               "x",
	"secret.key":            "x",
	"sub/repo/.git/HEAD":    "x",
	"sub/repo/x.o":          "x",
	"sub/repo/build/b.txt":  "x",
	"sub/repo/secret.txt":   "x",
	"sub/repo/.gitignore":   "b.txt\n",
	"sub/other/top.txt":     "x",
	"sub/other/secret.conf": "x",
}

func TestWalk(t *testing.T) {
	full := []string{
		".gitignore", "a/", "a/.gitignore", "a/b/", "a/b/c.txt", "a/keep.o", "a-b/", "a-b/f.go", "a.txt", "empty/",
		"sub/", "sub/other/", "sub/other/top.txt", "sub/repo/", "sub/repo/.gitignore", "sub/repo/build/", "sub/repo/secret.txt", "sub/repo/x.o",
	}
	tests := []struct {
		name    string
		start   string
		opt     walk.Options
		want    []string
		ignored int
	}{
		{"all", ".", walk.Options{}, full, 7},
		{"one worker", ".", walk.Options{Workers: 1}, full, 7},
		{"many workers", ".", walk.Options{Workers: 9}, full, 7},
		{"depth", ".", walk.Options{Depth: 1}, []string{".gitignore", "a/", "a-b/", "a.txt", "empty/", "sub/"}, 2},
		{"below", "a", walk.Options{}, []string{"a/.gitignore", "a/b/", "a/b/c.txt", "a/keep.o"}, 3},
		{"ignored start", "a/build", walk.Options{}, []string{"a/build/out.txt"}, 0},
		{"file start", "a.txt", walk.Options{}, []string{"a.txt"}, 0},
		{"ignored file start", "a/x.o", walk.Options{}, []string{"a/x.o"}, 0},
		{"include ignored", "a", walk.Options{IncludeIgnored: true}, []string{
			"a/.gitignore", "a/b/", "a/b/c.txt", "a/b.txt", "a/build/", "a/build/out.txt", "a/keep.o", "a/x.o",
		}, 0},
		{"git", ".git", walk.Options{Git: true}, []string{".git/config", ".git/info/", ".git/info/exclude"}, 0},
		{"from", ".", walk.Options{From: "a/keep.o"}, full[5:], 5},
		{"from a directory", ".", walk.Options{From: "a"}, full[1:], 7},
		{"from something gone", ".", walk.Options{From: "a/c/gone"}, full[5:], 5},
		{"include", ".", walk.Options{Include: set("*.go", "a/b/**")}, []string{"a/b/c.txt", "a-b/f.go"}, 1},
		{"include below", "a", walk.Options{Include: set("b/*.txt")}, []string{"a/b/c.txt"}, 0},
		{"include from the root", "a", walk.Options{Include: set("a/b/*.txt")}, []string{"a/b/c.txt"}, 0},
		{"exclude", ".", walk.Options{Exclude: set("sub", "a*/**")}, []string{".gitignore", "a/", "a-b/", "a.txt", "empty/"}, 2},
		{"global rules", "a", walk.Options{Global: ignore.Parse([]byte("b\n*.o\n"))}, []string{"a/.gitignore", "a/keep.o"}, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for name, fsys := range systems(t, tree) {
				got, stats := paths(t, fsys, tt.start, &tt.opt)
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("%s: paths differ (-want +got):\n%s", name, diff)
				}
				if stats.Ignored != tt.ignored {
					t.Errorf("%s: %d ignored, want %d", name, stats.Ignored, tt.ignored)
				}
				if stats.Visited != len(got) || stats.Failed != 0 {
					t.Errorf("%s: stats %+v after %d entries", name, stats, len(got))
				}
				unordered := tt.opt
				if unordered.Unordered = true; unordered.From != "" {
					continue
				}
				got, stats = paths(t, fsys, tt.start, &unordered)
				slices.SortFunc(got, walk.Compare)
				want := slices.SortedFunc(slices.Values(tt.want), walk.Compare)
				if diff := cmp.Diff(want, got); diff != "" || stats.Ignored != tt.ignored {
					t.Errorf("%s, unordered: %d ignored, paths differ (-want +got):\n%s", name, stats.Ignored, diff)
				}
			}
		})
	}
}

func set(patterns ...string) *glob.Set {
	s, err := glob.Compile("patterns", patterns, nil)
	if err != nil {
		panic(err)
	}
	return s
}

func TestEarlyEnd(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		for j := range 20 {
			files[fmt.Sprintf("d%02d/f%02d", i, j)] = "x"
		}
	}
	for name, fsys := range systems(t, files) {
		for _, unordered := range []bool{false, true} {
			n := 0
			stats, err := walk.Each(t.Context(), fsys, ".", &walk.Options{Unordered: unordered, Workers: 4}, func(*walk.Entry) bool {
				n++
				return n < 10
			})
			if err != nil || n != 10 || stats.Visited != 10 {
				t.Errorf("%s: %d entries, stats %+v, error %v; want 10", name, n, stats, err)
			}
		}
	}
}

func TestCancel(t *testing.T) {
	for name, fsys := range systems(t, tree) {
		for _, unordered := range []bool{false, true} {
			ctx, cancel := context.WithCancel(t.Context())
			_, err := walk.Each(ctx, fsys, ".", &walk.Options{Unordered: unordered, Workers: 3}, func(*walk.Entry) bool {
				cancel()
				time.Sleep(time.Millisecond)
				return true
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: error %v, want context.Canceled", name, err)
			}
			if _, err := walk.Each(ctx, fsys, ".", nil, func(*walk.Entry) bool { return true }); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: after cancel: error %v", name, err)
			}
			cancel()
		}
	}
}
