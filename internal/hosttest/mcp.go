package hosttest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// Protocol plays on a server of the Model Context Protocol, where the tools are
// the server and the model is behind the client. serve returns the server over
// streamable HTTP, whose calls belong to session.
func Protocol(serve func(set *facade.Set, session string) (http.Handler, error)) Play {
	return func(ctx context.Context, t *testing.T, set *facade.Set, script ...[]Call) (*Transcript, error) {
		t.Helper()
		handler, err := serve(set, facade.Info(ctx).Session)
		if err != nil {
			return nil, err
		}
		server := httptest.NewServer(handler)
		defer server.Close()
		transport := &http.Transport{}
		defer transport.CloseIdleConnections()
		c := &client{url: server.URL, http: &http.Client{Transport: transport}}
		return c.play(ctx, script)
	}
}

// client speaks the protocol, so that what is looked at is what was sent.
type client struct {
	url     string
	http    *http.Client
	session string

	mu   sync.Mutex
	last int
}

func (c *client) play(ctx context.Context, script [][]Call) (*Transcript, error) {
	hello := object{"protocolVersion": "2025-06-18", "capabilities": object{}, "clientInfo": object{"name": "test", "version": "1"}}
	if err := c.request(ctx, "initialize", hello, nil); err != nil {
		return nil, err
	}
	defer c.leave(context.WithoutCancel(ctx)) //nolint:errcheck // the last thing to do
	if err := c.notify(ctx, "notifications/initialized", nil); err != nil {
		return nil, err
	}
	out := &Transcript{Final: Final}
	var listed struct {
		Tools []struct {
			Name, Description string
			InputSchema       json.RawMessage
		}
	}
	if err := c.request(ctx, "tools/list", object{}, &listed); err != nil {
		return nil, err
	}
	for _, d := range listed.Tools {
		out.Tools = append(out.Tools, Def{Name: d.Name, Description: d.Description, Schema: d.InputSchema})
	}
	for _, calls := range script {
		results, err := c.calls(ctx, calls)
		if err != nil {
			return nil, err
		}
		out.Turns = append(out.Turns, results)
	}
	return out, nil
}

// calls makes the calls of one turn side by side.
func (c *client) calls(ctx context.Context, calls []Call) ([]Result, error) {
	results, errs := make([]Result, len(calls)), make([]error, len(calls))
	var wg sync.WaitGroup
	for i, call := range calls {
		wg.Go(func() { results[i], errs[i] = c.call(ctx, call) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

func (c *client) call(ctx context.Context, call Call) (Result, error) {
	var res struct {
		IsError bool
		Content []struct {
			Type, Text, MIMEType string
			Data                 []byte
			Resource             struct{ URI string }
		}
	}
	r := Result{ID: call.ID, Tool: call.Tool, Failed: &res.IsError}
	err := c.request(ctx, "tools/call", object{"name": call.Tool, "arguments": raw(call.Args)}, &res)
	for _, block := range res.Content {
		r.Text += block.Text + block.Resource.URI
		if block.Type == "image" {
			r.Images = append(r.Images, Image{block.MIMEType, string(block.Data)})
		}
	}
	return r, err
}

// request sends a request and decodes its result.
func (c *client) request(ctx context.Context, method string, params, result any) error {
	c.mu.Lock()
	c.last++
	id := c.last
	c.mu.Unlock()
	resp, err := c.send(ctx, http.MethodPost, object{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	var message json.RawMessage
	if err == nil {
		defer resp.Body.Close()
		message, err = answer(resp)
	}
	if ctx.Err() != nil { // the server goes on until it is told
		err = errors.Join(err, c.notify(context.WithoutCancel(ctx), "notifications/cancelled", object{"requestId": id}))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	var reply struct {
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal(message, &reply); err != nil {
		return fmt.Errorf("%s: %w in %s", method, err, message)
	}
	if reply.Error != nil {
		return fmt.Errorf("%s: %s", method, reply.Error.Message)
	}
	if s := resp.Header.Get("Mcp-Session-Id"); s != "" {
		c.session = s
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(reply.Result, result)
}

func (c *client) notify(ctx context.Context, method string, params any) error {
	resp, err := c.send(ctx, http.MethodPost, object{"jsonrpc": "2.0", "method": method, "params": params})
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// leave ends the session, so that the server holds nothing of it.
func (c *client) leave(ctx context.Context) error {
	resp, err := c.send(ctx, http.MethodDelete, nil)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (c *client) send(ctx context.Context, method string, message any) (*http.Response, error) {
	body, err := json.Marshal(message)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, method, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if c.session != "" {
		req.Header.Set("Mcp-Session-Id", c.session)
		req.Header.Set("Mcp-Protocol-Version", "2025-06-18")
	}
	return c.http.Do(req)
}

// answer returns the one message of a response, or of its event stream.
func answer(resp *http.Response) (json.RawMessage, error) {
	if resp.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(resp.Body)
		return nil, fmt.Errorf("%s: %s", resp.Status, body)
	}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return io.ReadAll(resp.Body)
	}
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data:"); ok && strings.Contains(data, `"id"`) {
			return raw(data), nil
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return nil, io.ErrUnexpectedEOF
}
