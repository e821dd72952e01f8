package llm_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/llm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// request is what the server saw.
type request struct {
	Path, Auth     string
	Model          string
	MaxTokens      int `json:"max_tokens"`
	Messages       []message
	Input          []string
	ResponseFormat *struct {
		Type       string
		JSONSchema struct {
			Name   string
			Schema map[string]any
		} `json:"json_schema"`
	} `json:"response_format"`
}

type message struct {
	Role    string
	Content json.RawMessage
}

// parts are the parts of a message.
func (m message) parts(tb testing.TB) []struct {
	Type     string
	Text     string
	ImageURL struct{ URL string } `json:"image_url"`
} {
	tb.Helper()
	var parts []struct {
		Type     string
		Text     string
		ImageURL struct{ URL string } `json:"image_url"`
	}
	if err := json.Unmarshal(m.Content, &parts); err != nil {
		tb.Fatalf("the content is %s: %v", m.Content, err)
	}
	return parts
}

// server answers as a model does, one reply after the other; the last is
// repeated.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	requests []request
	replies  []reply
}

type reply struct {
	status int // 0 means 200
	body   string
	header http.Header
}

// says is a reply with that message.
func says(content string) reply {
	text, _ := json.Marshal(content)
	return reply{body: `{"id":"x","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":` + string(text) + `}}]}`}
}

func serve(tb testing.TB, replies ...reply) *server {
	tb.Helper()
	s := &server{replies: replies}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			tb.Error(err)
		}
		req := request{Path: r.Method + " " + r.URL.Path, Auth: r.Header.Get("Authorization")}
		if err := json.Unmarshal(body, &req); err != nil {
			tb.Errorf("the request is no JSON: %s", body)
		}
		s.mu.Lock()
		s.requests = append(s.requests, req)
		reply := s.replies[min(len(s.requests), len(s.replies))-1]
		s.mu.Unlock()
		for k, v := range reply.header {
			w.Header()[k] = v
		}
		w.Header().Set("Content-Type", "application/json")
		if reply.status != 0 {
			w.WriteHeader(reply.status)
		}
		if _, err := io.WriteString(w, reply.body); err != nil {
			tb.Log(err)
		}
	}))
	tb.Cleanup(s.Close)
	return s
}

// client asks the server; its own connections end with the test.
func (s *server) client(tb testing.TB, change func(o *llm.Options)) *llm.Client {
	tb.Helper()
	transport := &http.Transport{}
	tb.Cleanup(transport.CloseIdleConnections)
	o := &llm.Options{BaseURL: s.URL + "/v1", Model: "m1", Key: "secret-key", Retries: -1, HTTPClient: &http.Client{Transport: transport}}
	if change != nil {
		change(o)
	}
	c, err := llm.New(o)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// last is the latest request.
func (s *server) last(tb testing.TB) request {
	tb.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.requests) == 0 {
		tb.Fatal("no request was sent")
	}
	return s.requests[len(s.requests)-1]
}

func (s *server) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

// leaks reports whether an error tells of the host's secrets.
func leaks(err error) bool {
	return strings.Contains(err.Error(), "secret-key") || strings.Contains(err.Error(), "127.0.0.1")
}
