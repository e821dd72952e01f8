package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/internal/testenv"
)

// visitor is one of many clients, at home in a directory of its own.
type visitor struct {
	n     int
	cs    *mcp.ClientSession
	reads []time.Duration
}

// call returns the structured content of a call that succeeds.
func (v *visitor) call(ctx context.Context, tool, args string) (string, error) {
	res, err := v.cs.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		return "", err
	}
	content, err := json.Marshal(res.StructuredContent)
	if err == nil && res.IsError {
		err = fmt.Errorf("client %d, %s: %s", v.n, args, content)
	}
	return string(content), err
}

// expect calls and looks for one text in the answer, and for no other client's.
func (v *visitor) expect(ctx context.Context, tool, args, want string) error {
	got, err := v.call(ctx, tool, args)
	if err != nil {
		return err
	}
	if !strings.Contains(got, want) {
		return fmt.Errorf("client %d, %s: no %q in %.300s", v.n, args, want, got)
	}
	if i := strings.Index(strings.ReplaceAll(got, v.mark(), ""), "client-"); i >= 0 {
		return fmt.Errorf("client %d, %s: another client's name in %s", v.n, args, got)
	}
	return nil
}

// mark is the name that nobody else's answers may have.
func (v *visitor) mark() string { return fmt.Sprintf("client-%03d", v.n) }

// settle gives the client a directory, a change in its journal and a task.
func (v *visitor) settle(ctx context.Context) error {
	for _, step := range []struct{ tool, args, want string }{
		{"filesystem", `{"action":"cd","path":"` + v.mark() + `"}`, v.mark()},
		{"filesystem", `{"action":"write","path":"note.txt","content":"` + v.mark() + `"}`, v.mark() + "/note.txt"},
		{"terminal", `{"action":"start","command":"echo","args":["` + v.mark() + `"]}`, "task-"},
	} {
		if err := v.expect(ctx, step.tool, step.args, step.want); err != nil {
			return err
		}
	}
	return nil
}

// work makes calls calls, of which nine in ten read the client's file of 1 KB.
func (v *visitor) work(ctx context.Context, calls int) error {
	for i := range calls {
		var err error
		switch i % 40 {
		case 10:
			err = v.expect(ctx, "filesystem", `{"action":"pwd"}`, `"current":"`+v.mark()+`"`)
		case 20:
			err = v.expect(ctx, "filesystem", `{"action":"history","path":""}`, v.mark()+"/note.txt")
		case 30:
			err = v.expect(ctx, "terminal", `{"action":"list"}`, v.mark())
		case 39:
			err = v.expect(ctx, "filesystem", `{"action":"list"}`, v.mark()+"/own.txt")
		default:
			start := time.Now()
			err = v.expect(ctx, "filesystem", `{"action":"read","path":"own.txt"}`, v.mark())
			v.reads = append(v.reads, time.Since(start))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Many clients at once: nobody's call fails, and nobody sees what is another's.
func TestManyClients(t *testing.T) {
	clients, calls := 64, 2_000
	if testenv.Full() {
		calls = 10_000
	}
	dir := tree(t)
	for n := range clients {
		v := visitor{n: n}
		if err := os.Mkdir(filepath.Join(dir, v.mark()), 0o700); err != nil {
			t.Fatal(err)
		}
		text := strings.Repeat(v.mark()+" ......................\n", 32) // 1 KB
		if err := os.WriteFile(filepath.Join(dir, v.mark(), "own.txt"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	var stderr log
	done := started(ctx, &stderr, nil, nil, "-root", dir, "-http", "localhost:0", "-tools", "filesystem,terminal", "-sandbox", "none")
	url := address(t, &stderr, done)
	transport := &http.Transport{MaxIdleConnsPerHost: 2 * clients}
	visitors := make([]*visitor, clients)
	for n := range visitors {
		visitors[n] = &visitor{n: n, cs: dial(t, &mcp.StreamableClientTransport{
			Endpoint: url, MaxRetries: -1, DisableStandaloneSSE: true, HTTPClient: &http.Client{Transport: transport},
		})}
	}
	start := time.Now()
	var wg sync.WaitGroup
	for _, v := range visitors {
		wg.Go(func() {
			err := v.settle(t.Context())
			if err == nil {
				err = v.work(t.Context(), (calls+clients-1)/clients)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	report(t, visitors, calls, time.Since(start))
	for _, v := range visitors {
		_ = v.cs.Close()
	}
	transport.CloseIdleConnections()
	stop()
	ended(t, done)
}

// maxTail is how much slower than the median the slowest reads of a hundred
// may be.
const maxTail = 5

func report(t *testing.T, visitors []*visitor, calls int, took time.Duration) {
	t.Helper()
	var reads []time.Duration
	for _, v := range visitors {
		reads = append(reads, v.reads...)
	}
	if len(reads) == 0 {
		t.Fatal("nothing was read")
	}
	slices.Sort(reads)
	p50, p99 := reads[len(reads)/2], reads[len(reads)*99/100]
	t.Logf("%d calls of %d clients in %v; a read of 1 KB takes %v at the median, %v at the 99th percentile",
		calls, len(visitors), took.Round(time.Millisecond), p50, p99)
	if testenv.Full() && p99 > maxTail*p50 {
		t.Errorf("the 99th percentile is %.1f times the median, at most %d is wanted", float64(p99)/float64(p50), maxTail)
	}
}
