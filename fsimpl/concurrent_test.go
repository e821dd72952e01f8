//go:build unix

package fsimpl_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
)

// editors is how many goroutines edit one file in each of two processes.
const editors = 8

// Another process finds its work in its environment.
const (
	workDir   = "FSIMPL_TEST_DIR"
	workCount = "FSIMPL_TEST_COUNT"
	workSync  = "FSIMPL_TEST_SYNC"
)

// TestConcurrentEdits lets 16 goroutines of two processes edit one file: each
// counts a line of its own up by replace and adds lines by append and modify. No acknowledged update is lost.
func TestConcurrentEdits(t *testing.T) {
	if dir := os.Getenv(workDir); dir != "" {
		n, err := strconv.Atoi(os.Getenv(workCount))
		check(t, err)
		edit(t, dir, 1, n, os.Getenv(workSync) != "")
		return
	}
	each := 10_000 / (2 * editors)
	if raceEnabled {
		each /= 10
	}
	t.Run("without fsync", func(t *testing.T) { editTogether(t, each, false) })
	t.Run("with fsync", func(t *testing.T) { editTogether(t, 20, true) })
}

func editTogether(t *testing.T, each int, sync bool) {
	dir := t.TempDir()
	var seed strings.Builder
	for p := range 2 {
		for g := range editors {
			fmt.Fprintf(&seed, "counter-%d-%d=0;\n", p, g)
		}
	}
	check(t, os.WriteFile(filepath.Join(dir, "f"), []byte(seed.String()), 0o644))
	other := exec.Command(os.Args[0], "-test.run=^TestConcurrentEdits$", "-test.timeout=10m")
	other.Env = append(os.Environ(), workDir+"="+dir, workCount+"="+strconv.Itoa(each))
	if sync {
		other.Env = append(other.Env, workSync+"=1")
	}
	var out strings.Builder
	other.Stdout, other.Stderr = &out, &out
	start := time.Now()
	check(t, other.Start())
	edit(t, dir, 0, each, sync)
	if err := other.Wait(); err != nil {
		t.Fatalf("the other process: %v\n%s", err, out.String())
	}
	lost := missing(t, dir, each)
	t.Logf("%d acknowledged updates by 2 processes of %d goroutines in %v, %d lost", 2*editors*each, editors, time.Since(start).Round(time.Millisecond), lost)
	if lost > 0 {
		t.Errorf("%d updates are lost", lost)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".toolfacade-*")); err != nil || len(left) > 0 {
		t.Errorf("%q is left, %v", left, err)
	}
}

// missing counts the updates of which the file has no trace.
func missing(t *testing.T, dir string, each int) (lost int) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "f"))
	check(t, err)
	text := string(raw)
	for p := range 2 {
		for g := range editors {
			replaced := each - (each+6)/8
			if want := fmt.Sprintf("counter-%d-%d=%d;\n", p, g, replaced); !strings.Contains(text, want) {
				_, rest, _ := strings.Cut(text, fmt.Sprintf("counter-%d-%d=", p, g))
				got, _, _ := strings.Cut(rest, ";")
				n, _ := strconv.Atoi(got)
				lost += max(1, replaced-n)
			}
			for i := 1; i < each; i += 8 {
				if strings.Count(text, fmt.Sprintf("line %d-%d-%d;\n", p, g, i)) != 1 {
					lost++
				}
			}
		}
	}
	return lost
}

// edit makes n updates in each of several goroutines.
func edit(t *testing.T, dir string, process, n int, sync bool) {
	t.Helper()
	files, err := fsimpl.Open(dir, &fsimpl.Options{NoSync: !sync})
	check(t, err)
	defer func() { check(t, files.Close()) }()
	tool := facade.Files(files)
	parallel(t, editors, func(g int) error {
		counter := 0
		for i := range n {
			var raw []byte
			switch {
			case i%8 != 1:
				name := fmt.Sprintf("counter-%d-%d=", process, g)
				raw = args(facade.FileReplace, "path", "f",
					"old_content", name+strconv.Itoa(counter)+";", "new_content", name+strconv.Itoa(counter+1)+";")
				counter++
			case i%16 == 1:
				raw = args(facade.FileWrite, "path", "f", "append", true, "content", fmt.Sprintf("line %d-%d-%d;\n", process, g, i))
			default: // before the second line
				raw = args(facade.FileModify, "path", "./f", "start_offset_inclusive", 1, "end_offset_inclusive", 0,
					"new_content", fmt.Sprintf("line %d-%d-%d;\n", process, g, i))
			}
			if err := acknowledged(tool, raw); err != nil {
				return err
			}
		}
		return nil
	})
}

