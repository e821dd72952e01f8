package facadetest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

// broken is the reference with some methods replaced: one defect each.
type broken struct {
	*refFiles
	list    func(ctx context.Context, in facade.ListInput) (facade.ListOutput, error)
	find    func(ctx context.Context, in facade.FindInput) (facade.FindOutput, error)
	read    func(ctx context.Context, in facade.ReadInput) (facade.ReadOutput, error)
	write   func(ctx context.Context, in facade.WriteInput) (facade.WriteOutput, error)
	delete  func(ctx context.Context, in facade.DeleteInput) (facade.DeleteOutput, error)
	create  func(ctx context.Context, in facade.CreateInput) (facade.CreateOutput, error)
	modify  func(ctx context.Context, in facade.ModifyInput) (facade.ModifyOutput, error)
	replace func(ctx context.Context, in facade.ReplaceInput) (facade.ReplaceOutput, error)
	info    func(ctx context.Context, in facade.InfoInput) (facade.InfoOutput, error)
	cd      func(ctx context.Context, in facade.CdInput) (facade.CdOutput, error)
}

func (b broken) List(ctx context.Context, in facade.ListInput) (facade.ListOutput, error) {
	return b.list(ctx, in)
}

func (b broken) Find(ctx context.Context, in facade.FindInput) (facade.FindOutput, error) {
	return b.find(ctx, in)
}

func (b broken) Read(ctx context.Context, in facade.ReadInput) (facade.ReadOutput, error) {
	return b.read(ctx, in)
}

func (b broken) Write(ctx context.Context, in facade.WriteInput) (facade.WriteOutput, error) {
	return b.write(ctx, in)
}

func (b broken) Delete(ctx context.Context, in facade.DeleteInput) (facade.DeleteOutput, error) {
	return b.delete(ctx, in)
}

func (b broken) Create(ctx context.Context, in facade.CreateInput) (facade.CreateOutput, error) {
	return b.create(ctx, in)
}

func (b broken) Modify(ctx context.Context, in facade.ModifyInput) (facade.ModifyOutput, error) {
	return b.modify(ctx, in)
}

func (b broken) Replace(ctx context.Context, in facade.ReplaceInput) (facade.ReplaceOutput, error) {
	return b.replace(ctx, in)
}

func (b broken) Info(ctx context.Context, in facade.InfoInput) (facade.InfoOutput, error) {
	return b.info(ctx, in)
}

func (b broken) Cd(ctx context.Context, in facade.CdInput) (facade.CdOutput, error) {
	return b.cd(ctx, in)
}

// breaking is a harness for the reference with a defect.
func breaking(defect func(b *broken)) FilesHarness {
	return FilesHarness{New: func(testing.TB) *FilesFixture {
		fsys := afero.NewMemMapFs()
		r := newRef(fsys)
		b := broken{r, r.List, r.Find, r.Read, r.Write, r.Delete, r.Create, r.Modify, r.Replace, r.Info, r.Cd}
		defect(&b)
		return &FilesFixture{Tools: b, Store: NewFsStore(fsys), HostPath: "/home/someone/root"}
	}}
}

