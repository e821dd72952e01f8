package facadetest

import (
	"context"
	"fmt"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// emits checks that do emits exactly one event of files or directories.
func (f *filesTest) emits(t facade.EventType, path string, do func()) {
	f.Helper()
	f.events.Reset()
	do()
	got := f.fileEvents()
	if len(got) != 1 || got[0].Type != t || got[0].Path != path {
		f.Errorf("events are %+v, want exactly one %s of %s", got, t, path)
		return
	}
	if got[0].Tool != "filesystem" || got[0].Action == "" || got[0].Time.IsZero() {
		f.Errorf("event %+v lacks tool, action or time", got[0])
	}
}

func (f *filesTest) fileEvents() []facade.Event {
	return f.events.Of(facade.EventFileRead, facade.EventFileCreated, facade.EventFileModified, facade.EventFileDeleted,
		facade.EventDirectoryCreated, facade.EventDirectoryDeleted)
}

func eventRules() []filesRule {
	return []filesRule{
		{
			Name:        "events/read",
			Explanation: "A read emits file:read exactly once, with the path relative to the root.",
			Run: func(f *filesTest) {
				f.seed("d/a.txt", "x\n")
				f.emits(facade.EventFileRead, "d/a.txt", func() { f.ok("read", "path", "./d/a.txt") })
			},
		},
		{
			Name: "events/write", Needs: writes,
			Explanation: "Every change emits exactly one event with the path relative to the root: file:created, file:modified, file:deleted, directory:created, directory:deleted.",
			Run: func(f *filesTest) {
				f.emits(facade.EventFileCreated, "a.txt", func() { f.ok("write", "path", "./a.txt", "content", "one\n") })
				f.emits(facade.EventFileModified, "a.txt", func() { f.ok("write", "path", "a.txt", "content", "two\n") })
				f.emits(facade.EventFileModified, "a.txt", func() { f.ok("write", "path", "a.txt", "content", "x\n", "append", true) })
				f.emits(facade.EventFileModified, "a.txt", func() { f.ok("replace", "path", "a.txt", "old_content", "two", "new_content", "2") })
				f.emits(facade.EventFileModified, "a.txt", func() {
					f.ok("modify", "path", "a.txt", "start_offset_inclusive", 0, "end_offset_inclusive", 0, "new_content", "1\n")
				})
				f.emits(facade.EventFileDeleted, "a.txt", func() { f.ok("delete", "paths", []string{"a.txt"}) })
				f.emits(facade.EventDirectoryCreated, "d", func() { f.ok("create", "paths", []string{"d"}) })
				f.emits(facade.EventDirectoryDeleted, "d", func() { f.ok("delete", "paths", []string{"d"}) })
			},
		},
		{
			Name: "events/none", Needs: writes,
			Explanation: "A dry run and a failure emit no event of a change.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "one\n", "d/x", "")
				tag := f.etag("a.txt")
				f.ok("write", "path", "a.txt", "content", "two\n")
				f.events.Reset()
				f.ok("write", "path", "a.txt", "content", "x", "dry_run", true)
				f.ok("replace", "path", "a.txt", "old_content", "two", "new_content", "x", "dry_run", true)
				f.ok("delete", "paths", []string{"a.txt"}, "dry_run", true)
				f.fails("stale", "write", "path", "a.txt", "content", "x", "if_match", tag)
				f.fails("not_empty", "delete", "paths", []string{"a.txt", "d"})
				f.fails("no_match", "replace", "path", "a.txt", "old_content", "zzz", "new_content", "x")
				f.fails("already_exists", "create", "paths", []string{"new", "a.txt"})
				for _, e := range f.fileEvents() {
					if e.Type != facade.EventFileRead {
						f.Errorf("event %+v though nothing changed", e)
					}
				}
			},
		},
		{
			Name: "events/move", Needs: moves,
			Explanation: "A move emits one event for the new path, with old_path, and one for the path that is gone.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "x\n")
				f.events.Reset()
				f.ok("move", "source", "a.txt", "destination", "b.txt")
				got := f.fileEvents()
				if len(got) != 2 || got[0].Type != facade.EventFileCreated || got[0].Path != "b.txt" || got[0].OldPath != "a.txt" ||
					got[1].Type != facade.EventFileDeleted || got[1].Path != "a.txt" {
					f.Errorf("events are %+v, want b.txt created, from a.txt, and a.txt deleted", got)
				}
			},
		},
	}
}

