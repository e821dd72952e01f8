package facade_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// fakeReader answers a read with a constant, so that only dispatch is measured.
type fakeReader struct {
	facade.FileReader
	out facade.ReadOutput
}

func (f *fakeReader) Read(context.Context, facade.ReadInput) (facade.ReadOutput, error) {
	return f.out, nil
}

// silent is an output of a fixed text: presenting costs nothing.
type silent struct{}

func (silent) Present(r *facade.Result) { r.Text = "ok" }

// typical is a call as models send them.
var typical = []struct{ name, args string }{
	{"read", `{"action":"read","path":"internal/server/handler.go","start_line":120,"end_line":180}`},
	{"edit", `{"action":"edit","path":"src/main.go","edits":[{"old_text":"func a() {\n\treturn 1\n}","new_text":"func a() {\n\treturn 2\n}"},` +
		`{"path":"b.go","old_text":"x","new_text":"y","replace_all":true}],"dry_run":false}`},
	{"write 64 KiB", `{"action":"write","path":"a.txt","content":"` + strings.Repeat(`line of text with \"quotes\"\n`, 2000) + `"}`},
}

// dispatchTool takes the inputs of the filesystem tool and does nothing.
func dispatchTool() *facade.Tool {
	return facade.New("filesystem", "",
		facade.Bind(facade.FileRead, facade.EffectRead, "", func(context.Context, facade.ReadInput) (silent, error) { return silent{}, nil }),
		facade.Bind(facade.FileEdit, facade.EffectWrite, "", func(context.Context, facade.EditInput) (silent, error) { return silent{}, nil }),
		facade.Bind(facade.FileWrite, facade.EffectWrite, "", func(context.Context, facade.WriteInput) (silent, error) { return silent{}, nil }))
}

// plain decodes as a host without this package would: the action first, then
// the input.
func plain(args []byte) error {
	var head struct{ Action facade.FileAction }
	if err := json.Unmarshal(args, &head); err != nil {
		return err
	}
	switch head.Action {
	case facade.FileRead:
		return json.Unmarshal(args, new(facade.ReadInput))
	case facade.FileEdit:
		return json.Unmarshal(args, new(facade.EditInput))
	default:
		return json.Unmarshal(args, new(facade.WriteInput))
	}
}

// once decodes with encoding/json in a single pass, the least that any host
// must pay.
func once(name string, args []byte) error {
	switch name {
	case "read":
		return json.Unmarshal(args, new(facade.ReadInput))
	case "edit":
		return json.Unmarshal(args, new(facade.EditInput))
	default:
		return json.Unmarshal(args, new(facade.WriteInput))
	}
}

// TestDispatchAllocations holds the cost of a call: at most 20 allocations
// beyond one plain pass of encoding/json.
func TestDispatchAllocations(t *testing.T) {
	const most = 20
	set := facade.NewSet([]*facade.Tool{dispatchTool()}, nil)
	ctx := t.Context()
	for _, c := range typical {
		call := facade.Call{Args: json.RawMessage(c.args)}
		ours := testing.AllocsPerRun(200, func() {
			if r, err := set.Dispatch(ctx, "filesystem", call); err != nil || !r.OK() {
				t.Fatal(err, r.Text)
			}
		})
		theirs := testing.AllocsPerRun(200, func() {
			if err := once(c.name, call.Args); err != nil {
				t.Fatal(err)
			}
		})
		t.Logf("%s: %.0f allocations, encoding/json alone %.0f", c.name, ours, theirs)
		if ours-theirs > most {
			t.Errorf("%s: %.0f allocations beyond encoding/json, at most %d are allowed", c.name, ours-theirs, most)
		}
	}
}

// TestDispatchTime holds the order of magnitude of a call's cost. The figure
// aimed at is 2 µs beyond encoding/json, see BenchmarkDispatch; a machine that
// is busy needs more room than that.
func TestDispatchTime(t *testing.T) {
	if raceEnabled || testing.Short() {
		t.Skip("times mean nothing under the race detector or with -short")
	}
	const most = 20 * time.Microsecond
	set := facade.NewSet([]*facade.Tool{dispatchTool()}, nil)
	ctx := t.Context()
	args := json.RawMessage(typical[0].args)
	ours := fastest(func() { _, _ = set.Dispatch(ctx, "filesystem", facade.Call{Args: args}) })
	theirs := fastest(func() { _ = once("read", args) })
	t.Logf("a call takes %v, encoding/json alone %v", ours, theirs)
	if ours-theirs > most {
		t.Errorf("a call takes %v beyond encoding/json, at most %v are allowed", ours-theirs, most)
	}
}

// fastest returns the least time of f in many short series.
func fastest(f func()) time.Duration {
	const series, calls = 50, 100
	least := time.Duration(1<<63 - 1)
	for range series {
		start := time.Now()
		for range calls {
			f()
		}
		least = min(least, time.Since(start)/calls)
	}
	return least
}

func BenchmarkDispatch(b *testing.B) {
	set := facade.NewSet([]*facade.Tool{dispatchTool()}, nil)
	for _, c := range typical {
		args := json.RawMessage(c.args)
		b.Run(c.name+"/facade", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if r, err := set.Dispatch(b.Context(), "filesystem", facade.Call{Args: args}); err != nil || !r.OK() {
					b.Fatal(err, r.Text)
				}
			}
		})
		b.Run(c.name+"/json-once", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := once(c.name, args); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/json-twice", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := plain(args); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkReply measures a reply with its two forms.
func BenchmarkReply(b *testing.B) {
	lines := int64(2)
	tool := facade.Files(&fakeReader{out: facade.ReadOutput{Files: []facade.FileContent{
		{Path: "a.go", Content: "package a\n", Encoding: "utf-8", Size: 10, Lines: &lines, StartLine: 1, EndLine: 2, ETag: "0123456789abcdef"},
	}}})
	b.ReportAllocs()
	for b.Loop() {
		r, err := tool.Call(b.Context(), facade.Call{Args: json.RawMessage(typical[0].args)})
		if err != nil || !r.OK() || len(r.JSON()) == 0 {
			b.Fatal(err, r.Text)
		}
	}
}