// defects are mistakes of real tools, and the rules that have to notice.
func defects() []struct {
	name   string
	defect func(b *broken)
	rules  string
} {
	return []struct {
		name   string
		defect func(b *broken)
		rules  string
	}{
		{"the cursor skips an entry", func(b *broken) {
			b.list = func(ctx context.Context, in facade.ListInput) (facade.ListOutput, error) {
				out, err := b.refFiles.List(ctx, in)
				if in.Cursor != "" && len(out.Entries) > 0 {
					out.Entries = out.Entries[1:]
				}
				return out, err
			}
		}, "list/pages budget/list"},
		{"list shows ignored entries", func(b *broken) {
			b.list = func(ctx context.Context, in facade.ListInput) (facade.ListOutput, error) {
				in.IncludeIgnored = true
				return b.refFiles.List(ctx, in)
			}
		}, "list/ignored"},
		{"errors without a hint, that show the host path", func(b *broken) {
			b.list = func(ctx context.Context, in facade.ListInput) (facade.ListOutput, error) {
				out, err := b.refFiles.List(ctx, in)
				if err != nil {
					err = facade.Errorf(facade.CodeOf(err), "open /home/someone/root/%s", in.Path)
				}
				return out, err
			}
		}, "list/errors common/nearest confine/dotdot"},
		{"errors without a code", func(b *broken) {
			b.read = func(ctx context.Context, in facade.ReadInput) (facade.ReadOutput, error) {
				out, err := b.refFiles.Read(ctx, in)
				if err != nil {
					err = errors.New(err.Error())
				}
				return out, err
			}
		}, "read/errors read/binary common/nearest read/out-of-range"},
		{"find ignores the content beside a pattern", func(b *broken) {
			b.find = func(ctx context.Context, in facade.FindInput) (facade.FindOutput, error) {
				if len(in.Patterns) > 0 {
					in.KeywordsFileContent = nil
				}
				return b.refFiles.Find(ctx, in)
			}
		}, "find/any-and-all"},
		{"lines counted from 0", func(b *broken) {
			b.read = func(ctx context.Context, in facade.ReadInput) (facade.ReadOutput, error) {
				if in.StartLine > 0 {
					in.StartLine++
				}
				return b.refFiles.Read(ctx, in)
			}
		}, "read/lines read/next read/line-numbers"},
		{"replies as large as they come", func(b *broken) {
			b.read = func(ctx context.Context, in facade.ReadInput) (facade.ReadOutput, error) {
				return facade.ReadOutput{Files: []facade.FileContent{{Path: "quotes.txt", Content: strings.Repeat("x", 100<<10)}}}, ctx.Err()
			}
		}, "budget/read read/next"},
		{"writes end in a newline", func(b *broken) {
			b.write = func(ctx context.Context, in facade.WriteInput) (facade.WriteOutput, error) {
				if in.InputFormat != "base64" && !strings.HasSuffix(in.Content, "\n") {
					in.Content += "\n"
				}
				return b.refFiles.Write(ctx, in)
			}
		}, "write/new write/empty write/append"},
		{"if_match ignored", func(b *broken) {
			b.write = func(ctx context.Context, in facade.WriteInput) (facade.WriteOutput, error) {
				in.IfMatch = ""
				return b.refFiles.Write(ctx, in)
			}
		}, "write/if-match concurrency/if-match events/none"},
		{"a dry run writes", func(b *broken) {
			b.write = func(ctx context.Context, in facade.WriteInput) (facade.WriteOutput, error) {
				dry := in.DryRun
				in.DryRun = false
				out, err := b.refFiles.Write(ctx, in)
				out.DryRun = dry
				return out, err
			}
		}, "write/dry-run events/none"},
		{"events twice", func(b *broken) {
			b.write = func(ctx context.Context, in facade.WriteInput) (facade.WriteOutput, error) {
				out, err := b.refFiles.Write(ctx, in)
				if err == nil && !in.DryRun {
					emitFile(ctx, facade.EventFileCreated, out.Path)
				}
				return out, err
			}
		}, "events/write"},
		{"delete one by one", func(b *broken) {
			b.delete = func(ctx context.Context, in facade.DeleteInput) (out facade.DeleteOutput, err error) {
				for _, p := range in.Paths {
					one := in
					one.Paths = []string{p}
					if _, err := b.refFiles.Delete(ctx, one); err != nil {
						return out, err
					}
				}
				return facade.DeleteOutput{Deleted: in.Paths, DryRun: in.DryRun}, nil
			}
		}, "delete/all-or-nothing delete/nested events/none"},
		{"create one by one", func(b *broken) {
			b.create = func(ctx context.Context, in facade.CreateInput) (out facade.CreateOutput, err error) {
				for _, p := range in.Paths {
					if out, err = b.refFiles.Create(ctx, facade.CreateInput{Paths: []string{p}}); err != nil {
						return out, err
					}
				}
				return out, nil
			}
		}, "create/all-or-nothing create/parents events/none"},
		{"modify turns CRLF into LF", func(b *broken) {
			b.modify = func(ctx context.Context, in facade.ModifyInput) (facade.ModifyOutput, error) {
				out, err := b.refFiles.Modify(ctx, in)
				b.normalize(in.Path, err)
				return out, err
			}
		}, "bytes/modify modify/bytes"},
		{"replace takes the first match", func(b *broken) {
			b.replace = func(ctx context.Context, in facade.ReplaceInput) (facade.ReplaceOutput, error) {
				in.ReplaceAll = true
				return b.refFiles.Replace(ctx, in)
			}
		}, "replace/ambiguous replace/all replace/regex"},
		{"replace loses concurrent changes", func(b *broken) {
			b.replace = func(ctx context.Context, in facade.ReplaceInput) (facade.ReplaceOutput, error) {
				raw, _ := afero.ReadFile(b.fs, rooted(in.Path))
				out, err := b.refFiles.Replace(ctx, in)
				time.Sleep(5 * time.Millisecond) // long enough for the other writers
				if err == nil {
					text := strings.Replace(string(raw), in.OldContent, in.NewContent, 1)
					_, err = b.Write(ctx, facade.WriteInput{Path: in.Path, Content: text})
				}
				return out, err
			}
		}, "concurrency/replace"},
		{"info without etag", func(b *broken) {
			b.info = func(ctx context.Context, in facade.InfoInput) (facade.InfoOutput, error) {
				out, err := b.refFiles.Info(ctx, in)
				out.ETag = ""
				return out, err
			}
		}, "info/file"},
		{"one current directory for all sessions", func(b *broken) {
			b.cd = func(ctx context.Context, in facade.CdInput) (facade.CdOutput, error) {
				out, err := b.refFiles.Cd(ctx, in)
				for _, session := range []string{"", "one", "two"} {
					b.cwd[session] = out.Current
				}
				return out, err
			}
		}, "cd/sessions"},
		{"protected where it exists only", func(b *broken) {
			b.create = func(ctx context.Context, in facade.CreateInput) (facade.CreateOutput, error) {
				out, err := b.refFiles.Create(ctx, in)
				if facade.CodeOf(err) == facade.CodeProtectedPath && !b.isDir(".git") {
					return facade.CreateOutput{Created: in.Paths}, b.fs.MkdirAll(rooted(in.Paths[1]), 0o755)
				}
				return out, err
			}
		}, "protected/write"},
		{"contexts not looked at", func(b *broken) {
			b.write = func(_ context.Context, in facade.WriteInput) (facade.WriteOutput, error) {
				return b.refFiles.Write(context.Background(), in)
			}
		}, "context/no-write events/write"},
		{"names as they are", func(b *broken) {
			b.list = func(ctx context.Context, in facade.ListInput) (facade.ListOutput, error) {
				out, err := b.refFiles.List(ctx, in)
				for i := range out.Entries {
					out.Entries[i].Path = strings.ReplaceAll(out.Entries[i].Path, `\xff`, "\uFFFD")
				}
				return out, err
			}
		}, "names/not-utf8 names/not-utf8-write"},
	}
}