func acknowledged(tool *facade.Tool, raw []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	res, err := tool.Call(ctx, facade.Call{Args: raw})
	if err != nil {
		return err
	}
	if res.Error != nil {
		return fmt.Errorf("%s: %s", raw, res.Text)
	}
	return nil
}

func parallel(t *testing.T, n int, run func(g int) error) {
	t.Helper()
	errs := make([]error, n)
	var wg sync.WaitGroup
	for g := range n {
		wg.Go(func() { errs[g] = run(g) })
	}
	wg.Wait()
	for _, err := range errs {
		check(t, err)
	}
}

// TestOverlappingBulk lets moves, copies, deletes and creates of the same
// trees run into each other: each succeeds or fails with a reason, none waits
// for ever, and no temporary file is left.
func TestOverlappingBulk(t *testing.T) {
	dir := t.TempDir()
	files, err := fsimpl.Open(dir, &fsimpl.Options{NoSync: true})
	check(t, err)
	defer func() { check(t, files.Close()) }()
	tool := facade.Files(files)
	calls := func(g, i int) []byte {
		a, b := fmt.Sprint("d", (g+i)%3), fmt.Sprint("d", (g+2*i+1)%3)
		switch (g + i) % 6 {
		case 0:
			return args(facade.FileCreate, "paths", []string{a + "/x/y", b + "/z", a})
		case 1:
			return args(facade.FileDelete, "paths", []string{b, a + "/x"}, "recursive", true)
		case 2:
			return args(facade.FileMove, "source", a, "destination", b+"/in", "overwrite", true)
		case 3:
			return args(facade.FileCopy, "source", a, "destination", b, "overwrite", true)
		case 4:
			return args(facade.FileWrite, "path", a+"/x/f.txt", "content", strings.Repeat("x", i))
		}
		return args(facade.FileMove, "source", b+"/x", "destination", a+"/x", "overwrite", true)
	}
	codes := make([]map[facade.Code]int, 12)
	parallel(t, len(codes), func(g int) error {
		codes[g] = map[facade.Code]int{}
		for i := range 60 {
			res, err := tool.Call(t.Context(), facade.Call{Args: calls(g, i)})
			if err != nil {
				return err
			}
			if res.Error != nil {
				codes[g][res.Error.Code]++
				if c := res.Error.Code; c == facade.CodeInternal || c == facade.CodeIO {
					return fmt.Errorf("%s: %s", calls(g, i), res.Text)
				}
			}
		}
		return nil
	})
	t.Logf("failures by code: %v", codes[0])
	check(t, filepath.WalkDir(dir, func(p string, _ os.DirEntry, err error) error {
		if strings.Contains(filepath.Base(p), ".toolfacade-") {
			t.Errorf("%s is left", p)
		}
		return err
	}))
}

// TestWaitEndsWithCall waits for the lock that another process holds, and gives
// up with the call.
func TestWaitEndsWithCall(t *testing.T) {
	dir := t.TempDir()
	files := confined(t, dir)
	defer func() { check(t, files.Close()) }()
	release := lockDirectory(t, dir)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	res, err := facade.Files(files).Call(ctx, facade.Call{Args: args(facade.FileWrite, "path", "f", "content", "x")})
	if err == nil && res.Error == nil || time.Since(start) > 10*time.Second {
		t.Fatalf("the write does not wait for the lock, or not only as long as its call: %v, %v", res, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "f")); err == nil {
		t.Error("the file was written without the lock")
	}
	release()
	check(t, acknowledged(facade.Files(files), args(facade.FileWrite, "path", "f", "content", "x")))
}
