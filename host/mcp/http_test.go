package mcphost_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"

	mcphost "github.com/toolfacade/toolfacade/host/mcp"
)

// knock sends a greeting with the given headers and returns the response.
func knock(t *testing.T, url string, headers ...string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(greeting))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
			continue
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		t.Fatal(err)
	}
	return res
}

func web(t *testing.T, opts *mcphost.HTTPOptions) string {
	t.Helper()
	lab := labServer(t, newLab(), nil)
	server := httptest.NewServer(mcphost.HTTPHandler(lab, opts))
	t.Cleanup(func() {
		server.Close()
		for session := range lab.Sessions() {
			_ = session.Close()
		}
	})
	return server.URL
}

func TestHTTPAccess(t *testing.T) {
	const alice, bob = "alice-0123456789abcdef", "bob-0123456789abcdef"
	open := web(t, nil)
	locked := web(t, &mcphost.HTTPOptions{Tokens: []string{alice, bob}, Origins: []string{"https://app.example"}})
	own := web(t, &mcphost.HTTPOptions{
		Tokens: []string{bob}, // Verify decides alone
		Verify: func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
			if token != "sesame" {
				return nil, auth.ErrInvalidToken
			}
			return &auth.TokenInfo{UserID: "ali"}, nil
		},
	})
	for _, test := range []struct {
		name, url string
		headers   []string
		want      int
	}{
		{"open", open, nil, http.StatusOK},
		{"page of this machine", open, []string{"Origin", "http://localhost:6274"}, http.StatusOK},
		{"page of this machine by address", open, []string{"Origin", "http://[::1]"}, http.StatusOK},
		{"foreign page", open, []string{"Origin", "https://evil.example"}, http.StatusForbidden},
		{"lookalike page", open, []string{"Origin", "http://localhost.evil.example"}, http.StatusForbidden},
		{"page without origin", open, []string{"Origin", "null"}, http.StatusForbidden},
		{"foreign name", open, []string{"Host", "evil.example"}, http.StatusForbidden},
		{"no token", locked, nil, http.StatusUnauthorized},
		{"wrong token", locked, []string{"Authorization", "Bearer " + alice + "0"}, http.StatusUnauthorized},
		{"empty token", locked, []string{"Authorization", "Bearer "}, http.StatusUnauthorized},
		{"other scheme", locked, []string{"Authorization", "Basic " + alice}, http.StatusUnauthorized},
		{"token", locked, []string{"Authorization", "Bearer " + alice}, http.StatusOK},
		{"other token", locked, []string{"Authorization", "bearer " + bob}, http.StatusOK},
		{"token from an allowed page", locked, []string{"Authorization", "Bearer " + bob, "Origin", "https://APP.example"}, http.StatusOK},
		{"token from a foreign page", locked, []string{"Authorization", "Bearer " + bob, "Origin", "https://app.example.org"}, http.StatusForbidden},
		{"own verifier", own, []string{"Authorization", "Bearer sesame"}, http.StatusOK},
		{"own verifier refuses", own, []string{"Authorization", "Bearer " + bob}, http.StatusUnauthorized},
	} {
		t.Run(test.name, func(t *testing.T) {
			res := knock(t, test.url, test.headers...)
			if res.StatusCode != test.want {
				t.Errorf("status %d, want %d", res.StatusCode, test.want)
			}
			if got := res.Header.Get("WWW-Authenticate"); (got != "") != (test.want == http.StatusUnauthorized) {
				t.Errorf("WWW-Authenticate is %q", got)
			}
		})
	}
}

// A session belongs to the token that began it.
func TestHTTPSessionTheft(t *testing.T) {
	const alice, bob = "alice-0123456789abcdef", "bob-0123456789abcdef"
	url := web(t, &mcphost.HTTPOptions{Tokens: []string{alice, bob}})
	id := knock(t, url, "Authorization", "Bearer "+alice).Header.Get("Mcp-Session-Id")
	if id == "" {
		t.Fatal("no session")
	}
	if res := knock(t, url, "Authorization", "Bearer "+bob, "Mcp-Session-Id", id); res.StatusCode != http.StatusForbidden {
		t.Errorf("another user gets status %d", res.StatusCode)
	}
	if res := knock(t, url, "Authorization", "Bearer "+alice, "Mcp-Session-Id", "made-up"); res.StatusCode != http.StatusNotFound {
		t.Errorf("a session nobody began gets status %d", res.StatusCode)
	}
}

func TestHTTPTooLarge(t *testing.T) {
	if res := knock(t, web(t, &mcphost.HTTPOptions{MaxMessageBytes: 20})); res.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d", res.StatusCode)
	}
}