// normalize turns CRLF into LF in a file.
func (b *broken) normalize(name string, err error) {
	raw, readErr := afero.ReadFile(b.fs, rooted(name))
	if err == nil && readErr == nil {
		_ = afero.WriteFile(b.fs, rooted(name), []byte(strings.ReplaceAll(string(raw), "\r\n", "\n")), 0o644)
	}
}

func TestDefectsAreNoticed(t *testing.T) {
	rules := map[string]filesRule{}
	for _, r := range filesRules() {
		rules[r.Name] = r
	}
	for _, d := range defects() {
		t.Run(d.name, func(t *testing.T) {
			for name := range strings.FieldsSeq(d.rules) {
				r, ok := rules[name]
				if !ok {
					t.Fatalf("there is no rule %q", name)
				}
				if w := watch(t, r, breaking(d.defect)); !w.failed {
					t.Errorf("rule %s does not notice; it says:\n%s", name, w.log.String())
				}
			}
		})
	}
}

// TestEscapesAreNoticed runs the rules of confinement on the trap that they are
// there for: an afero.BasePathFs over the host's file system, which follows
// links outside.
func TestEscapesAreNoticed(t *testing.T) {
	trap := onDir(func(dir string) facade.FileReader {
		return newRef(afero.NewBasePathFs(afero.NewOsFs(), dir))
	})
	for _, r := range linkRules() {
		if r.Name != "links/outside" && r.Name != "links/walk" {
			continue
		}
		w := watch(t, r, trap)
		if w.skipped {
			t.Skip(w.log.String())
		}
		if !w.failed {
			t.Errorf("rule %s does not notice", r.Name)
		}
		if r.Name == "links/outside" && !strings.Contains(w.log.String(), "succeeded, want") {
			t.Errorf("rule %s does not name the escape:\n%s", r.Name, w.log.String())
		}
	}
}
