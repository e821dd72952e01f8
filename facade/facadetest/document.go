package facadetest

import (
	"slices"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// DocumentHarness tells [TestDocument] how to get an implementation to test.
type DocumentHarness struct {
	// New returns a fixture over an empty root that nothing else uses. It is
	// called once per rule, and releases what it holds with t.Cleanup.
	New func(tb testing.TB) *DocumentFixture
	// NewSeeing is like New, with engines that read images, which the fixture's
	// Sight describes; nil skips the rules about them. Those of New read none.
	NewSeeing func(tb testing.TB) *DocumentFixture
	// Skip names rules that the implementation is known not to keep, with the
	// reason. They are reported as skipped. A name that is no rule's fails.
	Skip map[string]string
}

// DocumentFixture is one fresh implementation and the suite's own way to the
// documents it reads.
type DocumentFixture struct {
	// Tools is the implementation. It reads at least plain text, Markdown and
	// CSV. Rules about search and images run when it has the optional interface.
	Tools facade.DocumentReader
	// Store reaches the same files without going through Tools.
	Store Store
	// HostPath is the root's path on the host, "" when there is none; nothing
	// that Tools returns may contain it.
	HostPath string
	// Confined says that the implementation promises to stay within its root,
	// whatever links the store has.
	Confined bool
	// Backends are the storage backends, the default first. With one only, the
	// rules about several are skipped.
	Backends []string
	// Failing is one more storage backend, which fails whatever it is asked; ""
	// skips the rule about it.
	Failing string
	// Samples are documents with pages, images or a password, of formats that the
	// implementation reads; rules about what no sample has are skipped.
	Samples []DocumentSample
	// Sight is what the engines find in every image; nil says that there are none.
	Sight *DocumentSight
}

// DocumentSample is a document that the suite cannot write itself.
type DocumentSample struct {
	// Name is a file name with the usual extension.
	Name string
	// Data is the content.
	Data []byte
	// Pages has a word for each page, sheet or slide that is on no other one; nil
	// when the format has none.
	Pages []string
	// Images is how many images with content there are.
	Images int
	// Password opens the document; "" when it is open.
	Password string
}

// DocumentSight is what the engines of a fixture find in every image.
type DocumentSight struct {
	// Text is recognized, of which each word has a box in the image.
	Text string
	// Description answers each instruction; "" says that there is no model.
	Description string
	// Chart is the data of the chart that each image is; nil says that there is
	// no model that reads charts.
	Chart *facade.DocumentChart
}

// TestDocument runs every rule of the document contract that h's
// implementation is able to keep, each as a subtest on a fresh fixture.
func TestDocument(t *testing.T, h DocumentHarness) {
	rules := documentRules()
	for name := range h.Skip {
		if !slices.ContainsFunc(rules, func(r documentRule) bool { return r.Name == name }) {
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

// documentRule is one rule of the contract.
type documentRule struct {
	// Name is "group/rule".
	Name string
	// Explanation is the rule in a sentence; a failure prints it.
	Explanation string
	// Sees has the rule run on a fixture of NewSeeing.
	Sees bool
	// Needs returns why the rule does not apply, or "". nil means it does.
	Needs func(f *DocumentFixture) string
	// Run checks the rule.
	Run func(f *documentTest)
}

func (r documentRule) check(tb testing.TB, h DocumentHarness) {
	tb.Helper()
	open := h.New
	if r.Sees {
		if open = h.NewSeeing; open == nil {
			tb.Skip("the harness has no engines that read images")
		}
	}
	f := open(tb)
	if r.Needs != nil {
		if why := r.Needs(f); why != "" {
			tb.Skip(why)
		}
	}
	tb.Cleanup(func() {
		if tb.Failed() {
			tb.Logf("the contract: %s", r.Explanation)
		}
	})
	r.Run(&documentTest{TB: tb, DocumentFixture: f, tool: facade.Document(f.Tools), events: &Events{}, fresh: open})
}

// indexes needs an implementation that searches.
func indexes(f *DocumentFixture) string {
	if _, ok := f.Tools.(facade.DocumentIndexer); !ok {
		return "the implementation has no DocumentIndexer"
	}
	return ""
}

// readsImages needs an implementation that reads images.
func readsImages(f *DocumentFixture) string {
	if _, ok := f.Tools.(facade.DocumentImageReader); !ok {
		return "the implementation has no DocumentImageReader"
	}
	return ""
}

// documentRules lists the whole contract, group by group.
func documentRules() []documentRule {
	return slices.Concat(
		documentCommonRules(), documentConfineRules(), documentNameRules(),
		documentReadRules(), documentTableRules(), documentTemplateRules(), documentTemplateGuardRules(),
		documentPageRules(), documentCursorRules(), documentSampleRules(),
		documentIndexRules(), documentBackendRules(), documentSearchRules(), documentFilterRules(),
		documentImageRules(), documentSightRules(), documentEventRules(), documentContextRules(),
	)
}

// documentTest is what a rule works with.
type documentTest struct {
	testing.TB
	*DocumentFixture
	tool   *facade.Tool
	events *Events
	fresh  func(tb testing.TB) *DocumentFixture // one more fixture
}
