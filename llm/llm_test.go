package llm_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/tiff"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/llm"
)

func TestOptions(t *testing.T) {
	for _, o := range []*llm.Options{nil, {}, {BaseURL: "http://x"}, {Model: "m"}, {BaseURL: "x", Model: "m"}, {BaseURL: "ftp://x", Model: "m"}, {BaseURL: "http://", Model: "m"}} {
		if _, err := llm.New(o); err == nil {
			t.Errorf("New(%+v) succeeds", o)
		}
	}
}

// TestNothingFromTheEnvironment sets what the SDK would take from there.
func TestNothingFromTheEnvironment(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "environment-key")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/")
	t.Setenv("OPENAI_ORG_ID", "org")
	s := serve(t, says("ok"))
	c := s.client(t, func(o *llm.Options) { o.Key = "" })
	if _, err := c.Describe(t.Context(), []byte("x"), "image/png", "look"); err != nil {
		t.Fatal(err)
	}
	if got := s.last(t); got.Auth != "" {
		t.Errorf("without a key it sends %q", got.Auth)
	}
}

func TestDescribe(t *testing.T) {
	s := serve(t, says(" A duck. \n"))
	c := s.client(t, func(o *llm.Options) { o.MaxTokens = 500 })
	got, err := c.Describe(t.Context(), []byte("PNG"), "image/png", "What is it?")
	if err != nil || got != "A duck." {
		t.Errorf("the answer is %q, %v", got, err)
	}
	r := s.last(t)
	if r.Path != "POST /v1/chat/completions" || r.Auth != "Bearer secret-key" || r.Model != "m1" || r.MaxTokens != 500 || r.ResponseFormat != nil {
		t.Errorf("the request is %+v", r)
	}
	if len(r.Messages) != 2 || r.Messages[0].Role != "system" || r.Messages[1].Role != "user" {
		t.Fatalf("the messages are %+v", r.Messages)
	}
	parts := r.Messages[1].parts(t)
	if len(parts) != 2 || parts[0].Text != "What is it?" || parts[1].Type != "image_url" || parts[1].ImageURL.URL != "data:image/png;base64,UE5H" {
		t.Errorf("the parts are %+v", parts)
	}
}

func TestImagesThatModelsDoNotTake(t *testing.T) {
	var b bytes.Buffer
	if err := tiff.Encode(&b, image.NewGray(image.Rect(0, 0, 4, 4)), nil); err != nil {
		t.Fatal(err)
	}
	s := serve(t, says("ok"))
	c := s.client(t, nil)
	if _, err := c.Describe(t.Context(), b.Bytes(), "image/tiff", "look"); err != nil {
		t.Fatal(err)
	}
	if url := s.last(t).Messages[1].parts(t)[1].ImageURL.URL; !strings.HasPrefix(url, "data:image/png;base64,iVBOR") {
		t.Errorf("a TIFF is sent as %.40s", url)
	}
	if _, err := c.Describe(t.Context(), []byte("no image"), "image/tiff", "look"); facade.CodeOf(err) != facade.CodeUnsupportedFormat {
		t.Errorf("a broken TIFF gives %v", err)
	}
	if _, err := c.Describe(t.Context(), make([]byte, 21<<20), "image/png", "look"); facade.CodeOf(err) != facade.CodeTooLarge {
		t.Errorf("a large image gives %v", err)
	}
}

func TestChart(t *testing.T) {
	s := serve(t, says("```json\n"+`{"is_chart":true,"type":"bar","title":"Sales","x_label":"City","y_label":"","series":[{"name":"2024","points":[{"label":"Rome","value":3.5}]}]}`+"\n```"), says(`{"is_chart":false}`), says("no"))
	c := s.client(t, nil)
	got, err := c.Chart(t.Context(), []byte("x"), "image/png")
	want := &facade.DocumentChart{Type: "bar", Title: "Sales", XLabel: "City", Series: []facade.DocumentSeries{{Name: "2024", Points: []facade.DocumentPoint{{Label: "Rome", Value: 3.5}}}}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("the chart, %v (-want +got):\n%s", err, diff)
	}
	if f := s.last(t).ResponseFormat; f == nil || f.Type != "json_schema" || f.JSONSchema.Name != "chart" || f.JSONSchema.Schema["type"] != "object" {
		t.Errorf("the form asked for is %+v", f)
	}
	if got, err := c.Chart(t.Context(), []byte("x"), "image/png"); err != nil || got != nil {
		t.Errorf("what is no chart gives %+v, %v", got, err)
	}
	if _, err := c.Chart(t.Context(), []byte("x"), "image/png"); facade.CodeOf(err) != facade.CodeUnavailable {
		t.Errorf("nonsense gives %v", err)
	}
}

