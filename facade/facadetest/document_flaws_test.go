package facadetest

import (
	"context"
	"errors"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

type documentFlaw struct {
	name  string
	flaw  func(f *flawed)
	rules string
}

// documentFlaws are mistakes of real tools, and the rules that have to notice.
func documentFlaws() []documentFlaw {
	return append(readFlaws(), searchFlaws()...)
}

// reading replaces read by one that changes its outcome.
func reading(change func(in facade.DocumentReadInput, out *facade.DocumentReadOutput)) func(f *flawed) {
	return func(f *flawed) {
		f.read = func(ctx context.Context, in facade.DocumentReadInput) (facade.DocumentReadOutput, error) {
			out, err := f.Tools.Read(ctx, in)
			if err == nil {
				change(in, &out)
			}
			return out, err
		}
	}
}

func readFlaws() []documentFlaw {
	return []documentFlaw{
		{
			"the cursor is dropped", reading(func(_ facade.DocumentReadInput, out *facade.DocumentReadOutput) { out.NextCursor = "" }),
			"cursor/exact cursor/says cursor/blocks page/text page/table page/stale template/whole",
		},
		{"a word is lost at a cursor", reading(func(in facade.DocumentReadInput, out *facade.DocumentReadOutput) {
			if in.Cursor != "" {
				_, out.Content, _ = strings.Cut(out.Content, " ")
			}
		}), "cursor/exact page/text"},
		{"a page is repeated", func(f *flawed) {
			var last *facade.DocumentReadOutput
			f.read = func(ctx context.Context, in facade.DocumentReadInput) (facade.DocumentReadOutput, error) {
				out, err := f.Tools.Read(ctx, in)
				if err == nil && last != nil && in.Cursor != "" {
					out.Content = last.Content + out.Content
				}
				last = &out
				return out, err
			}
		}, "cursor/exact"},
		{"cursors for whatever call", func(f *flawed) {
			f.read = func(ctx context.Context, in facade.DocumentReadInput) (facade.DocumentReadOutput, error) {
				if in.Cursor != "" {
					in.Output, in.Pages = "", ""
				}
				return f.Tools.Read(ctx, in)
			}
		}, "cursor/another-call"},
		{"max_chars ignored", func(f *flawed) {
			f.read = func(ctx context.Context, in facade.DocumentReadInput) (facade.DocumentReadOutput, error) {
				in.MaxChars = 0
				return f.Tools.Read(ctx, in)
			}
		}, "cursor/exact cursor/says"},
		{"replies as large as they come", reading(func(_ facade.DocumentReadInput, out *facade.DocumentReadOutput) {
			out.Content = strings.Repeat("x", 100<<10)
		}), "page/text read/forms"},
		{"content beside blocks", reading(func(_ facade.DocumentReadInput, out *facade.DocumentReadOutput) { out.Content += " " }), "read/forms"},
		{"tables whatever is asked", func(f *flawed) {
			f.read = func(ctx context.Context, in facade.DocumentReadInput) (facade.DocumentReadOutput, error) {
				in.ExtractTables = nil
				return f.Tools.Read(ctx, in)
			}
		}, "read/tables table/blocks"},
		{"cells without values", reading(func(_ facade.DocumentReadInput, out *facade.DocumentReadOutput) {
			for i := range out.Tables {
				for j := range out.Tables[i].Cells {
					out.Tables[i].Cells[j].Value = nil
				}
			}
		}), "read/tables table/cells"},
		{"a hash of nothing", reading(func(_ facade.DocumentReadInput, out *facade.DocumentReadOutput) {
			out.Source.SHA256 = strings.Repeat("0", 64)
		}), "read/hash"},
		{"silence about an empty file", reading(func(_ facade.DocumentReadInput, out *facade.DocumentReadOutput) { out.Warnings = nil }), "read/empty"},
		{"values without evidence", reading(func(_ facade.DocumentReadInput, out *facade.DocumentReadOutput) {
			for name, f := range out.Extracted {
				f.Confidence = 0
				out.Extracted[name] = f
			}
		}), "template/evidence read/template"},
		{"values that are made up", reading(func(_ facade.DocumentReadInput, out *facade.DocumentReadOutput) {
			for _, name := range out.Missing {
				out.Extracted[name] = facade.DocumentField{Value: "made up", Confidence: 1, Blocks: []string{"b1"}}
			}
			out.Missing = nil
		}), "read/template template/schema"},
		{"values as text", reading(func(_ facade.DocumentReadInput, out *facade.DocumentReadOutput) {
			for name, f := range out.Extracted {
				f.Value = "as text"
				out.Extracted[name] = f
			}
		}), "template/schema read/template template/evidence"},
		{"errors without a hint, that show the host path", func(f *flawed) {
			f.read = func(ctx context.Context, in facade.DocumentReadInput) (facade.DocumentReadOutput, error) {
				out, err := f.Tools.Read(ctx, in)
				if err != nil {
					err = facade.Errorf(facade.CodeOf(err), "open /home/someone/root/%s", in.Path)
				}
				return out, err
			}
		}, "read/refusals common/nearest confine/dotdot cursor/refusals"},
		{"errors without a code", func(f *flawed) {
			f.read = func(ctx context.Context, in facade.DocumentReadInput) (facade.DocumentReadOutput, error) {
				out, err := f.Tools.Read(ctx, in)
				if err != nil {
					err = errors.New("it failed")
				}
				return out, err
			}
		}, "read/refusals common/bad-path confine/dotdot template/refusals context/ended"},
		{"data beside an error", func(f *flawed) {
			f.read = func(ctx context.Context, in facade.DocumentReadInput) (facade.DocumentReadOutput, error) {
				out, err := f.Tools.Read(ctx, in)
				out.Source.Path = in.Path
				return out, err
			}
		}, "read/refusals common/nearest"},
		{"contexts not looked at", func(f *flawed) {
			f.read = func(ctx context.Context, in facade.DocumentReadInput) (facade.DocumentReadOutput, error) {
				return f.Tools.Read(context.WithoutCancel(ctx), in)
			}
		}, "context/ended"},
		{"an event for a failure", func(f *flawed) {
			f.read = func(ctx context.Context, in facade.DocumentReadInput) (facade.DocumentReadOutput, error) {
				facade.Emit(ctx, facade.Event{Type: facade.EventFileRead, Path: in.Path})
				return f.Tools.Read(ctx, in)
			}
		}, "events/read"},
		{"an image without its format", func(f *flawed) {
			f.see = func(ctx context.Context, in facade.DocumentReadImageInput) (facade.DocumentReadImageOutput, error) {
				out, err := f.Tools.ReadImage(ctx, in)
				if err == nil {
					out.Format = "bmp"
				}
				return out, err
			}
		}, "image/size"},
		{"an empty text for want of an engine", func(f *flawed) {
			f.see = func(ctx context.Context, in facade.DocumentReadImageInput) (facade.DocumentReadImageOutput, error) {
				out, err := f.Tools.ReadImage(ctx, in)
				if facade.CodeOf(err) == facade.CodeUnavailable {
					return facade.DocumentReadImageOutput{Path: in.Path}, nil
				}
				return out, err
			}
		}, "image/unavailable"},
	}
}