func contextRules() []filesRule {
	return []filesRule{
		{
			Name:        "context/ended",
			Explanation: "A method whose context has ended fails with the context's error.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "x\n")
				eachEnded(f, func(ctx context.Context, ended func(string, error)) {
					_, err := f.Tools.Read(ctx, facade.ReadInput{Path: "a.txt"})
					ended("Read", err)
					_, err = f.Tools.List(ctx, facade.ListInput{Recursive: true})
					ended("List", err)
					_, err = f.Tools.Find(ctx, facade.FindInput{Patterns: []string{"*"}})
					ended("Find", err)
				})
			},
		},
		{
			Name: "context/no-write", Needs: writes,
			Explanation: "A method whose context has ended changes nothing.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "x\n")
				ctx, cancel := context.WithCancel(direct())
				cancel()
				w := f.Tools.(facade.FileWriter)
				zero := int64(0)
				f.unchanged(func() {
					_, err := w.Write(ctx, facade.WriteInput{Path: "a.txt", Content: "y"})
					endedBy(f, "Write", err, context.Canceled, facade.CodeCanceled)
					_, err = w.Replace(ctx, facade.ReplaceInput{Path: "a.txt", OldContent: "x", NewContent: "y"})
					endedBy(f, "Replace", err, context.Canceled, facade.CodeCanceled)
					_, err = w.Modify(ctx, facade.ModifyInput{Path: "a.txt", EndOffsetInclusive: &zero, NewContent: "y"})
					endedBy(f, "Modify", err, context.Canceled, facade.CodeCanceled)
					_, err = w.Create(ctx, facade.CreateInput{Paths: []string{"d"}})
					endedBy(f, "Create", err, context.Canceled, facade.CodeCanceled)
					_, err = w.Delete(ctx, facade.DeleteInput{Paths: []string{"a.txt"}})
					endedBy(f, "Delete", err, context.Canceled, facade.CodeCanceled)
				})
			},
		},
	}
}

// writers is how many goroutines change one file at once.
const writers = 16

// together runs do(0) to do(writers-1) at once and reports their errors.
func (f *filesTest) together(do func(i int) error) []error {
	errs := make([]error, writers)
	done := make(chan int)
	start := make(chan struct{})
	for i := range writers {
		go func() {
			<-start
			errs[i] = do(i)
			done <- i
		}()
	}
	close(start)
	for range writers {
		<-done
	}
	return errs
}

func concurrencyRules() []filesRule {
	return []filesRule{
		{
			Name: "concurrency/replace", Needs: writes,
			Explanation: "Concurrent changes of one file lose nothing, and a reader sees whole versions only.",
			Run: func(f *filesTest) {
				var before strings.Builder
				for i := range writers {
					fmt.Fprintf(&before, "line %02d old\n", i)
				}
				f.seed("f", before.String())
				w := f.Tools.(facade.FileWriter)
				f.report(f.together(func(i int) error {
					for round := range 3 {
						from, to := fmt.Sprintf("line %02d old\n", i), fmt.Sprintf("line %02d new%d\n", i, round)
						if round > 0 {
							from = fmt.Sprintf("line %02d new%d\n", i, round-1)
						}
						if _, err := w.Replace(direct(), facade.ReplaceInput{Path: "f", OldContent: from, NewContent: to}); err != nil {
							return err
						}
						out, err := f.Tools.Read(direct(), facade.ReadInput{Path: "f"})
						if err != nil {
							return err
						}
						if len(out.Files) != 1 || strings.Count(out.Files[0].Content, "\n") != writers {
							return fmt.Errorf("a reader saw %+v, want %d lines", out.Files, writers)
						}
					}
					return nil
				}))
				var after strings.Builder
				for i := range writers {
					fmt.Fprintf(&after, "line %02d new2\n", i)
				}
				f.holds("f", after.String())
			},
		},
		{
			Name: "concurrency/append", Needs: writes,
			Explanation: "Concurrent appends to one file, which none of them found, lose nothing.",
			Run: func(f *filesTest) {
				w := f.Tools.(facade.FileWriter)
				f.report(f.together(func(i int) error {
					_, err := w.Write(direct(), facade.WriteInput{Path: "new/log", Content: fmt.Sprintf("entry %02d\n", i), Append: true})
					return err
				}))
				got := f.read("new/log").Content
				for i := range writers {
					if want := fmt.Sprintf("entry %02d\n", i); strings.Count(got, want) != 1 {
						f.Errorf("%q is there %d times, want once", want, strings.Count(got, want))
					}
				}
			},
		},
		{
			Name: "concurrency/if-match", Needs: writes,
			Explanation: "Of concurrent writes with the same if_match exactly one succeeds, the others are stale; of concurrent create_only writes one succeeds, the others find already_exists.",
			Run: func(f *filesTest) {
				f.seed("f", "start\n")
				tag := f.etag("f")
				w := f.Tools.(facade.FileWriter)
				f.onlyOne(facade.CodeStale, func(i int) error {
					_, err := w.Write(direct(), facade.WriteInput{Path: "f", Content: fmt.Sprintf("by %d\n", i), IfMatch: tag})
					return err
				})
				f.onlyOne(facade.CodeAlreadyExists, func(i int) error {
					_, err := w.Write(direct(), facade.WriteInput{Path: "g", Content: fmt.Sprintf("by %d\n", i), CreateOnly: true})
					return err
				})
			},
		},
	}
}

func (f *filesTest) report(errs []error) {
	f.Helper()
	for i, err := range errs {
		if err != nil {
			f.Errorf("writer %d: %v", i, err)
		}
	}
}

// onlyOne checks that one call succeeds and the others fail with code.
func (f *filesTest) onlyOne(code facade.Code, do func(i int) error) {
	f.Helper()
	won := 0
	for i, err := range f.together(do) {
		switch {
		case err == nil:
			won++
		case facade.CodeOf(err) != code:
			f.Errorf("writer %d: %v, want %s", i, err, code)
		}
	}
	equal(f, "number of successes", won, 1)
}
