package facadetest

import (
	"context"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
)

// fakeDocuments answers everything with an empty success, or with err.
type fakeDocuments struct{ err error }

func (f fakeDocuments) Read(context.Context, facade.DocumentReadInput) (facade.DocumentReadOutput, error) {
	return facade.DocumentReadOutput{}, f.err
}

func (f fakeDocuments) Index(context.Context, facade.DocumentIndexInput) (facade.DocumentIndexOutput, error) {
	return facade.DocumentIndexOutput{}, f.err
}

func (f fakeDocuments) Search(context.Context, facade.DocumentSearchInput) (facade.DocumentSearchOutput, error) {
	return facade.DocumentSearchOutput{}, f.err
}

func (f fakeDocuments) ReadImage(context.Context, facade.DocumentReadImageInput) (facade.DocumentReadImageOutput, error) {
	return facade.DocumentReadImageOutput{}, f.err
}

// onTrees is a harness over directories of the host, with everything that
// rules may need.
func onTrees(tools facade.DocumentReader) DocumentHarness {
	open := func(tb testing.TB) *DocumentFixture {
		dir := tb.TempDir() + "/root"
		if err := NewDirStore(dir).MkdirAll("."); err != nil {
			tb.Fatalf("root: %v", err)
		}
		return &DocumentFixture{
			Tools: tools, Store: NewDirStore(dir), HostPath: dir, Confined: true, Backends: []string{"one", "two"}, Failing: "three",
			Samples: []DocumentSample{{Name: "a.x", Pages: []string{"a", "b", "c"}}, {Name: "b.x", Images: 1}, {Name: "c.x", Pages: []string{"a"}, Password: "p"}},
			Sight:   &DocumentSight{Text: "words", Description: "it", Chart: &facade.DocumentChart{Type: "bar"}},
		}
	}
	return DocumentHarness{New: open, NewSeeing: open}
}

// watchDocument runs a rule and returns what happened.
func watchDocument(t *testing.T, r documentRule, h DocumentHarness) *witness {
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

// TestEveryDocumentRuleCanFail proves that no rule is empty.
func TestEveryDocumentRuleCanFail(t *testing.T) {
	hollow := onTrees(fakeDocuments{})
	refusing := onTrees(fakeDocuments{facade.Errorf(facade.CodeUnsupported, "no").WithHint("no")})
	seen := map[string]bool{}
	for _, r := range documentRules() {
		t.Run(r.Name, func(t *testing.T) {
			if seen[r.Name] || !strings.Contains(r.Name, "/") || !strings.HasSuffix(r.Explanation, ".") {
				t.Errorf("doubled, without group, or without a sentence: %q", r.Explanation)
			}
			seen[r.Name] = true
			h, x := watchDocument(t, r, hollow), watchDocument(t, r, refusing)
			if h.skipped && x.skipped {
				t.Skip(h.log.String())
			}
			if r.Name == "common/arguments" {
				return // dispatch keeps it for every implementation
			}
			if log := h.log.String() + x.log.String(); !h.failed && !x.failed || !strings.Contains(log, "the contract: "+r.Explanation) {
				t.Errorf("neither an empty nor a refusing implementation breaks the rule:\n%s", log)
			}
		})
	}
}

// flawed is the document tool of this module with some methods replaced.
type flawed struct {
	*docs.Tools
	read   func(ctx context.Context, in facade.DocumentReadInput) (facade.DocumentReadOutput, error)
	index  func(ctx context.Context, in facade.DocumentIndexInput) (facade.DocumentIndexOutput, error)
	search func(ctx context.Context, in facade.DocumentSearchInput) (facade.DocumentSearchOutput, error)
	see    func(ctx context.Context, in facade.DocumentReadImageInput) (facade.DocumentReadImageOutput, error)
}

func (f *flawed) Read(ctx context.Context, in facade.DocumentReadInput) (facade.DocumentReadOutput, error) {
	return f.read(ctx, in)
}

func (f *flawed) Index(ctx context.Context, in facade.DocumentIndexInput) (facade.DocumentIndexOutput, error) {
	return f.index(ctx, in)
}

func (f *flawed) Search(ctx context.Context, in facade.DocumentSearchInput) (facade.DocumentSearchOutput, error) {
	return f.search(ctx, in)
}

func (f *flawed) ReadImage(ctx context.Context, in facade.DocumentReadImageInput) (facade.DocumentReadImageOutput, error) {
	return f.see(ctx, in)
}

// twin is a backend under another name.
type twin struct{ *docs.Memory }

func (twin) Name() string { return "twin" }

// flawing is a harness for the document tool with a flaw; nil is without.
func flawing(flaw func(f *flawed)) DocumentHarness {
	open := func(tb testing.TB) *DocumentFixture {
		fs := afero.NewMemMapFs()
		tools, err := docs.New(fs, &docs.Options{
			Indexes: []docs.Index{docs.NewMemory(), twin{docs.NewMemory()}}, OCR: docs.NewTesseract(&docs.TesseractOptions{Program: "no-such-program"}),
		})
		if err != nil {
			tb.Fatalf("the document tool: %v", err)
		}
		tb.Cleanup(func() {
			if err := tools.Close(); err != nil {
				tb.Errorf("closing: %v", err)
			}
		})
		f := &flawed{tools, tools.Read, tools.Index, tools.Search, tools.ReadImage}
		if flaw != nil {
			flaw(f)
		}
		return &DocumentFixture{Tools: f, Store: NewFsStore(fs), HostPath: "/home/someone/root", Backends: []string{"memory", "twin"}}
	}
	return DocumentHarness{New: open}
}

func TestFlawlessDocuments(t *testing.T) {
	h := flawing(nil)
	// Nobody told this one its path on the host.
	h.Skip = map[string]string{"common/paths": "the fixture has a host path for the rules about it only"}
	TestDocument(t, h)
}

func TestDocumentFlawsAreNoticed(t *testing.T) {
	rules := map[string]documentRule{}
	for _, r := range documentRules() {
		rules[r.Name] = r
	}
	for _, d := range documentFlaws() {
		t.Run(d.name, func(t *testing.T) {
			for name := range strings.FieldsSeq(d.rules) {
				r, ok := rules[name]
				if !ok {
					t.Fatalf("there is no rule %q", name)
				}
				if w := watchDocument(t, r, flawing(d.flaw)); !w.failed {
					t.Errorf("rule %s does not notice; it says:\n%s", name, w.log.String())
				}
			}
		})
	}
}
