package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/host"
	"github.com/toolfacade/toolfacade/internal/hosttest"
	"github.com/toolfacade/toolfacade/schema"
)

func TestNewReply(t *testing.T) {
	png := facade.Part{MIME: "image/png", Path: "a.png", Data: []byte("p")}
	svg := facade.Part{MIME: "image/svg+xml", Path: "b.svg", Data: []byte("<svg/>")}
	huge := facade.Part{MIME: "image/png", Path: "c.png", Data: make([]byte, host.MaxImageBytes+1)}
	limit := facade.Part{MIME: "image/webp", Path: "d.webp", Data: make([]byte, host.MaxImageBytes)}
	for _, c := range []struct {
		what   string
		res    facade.Result
		shows  host.Media
		text   string
		images []string
		failed bool
	}{
		{"text and notes", facade.Result{Text: "done", Notes: []string{"n"}}, host.Images, "done\nnote: n", nil, false},
		{"failure", facade.Result{Text: "error (io): x", Error: facade.Errorf(facade.CodeIO, "x")}, host.TextOnly, "error (io): x", nil, true},
		{"image", facade.Result{Text: "t", Parts: []facade.Part{png}}, host.Images, "t", []string{"a.png"}, false},
		{
			"image for a host without",
			facade.Result{Text: "t", Parts: []facade.Part{png}},
			host.TextOnly,
			"t\nnote: image/png \"a.png\" of 1 bytes is not shown: results are text here", nil, false,
		},
		{
			"another kind",
			facade.Result{Text: "t", Parts: []facade.Part{svg, png}},
			host.Images,
			"t\nnote: image/svg+xml \"b.svg\" of 6 bytes is not shown: attachments are PNG, JPEG, GIF or WebP here",
			[]string{"a.png"},
			false,
		},
		{
			"above the limit",
			facade.Result{Text: "t", Parts: []facade.Part{huge, limit}},
			host.Images,
			"t\nnote: image/png \"c.png\" of 3750001 bytes is not shown: the limit is 3750000",
			[]string{"d.webp"},
			false,
		},
	} {
		got := host.NewReply(&c.res, c.shows)
		var paths []string
		for _, i := range got.Images {
			paths = append(paths, i.Path)
		}
		if got.Text != c.text || got.Failed != c.failed || !cmp.Equal(c.images, paths) {
			t.Errorf("%s: got %q, images %v, failed %v", c.what, got.Text, paths, got.Failed)
		}
	}
}

func TestImageForms(t *testing.T) {
	i := host.Image{Part: facade.Part{MIME: "image/jpeg", Data: []byte("hi")}}
	got := []string{i.Base64(), i.URL(), i.Format()}
	if diff := cmp.Diff([]string{"aGk=", "data:image/jpeg;base64,aGk=", "jpeg"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestOutput(t *testing.T) {
	for _, r := range []host.Reply{{Text: "t"}, {Text: "t", Failed: true}} {
		key := map[bool]string{false: "output", true: "error"}[r.Failed]
		if diff := cmp.Diff(map[string]any{key: "t"}, r.Output()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestToolsKeepTheirOrder(t *testing.T) {
	set := hosttest.NewLab().Set()
	tools, err := host.Tools(set, schema.MCP)
	if err != nil {
		t.Fatal(err)
	}
	for i, tool := range tools {
		if want := set.Tools()[i].Name(); tool.Name != want {
			t.Errorf("tool %d is %s, want %s", i, tool.Name, want)
		}
		members, err := tool.Members()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(raw), `"properties":{"action":`) {
			t.Errorf("%s: action is not first: %s", tool.Name, raw)
		}
		deep, err := tool.Map()
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := deep["properties"].(map[string]any)["action"].(map[string]any); !ok {
			t.Errorf("%s: no action in %v", tool.Name, deep)
		}
	}
}

func TestToolsFail(t *testing.T) {
	set := hosttest.NewLab().Set()
	if _, err := host.Tools(set, "nobody's"); err == nil || !strings.Contains(err.Error(), "nobody's") {
		t.Errorf("unknown profile: got %v", err)
	}
	bad := errors.New("bad")
	_, err := host.Each(set, schema.MCP, func(host.Tool) (int, error) { return 0, bad })
	if !errors.Is(err, bad) || !strings.Contains(err.Error(), `"lab"`) {
		t.Errorf("got %v, want the error and the tool's name", err)
	}
	var none host.Tool
	if _, err := none.Members(); err == nil {
		t.Error("no schema, and no error")
	}
	if m, err := none.Map(); m != nil || err != nil {
		t.Errorf("no schema: got %v, %v", m, err)
	}
}

func TestDispatchAndCall(t *testing.T) {
	lab := hosttest.NewLab()
	set := lab.Set()
	ctx := facade.WithSession(t.Context(), "seven", nil)
	got, err := host.Dispatch(ctx, set, host.Call{Name: "lab_who", Args: json.RawMessage(`{}`)}, host.TextOnly)
	if err != nil || !strings.Contains(got.Text, "seven") {
		t.Errorf("the session is lost: %+v, %v", got, err)
	}
	got, err = host.Dispatch(ctx, set, host.Call{Name: "lap", Args: json.RawMessage(`{}`)}, host.TextOnly)
	if err != nil || !got.Failed || !strings.Contains(got.Text, "did you mean 'lab'") {
		t.Errorf("unknown tool: %+v, %v", got, err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	tools, err := host.Tools(set, schema.MCP)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tools[0].Call(ended, host.Call{Args: json.RawMessage(`{"action":"who"}`)}, host.TextOnly); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: got %v", err)
	}
	if _, err := host.Dispatch(ended, set, host.Call{Name: "lab", Args: json.RawMessage(`{"action":"who"}`)}, host.TextOnly); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: got %v", err)
	}
}
