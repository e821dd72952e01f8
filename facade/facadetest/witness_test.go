package facadetest

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// witness is a testing.TB that watches a rule fail without failing the test.
type witness struct {
	testing.TB
	mu              sync.Mutex
	failed, skipped bool
	log             strings.Builder
	cleanups        []func()
}

func (w *witness) note(failed bool, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed = w.failed || failed
	w.log.WriteString(text + "\n")
}

func (w *witness) Helper()                   {}
func (w *witness) Logf(f string, a ...any)   { w.note(false, fmt.Sprintf(f, a...)) }
func (w *witness) Errorf(f string, a ...any) { w.note(true, fmt.Sprintf(f, a...)) }
func (w *witness) Cleanup(f func())          { w.cleanups = append(w.cleanups, f) }
func (w *witness) Failed() bool              { return w.failed }

func (w *witness) Fatalf(f string, a ...any) {
	w.Errorf(f, a...)
	runtime.Goexit()
}

func (w *witness) Error(a ...any) { w.note(true, fmt.Sprint(a...)) }

func (w *witness) Fatal(a ...any) {
	w.Error(a...)
	runtime.Goexit()
}

func (w *witness) Skip(a ...any) {
	w.skipped = true
	w.note(false, fmt.Sprint(a...))
	runtime.Goexit()
}

// watch runs a rule on a harness and returns what happened.
func watch(t *testing.T, r filesRule, h FilesHarness) *witness {
	t.Helper()
	w := &witness{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.check(w, h)
	}()
	<-done
	for i := len(w.cleanups) - 1; i >= 0; i-- {
		w.cleanups[i]()
	}
	return w
}

// everything has every interface of the filesystem contract, and no files.
type everything struct{ *FakeFiles }

func (e everything) Grep(ctx context.Context, in facade.GrepInput) (facade.GrepOutput, error) {
	return fake[facade.GrepOutput](ctx, e.FakeFiles, facade.FileGrep, in)
}

func (e everything) Edit(ctx context.Context, in facade.EditInput) (facade.EditOutput, error) {
	return fake[facade.EditOutput](ctx, e.FakeFiles, facade.FileEdit, in)
}

func (e everything) Patch(ctx context.Context, in facade.PatchInput) (facade.EditOutput, error) {
	return fake[facade.EditOutput](ctx, e.FakeFiles, facade.FilePatch, in)
}

func (e everything) Move(ctx context.Context, in facade.MoveInput) (facade.MoveOutput, error) {
	return fake[facade.MoveOutput](ctx, e.FakeFiles, facade.FileMove, in)
}

func (e everything) Copy(ctx context.Context, in facade.CopyInput) (facade.CopyOutput, error) {
	return fake[facade.CopyOutput](ctx, e.FakeFiles, facade.FileCopy, in)
}

func (e everything) Info(ctx context.Context, in facade.InfoInput) (facade.InfoOutput, error) {
	return fake[facade.InfoOutput](ctx, e.FakeFiles, facade.FileInfo, in)
}

func (e everything) Cd(ctx context.Context, in facade.CdInput) (facade.CdOutput, error) {
	return fake[facade.CdOutput](ctx, e.FakeFiles, facade.FileCd, in)
}

func (e everything) Pwd(ctx context.Context, in facade.PwdInput) (facade.PwdOutput, error) {
	return fake[facade.PwdOutput](ctx, e.FakeFiles, facade.FilePwd, in)
}

func (e everything) Roots(ctx context.Context, in facade.RootsInput) (facade.RootsOutput, error) {
	return fake[facade.RootsOutput](ctx, e.FakeFiles, facade.FileRoots, in)
}

func (e everything) Undo(ctx context.Context, in facade.UndoInput) (facade.UndoOutput, error) {
	return fake[facade.UndoOutput](ctx, e.FakeFiles, facade.FileUndo, in)
}

func (e everything) Redo(ctx context.Context, in facade.UndoInput) (facade.UndoOutput, error) {
	return fake[facade.UndoOutput](ctx, e.FakeFiles, facade.FileRedo, in)
}

func (e everything) History(ctx context.Context, in facade.HistoryInput) (facade.HistoryOutput, error) {
	return fake[facade.HistoryOutput](ctx, e.FakeFiles, facade.FileHistory, in)
}

// onDir is a harness over a directory of the host.
func onDir(tools func(dir string) facade.FileReader) FilesHarness {
	return FilesHarness{New: func(t testing.TB) *FilesFixture {
		dir := filepath.Join(t.TempDir(), "root")
		if err := NewDirStore(dir).MkdirAll("."); err != nil {
			t.Fatalf("root: %v", err)
		}
		return &FilesFixture{Tools: tools(dir), Store: NewDirStore(dir), HostPath: dir, Confined: true}
	}}
}

// keptByTheTool are the rules that dispatch keeps for every implementation, so
// that none can break them.
var keptByTheTool = map[string]bool{"common/foreign-field": true}

// TestEveryRuleCanFail proves that no rule is empty: an implementation that
// answers everything with an empty success, or one that refuses everything,
// breaks it.
func TestEveryRuleCanFail(t *testing.T) {
	hollow := onDir(func(string) facade.FileReader { return everything{&FakeFiles{}} })
	refusing := onDir(func(string) facade.FileReader {
		return everything{&FakeFiles{Answer: func(context.Context, FilesCall) (any, error) {
			return nil, facade.Errorf(facade.CodeUnsupported, "no").WithHint("no")
		}}}
	})
	for _, r := range filesRules() {
		t.Run(r.Name, func(t *testing.T) {
			h, x := watch(t, r, hollow), watch(t, r, refusing)
			if h.skipped && x.skipped {
				t.Skip(h.log.String())
			}
			if keptByTheTool[r.Name] {
				return
			}
			if !h.failed && !x.failed {
				t.Fatalf("neither an empty nor a refusing implementation breaks the rule")
			}
			if log := h.log.String() + x.log.String(); !strings.Contains(log, "the contract: "+r.Explanation) {
				t.Errorf("the failure does not quote the rule:\n%s", log)
			}
		})
	}
}

func TestRulesAreNamedAndExplained(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range filesRules() {
		if seen[r.Name] || !strings.Contains(r.Name, "/") || !strings.HasSuffix(r.Explanation, ".") {
			t.Errorf("rule %q: doubled, without group, or without a sentence: %q", r.Name, r.Explanation)
		}
		seen[r.Name] = true
	}
}