func TestExtract(t *testing.T) {
	s := serve(t, reply{status: 400, body: `{"error":{"message":"response_format is not supported"}}`},
		says(`Here it is: {"total":{"value":99.5,"blocks":["b2"]},"tags":{"value":["a"],"blocks":[]}}`))
	got, err := s.client(t, nil).Extract(t.Context(), docs.Extraction{
		Fields: []docs.Field{{Name: "total", Type: "number", Description: "with tax"}, {Name: "tags", Type: "array", Items: []docs.Field{{Type: "string"}}}},
		Blocks: []docs.ExtractionBlock{{ID: "b1", Text: "Bill"}, {ID: "b2", Text: "Sum 99.50"}},
	})
	want := map[string]docs.ExtractedValue{"total": {Value: 99.5, Blocks: []string{"b2"}}, "tags": {Value: []any{"a"}, Blocks: []string{}}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("the fields, %v (-want +got):\n%s", err, diff)
	}
	if s.count() != 2 || s.requests[0].ResponseFormat == nil || s.requests[1].ResponseFormat != nil {
		t.Errorf("a server without response_format gets %+v", s.requests)
	}
	text := s.last(t).Messages[1].parts(t)[0].Text
	for _, want := range []string{`"name":"total"`, `"description":"with tax"`, "[b2] Sum 99.50"} {
		if !strings.Contains(text, want) {
			t.Errorf("the question lacks %q: %s", want, text)
		}
	}
}

func TestEmbed(t *testing.T) {
	s := serve(t, reply{body: `{"object":"list","model":"e","data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[0.5,0]}]}`}, reply{body: `{"data":[{"index":7,"embedding":[1]}]}`}, reply{body: `{"data":[]}`})
	e, err := llm.NewEmbedder(s.client(t, nil), "e")
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Embed(t.Context(), []string{"one", "two"})
	if diff := cmp.Diff([][]float32{{0.5, 0}, {0, 1}}, got); err != nil || diff != "" {
		t.Errorf("the vectors, %v (-want +got):\n%s", err, diff)
	}
	if r := s.last(t); r.Path != "POST /v1/embeddings" || r.Model != "e" || !cmp.Equal(r.Input, []string{"one", "two"}) {
		t.Errorf("the request is %+v", r)
	}
	for range 2 {
		if _, err := e.Embed(t.Context(), []string{"one", "two"}); facade.CodeOf(err) != facade.CodeUnavailable {
			t.Errorf("a wrong answer gives %v", err)
		}
	}
	if got, err := e.Embed(t.Context(), nil); err != nil || got != nil {
		t.Errorf("nothing gives %v, %v", got, err)
	}
}

func TestFailures(t *testing.T) {
	for _, tt := range []struct {
		reply reply
		want  facade.Code
	}{
		{reply{status: 401, body: `{"error":{"message":"bad key secret"}}`}, facade.CodeUnavailable},
		{reply{status: 429, body: `{"error":{"message":"slow down"}}`}, facade.CodeRateLimited},
		{reply{status: 413, body: `{"error":{"message":"big"}}`}, facade.CodeTooLarge},
		{reply{status: 500, body: `oops`}, facade.CodeUnavailable},
		{reply{body: `no json`}, facade.CodeUnavailable},
		{reply{body: `{"choices":[]}`}, facade.CodeUnavailable},
		{says("  "), facade.CodeUnavailable},
		{reply{body: `{"choices":[{"finish_reason":"length","message":{"content":"half"}}]}`}, facade.CodeUnavailable},
		{reply{body: `{"choices":[{"finish_reason":"stop","message":{"content":"","refusal":"I will not"}}]}`}, facade.CodeUnavailable},
		{reply{body: `{"choices":[{"message":{"content":"` + strings.Repeat("x", 9<<20) + `"}}]}`}, facade.CodeUnavailable},
	} {
		s := serve(t, tt.reply)
		_, err := s.client(t, nil).Describe(t.Context(), []byte("x"), "image/png", "look")
		if facade.CodeOf(err) != tt.want || leaks(err) {
			t.Errorf("%d %.60s gives %v (%s), want %s", tt.reply.status, tt.reply.body, err, facade.CodeOf(err), tt.want)
		}
	}
}

func TestRetries(t *testing.T) {
	s := serve(t, reply{status: 503, body: `{}`, header: http.Header{"Retry-After-Ms": {"1"}}}, says("ok"))
	got, err := s.client(t, func(o *llm.Options) { o.Retries = 0 }).Describe(t.Context(), []byte("x"), "image/png", "look")
	if err != nil || got != "ok" || s.count() != 2 {
		t.Errorf("after an overload: %q, %v, %d requests", got, err, s.count())
	}
}

func TestNobodyThere(t *testing.T) {
	s := serve(t, says("x"))
	c := s.client(t, nil)
	s.Close()
	if _, err := c.Describe(t.Context(), []byte("x"), "image/png", "look"); facade.CodeOf(err) != facade.CodeUnavailable || strings.Contains(err.Error(), "secret-key") {
		t.Errorf("a dead server gives %v", err)
	}
}

func TestTime(t *testing.T) {
	release := make(chan struct{})
	s := serve(t, says("x"))
	s.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	c := s.client(t, func(o *llm.Options) { o.Timeout = 20 * time.Millisecond })
	if _, err := c.Describe(t.Context(), []byte("x"), "image/png", "look"); facade.CodeOf(err) != facade.CodeTimeout {
		t.Errorf("a slow model gives %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Describe(ctx, []byte("x"), "image/png", "look"); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled call gives %v", err)
	}
}
