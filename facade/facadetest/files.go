package facadetest

import (
	"context"
	"slices"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// FilesHarness tells [TestFiles] how to get an implementation to test.
type FilesHarness struct {
	// New returns a fixture over an empty root that nothing else uses. It is
	// called once per rule, and releases what it holds with t.Cleanup.
	New func(t testing.TB) *FilesFixture
	// Skip names rules that the implementation is known not to keep, with the
	// reason. They are reported as skipped. A name that is no rule's fails.
	Skip map[string]string
}

// FilesFixture is one fresh implementation and the suite's own way to the files
// it works on.
type FilesFixture struct {
	// Tools is the implementation. Rules about writing, grep, edits, moves,
	// info, navigation and undo run when it has the optional interface.
	Tools facade.FileReader
	// Store reaches the same files without going through Tools.
	Store Store
	// HostPath is the root's path on the host, "" when there is none. Absolute
	// paths start with it; nothing that Tools returns may contain it.
	HostPath string
	// Confined says that Tools promises to reach nothing outside the root,
	// through symbolic links either. Without it, rules about links that lead
	// outside do not run; '..' must be refused all the same.
	Confined bool
}

// TestFiles runs every rule of the filesystem contract that h's implementation
// is able to keep, each as a subtest on a fresh fixture.
func TestFiles(t *testing.T, h FilesHarness) {
	rules := filesRules()
	for name := range h.Skip {
		if !slices.ContainsFunc(rules, func(r filesRule) bool { return r.Name == name }) {
			t.Errorf("the harness skips %q, which is no rule", name)
		}
	}
	for _, r := range rules {
		t.Run(r.Name, func(t *testing.T) {
			if reason, ok := h.Skip[r.Name]; ok {
				t.Skipf("skipped by the harness: %s", reason)
			}
			r.check(t, h)
		})
	}
}

// filesRule is one rule of the contract.
type filesRule struct {
	// Name is "group/rule".
	Name string
	// Explanation is the rule in a sentence; a failure prints it.
	Explanation string
	// Needs reports what the rule cannot do without; nil means nothing.
	Needs need
	// Run checks the rule.
	Run func(f *filesTest)
}

// need returns why a rule does not apply to a fixture, or "".
type need func(f *FilesFixture) string

// check runs r on a fresh fixture.
func (r filesRule) check(t testing.TB, h FilesHarness) {
	t.Helper()
	f := h.New(t)
	if r.Needs != nil {
		if why := r.Needs(f); why != "" {
			t.Skip(why)
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the contract: %s", r.Explanation)
		}
	})
	r.Run(&filesTest{TB: t, FilesFixture: f, tool: facade.Files(f.Tools), events: &Events{}})
}

// has needs an optional interface.
func has[I any](name string) need {
	return func(f *FilesFixture) string {
		if _, ok := f.Tools.(I); !ok {
			return "the implementation has no " + name
		}
		return ""
	}
}

var (
	writes    = has[facade.FileWriter]("FileWriter")
	searches  = has[facade.FileSearcher]("FileSearcher")
	edits     = has[facade.FileEditor]("FileEditor")
	moves     = has[facade.FileMover]("FileMover")
	informs   = has[facade.FileInformer]("FileInformer")
	navigates = has[facade.FileNavigator]("FileNavigator")
	journals  = has[facade.FileJournal]("FileJournal")
)

// confined needs an implementation that promises confinement over a store with
// links and an outside.
func confined(f *FilesFixture) string {
	if !f.Confined {
		return "the implementation does not promise confinement"
	}
	if why := links(f); why != "" {
		return why
	}
	return outside(f)
}

// links needs a store with symbolic links.
func links(f *FilesFixture) string {
	s, ok := f.Store.(LinkStore)
	if !ok {
		return "the store has no symbolic links"
	}
	if err := s.Symlink("target", ".probe"); err != nil {
		return "the store refuses symbolic links: " + err.Error()
	}
	if err := s.Remove(".probe"); err != nil {
		return "the store keeps its links: " + err.Error()
	}
	return ""
}

// outside needs a store with something beside the root.
func outside(f *FilesFixture) string {
	if _, ok := f.Store.(OutsideStore); !ok {
		return "the store has nothing outside the root"
	}
	return ""
}

// all needs each of needs.
func all(needs ...need) need {
	return func(f *FilesFixture) string {
		for _, n := range needs {
			if why := n(f); why != "" {
				return why
			}
		}
		return ""
	}
}

// filesRules lists the whole contract, group by group.
func filesRules() []filesRule {
	return slices.Concat(
		commonRules(), budgetRules(), nameRules(),
		listRules(), listPageRules(), createRules(), findRules(), findPageRules(),
		readRules(), readWindowRules(), readPageRules(), encodingRules(),
		writeRules(), writeFormRules(), writeGuardRules(), deleteRules(),
		modifyRules(), replaceRules(), replaceFormRules(), byteRules(),
		infoRules(), navigateRules(), eventRules(), contextRules(), concurrencyRules(),
		confineRules(), linkRules(), protectRules(),
		grepRules(), editRules(), patchRules(), moveRules(), journalRules(),
	)
}

// direct is the context of calls that do not go through the tool.
func direct() context.Context { return context.Background() }
