package hosttest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// Final is what the model says once the script is through.
const Final = "that is all"

// Transcript is what a model saw of a host.
type Transcript struct {
	// Tools are those of the first request.
	Tools []Def
	// Turns are the results of each turn of the script.
	Turns [][]Result
	// Final is what the host gave as the model's last word.
	Final string
}

// Play lets a host's loop run with the tools of set until the model, which asks
// for the calls of one turn after the other, says [Final].
type Play func(ctx context.Context, t *testing.T, set *facade.Set, script ...[]Call) (*Transcript, error)

// Served plays on a model server that speaks the protocol w. run has the host
// ask the model at url until it has the last word, and returns that.
func Served(w Wire, run func(ctx context.Context, url string, set *facade.Set) (string, error)) Play {
	return func(ctx context.Context, t *testing.T, set *facade.Set, script ...[]Call) (*Transcript, error) {
		t.Helper()
		m := &model{wire: w, script: script}
		server := httptest.NewServer(m)
		defer server.Close()
		final, err := run(ctx, server.URL, set)
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.fault != nil {
			t.Errorf("the model server: %v", m.fault)
		}
		out := &Transcript{Turns: m.turns, Final: final}
		if len(m.tools) > 0 {
			out.Tools = m.tools
		}
		return out, err
	}
}

// model is the server.
type model struct {
	wire   Wire
	script [][]Call

	mu    sync.Mutex
	asked int
	tools []Def
	turns [][]Result
	fault error
}

// ServeHTTP takes the results of the last turn and asks for the next calls.
func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	reply, err := m.turn(r)
	if err != nil {
		m.fault = fmt.Errorf("%s %s: %w", r.Method, r.URL.Path, err)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(reply) // a host that left is the test's matter
}

func (m *model) turn(r *http.Request) (any, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	seen, err := m.wire.Read(body)
	if err != nil {
		return nil, fmt.Errorf("%w in %s", err, body)
	}
	if m.asked == 0 {
		m.tools = seen.Tools
	} else {
		m.turns = append(m.turns, seen.Results)
	}
	m.asked++
	switch n := m.asked; {
	case n <= len(m.script):
		return m.wire.Reply(m.script[n-1], ""), nil
	case n == len(m.script)+1:
		return m.wire.Reply(nil, Final), nil
	}
	return nil, fmt.Errorf("a request after the last word: %s", body)
}
