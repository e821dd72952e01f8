package facadetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/toolfacade/toolfacade/facade"
)

// documentEventRules are about what subscribers hear.
func documentEventRules() []documentRule {
	return []documentRule{
		{
			Name:        "events/read",
			Explanation: "A read emits file:read exactly once, with the path relative to the root, and none when it fails.",
			Run: func(d *documentTest) {
				d.seed("d/a.txt", "words\n")
				d.ok("read", "path", "./d/a.txt")
				got := d.events.Of(facade.EventFileRead)
				if len(got) != 1 || got[0].Path != "d/a.txt" || got[0].Tool != "document" || got[0].Action != "read" || got[0].Time.IsZero() {
					d.Errorf("events are %+v", got)
				}
				d.fails("not_found", "read", "path", "d/none.txt")
				d.fails("invalid_argument", "read", "path", "d/a.txt", "pages", "x")
				if got := d.events.Of(facade.EventFileRead); len(got) != 1 {
					d.Errorf("after failures events are %+v", got)
				}
			},
		},
		{
			Name: "events/image", Needs: readsImages,
			Explanation: "read_image emits file:read exactly once, and none when it fails.",
			Run: func(d *documentTest) {
				d.seed("p.png", string(grayPNG(d, 20, 10)))
				d.ok("read_image", "path", "./p.png", "perform_ocr", false)
				d.fails("not_found", "read_image", "path", "none.png")
				if got := d.events.Of(facade.EventFileRead); len(got) != 1 || got[0].Path != "p.png" || got[0].Action != "read_image" {
					d.Errorf("events are %+v", got)
				}
			},
		},
		{
			Name: "events/index", Needs: indexes,
			Explanation: "index reports its progress: every file once, counted up to the total, whether it is new, unchanged or skipped.",
			Run: func(d *documentTest) {
				for i := range 20 {
					d.seed(fmt.Sprintf("%02d.txt", i), "words\n")
				}
				d.seed("bad.bin", "\x00\xff\x00\x01")
				for range 2 {
					d.events.Reset()
					d.index(".")
					seen := map[string]bool{}
					last := int64(0)
					for _, e := range d.events.Of(facade.EventProgress) {
						if e.Path == "" || seen[e.Path] || e.Current != last+1 || e.Total != 21 {
							d.Errorf("the event is %+v after %d", e, last)
						}
						seen[e.Path], last = true, e.Current
					}
					if last != 21 {
						d.Errorf("the progress ends at %d of 21", last)
					}
				}
			},
		},
	}
}

// documentContextRules are about calls that end early, and calls at once.
func documentContextRules() []documentRule {
	return []documentRule{
		{
			Name:        "context/ended",
			Explanation: "A method whose context has ended fails with the context's error.",
			Run: func(d *documentTest) {
				d.seed("a.txt", "words\n", "p.png", string(grayPNG(d, 20, 10)))
				eachEnded(d, func(ctx context.Context, ended func(string, error)) {
					_, err := d.Tools.Read(ctx, facade.DocumentReadInput{Path: "a.txt"})
					ended("Read", err)
					if x, ok := d.Tools.(facade.DocumentIndexer); ok {
						_, err = x.Index(ctx, facade.DocumentIndexInput{Path: "."})
						ended("Index", err)
						_, err = x.Search(ctx, facade.DocumentSearchInput{Query: "words"})
						ended("Search", err)
					}
					if x, ok := d.Tools.(facade.DocumentImageReader); ok {
						off := false
						_, err = x.ReadImage(ctx, facade.DocumentReadImageInput{Path: "p.png", PerformOCR: &off})
						ended("ReadImage", err)
					}
				})
			},
		},
		{
			Name: "context/resume", Needs: indexes,
			Explanation: "An index call that is canceled on its way leaves a whole index: the next one adds what is missing, and nothing twice.",
			Run: func(d *documentTest) {
				const files = 150
				for i := range files {
					d.seed(fmt.Sprintf("%03d.txt", i), fmt.Sprintf("needle number%d\n", i))
				}
				x := d.Tools.(facade.DocumentIndexer)
				ctx, cancel := context.WithCancel(direct())
				tool := facade.Document(d.Tools)
				_, err := tool.Call(ctx, facade.Call{ID: "call", Args: []byte(`{"action":"index","path":"."}`), Emit: func(e facade.Event) {
					if e.Type == facade.EventProgress && e.Current == files/3 {
						cancel()
					}
				}})
				cancel()
				if err != nil && !errors.Is(err, context.Canceled) {
					d.Errorf("the canceled call returns %v", err)
				}
				out, err := x.Index(direct(), facade.DocumentIndexInput{Path: "."})
				if err != nil || len(out.Backends) != 1 || out.Backends[0].Documents+out.Backends[0].Unchanged != files {
					d.Fatalf("the next call returns %+v, %v", out, err)
				}
				if got := d.found("number149"); len(got) != 1 {
					d.Errorf("the last file is found in %q", got)
				}
				if got := d.found("needle", "limit", 100); len(got) != 100 {
					d.Errorf("%d files are found", len(got))
				}
			},
		},
		{
			Name:        "context/together",
			Explanation: "Calls at once do not disturb one another.",
			Run: func(d *documentTest) {
				for i := range 8 {
					d.seed(fmt.Sprintf("%d.md", i), fmt.Sprintf("# Title %d\n\nneedle number%d\n", i, i))
				}
				var wg sync.WaitGroup
				for i := range 8 {
					wg.Go(func() {
						for range 5 {
							name := fmt.Sprintf("%d.md", i)
							out, err := d.Tools.Read(direct(), facade.DocumentReadInput{Path: name})
							if err != nil || !strings.Contains(out.Content, fmt.Sprintf("number%d", i)) {
								d.Errorf("read of %s is %q, %v", name, out.Content, err)
							}
							x, ok := d.Tools.(facade.DocumentIndexer)
							if !ok {
								continue
							}
							if _, err := x.Index(direct(), facade.DocumentIndexInput{Path: name}); err != nil {
								d.Errorf("index of %s: %v", name, err)
							}
							found, err := x.Search(direct(), facade.DocumentSearchInput{Query: fmt.Sprintf("number%d", i)})
							if err != nil || len(found.Hits) != 1 || found.Hits[0].Path != name {
								d.Errorf("search of what was just indexed finds %+v, %v", found.Hits, err)
							}
						}
					})
				}
				wg.Wait()
			},
		},
	}
}
