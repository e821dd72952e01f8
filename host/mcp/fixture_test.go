package mcphost_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade"
	mcphost "github.com/toolfacade/toolfacade/host/mcp"
)

// lab is a tool with one action for each thing a reply can be.
type lab struct {
	mu    sync.Mutex
	here  map[string]string // current directory of each session
	ids   []string          // of the calls to echo
	began chan struct{}     // wait says that it runs
	ended chan facade.Code  // wait says how it ended
}

func newLab() *lab {
	return &lab{here: map[string]string{}, began: make(chan struct{}, 1), ended: make(chan facade.Code, 1)}
}

type echoInput struct {
	// Text to send back.
	Text string `json:"text"`
	// How often.
	Times int `json:"times,omitempty" default:"1" min:"1" max:"100000"`
}

type echoOutput struct {
	// Lines are the text, once for each time.
	Lines []string `json:"lines"`
}

func (o echoOutput) Present(r *facade.Result) {
	r.Text = "echoed\n" + strings.Join(o.Lines, "\n")
}

func (l *lab) echo(ctx context.Context, in echoInput) (echoOutput, error) {
	l.mu.Lock()
	l.ids = append(l.ids, facade.Info(ctx).ID)
	l.mu.Unlock()
	if in.Text == "" {
		return echoOutput{}, facade.InvalidArgument("text", "nothing to echo").WithHint("send some text")
	}
	out := echoOutput{}
	for range max(1, in.Times) {
		out.Lines = append(out.Lines, in.Text)
	}
	return out, nil
}

type goInput struct {
	// Where to go; the session stays without it.
	To string `json:"to,omitempty"`
}

type goOutput struct {
	// Current is where the session is.
	Current string `json:"current"`
}

func (l *lab) move(ctx context.Context, in goInput) (goOutput, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	session := facade.Info(ctx).Session
	if in.To != "" {
		l.here[session] = in.To
	}
	return goOutput{l.here[session]}, nil
}

type partsInput struct {
	// Size of each attachment in bytes.
	Size int `json:"size,omitempty" default:"4" min:"1"`
}

type partsOutput struct {
	// Count of attachments.
	Count int `json:"count"`
	size  int
}

func (o partsOutput) Present(r *facade.Result) {
	data := []byte(strings.Repeat("x", o.size))
	r.Text = "three attachments"
	r.Parts = []facade.Part{
		{MIME: "image/png", Data: data, Path: "a.png"},
		{MIME: "audio/wav", Data: data, Path: "b.wav"},
		{MIME: "application/zip", Data: data, Path: "dir/c d.zip"},
	}
}

func (l *lab) parts(_ context.Context, in partsInput) (partsOutput, error) {
	return partsOutput{Count: 3, size: max(4, in.Size)}, nil
}

type stepsInput struct {
	// How many steps to report.
	Count int64 `json:"count,omitempty" default:"10" min:"10"`
}

type noInput struct{}

type noOutput struct{}

// steps reports progress in the ways that an implementation might: twice the
// same, backwards, often, and other events between.
func (l *lab) steps(ctx context.Context, in stepsInput) (noOutput, error) {
	in.Count = max(10, in.Count)
	for _, n := range []int64{1, 1, 0} {
		facade.Emit(ctx, facade.Event{Type: facade.EventProgress, Current: n, Total: in.Count, Message: "step"})
	}
	facade.Emit(ctx, facade.Event{Type: facade.EventFileRead, Path: "not progress"})
	for n := range in.Count {
		facade.Emit(ctx, facade.Event{Type: facade.EventProgress, Current: n + 1, Total: in.Count, Message: "step"})
	}
	facade.Emit(ctx, facade.Event{Type: facade.EventProgress, Current: in.Count, Total: in.Count, Message: "once more"})
	return noOutput{}, nil
}

func (l *lab) wait(ctx context.Context, _ noInput) (noOutput, error) {
	l.began <- struct{}{}
	<-ctx.Done()
	l.ended <- facade.CodeOf(ctx.Err())
	return noOutput{}, ctx.Err()
}

func (l *lab) panic(context.Context, noInput) (noOutput, error) { panic("a defect") }

func (l *lab) set() *facade.Set {
	return facade.NewSet([]*facade.Tool{
		facade.New("lab", "A tool for tests.",
			facade.Bind("echo", facade.EffectRead|facade.Idempotent, "Send text back.", l.echo),
			facade.Bind("go", facade.EffectRead, "Move the session.", l.move),
			facade.Bind("parts", facade.EffectRead, "Send attachments.", l.parts),
			facade.Bind("steps", facade.EffectRead, "Report progress.", l.steps),
			facade.Bind("wait", facade.EffectRead, "Wait for the end.", l.wait),
			facade.Bind("panic", facade.EffectWrite|facade.EffectDestructive, "Fail badly.", l.panic)),
	}, nil)
}

// connect serves set to a client of the SDK over an in-memory transport. An
// empty version means the latest.
func connect(t *testing.T, set *facade.Set, opts *mcphost.Options, version string) *mcp.ClientSession {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "lab", Version: "1"}, nil)
	if err := mcphost.Register(server, set, opts); err != nil {
		t.Fatal(err)
	}
	return dial(t, server, nil, version)
}

func dial(t *testing.T, server *mcp.Server, client *mcp.ClientOptions, version string) *mcp.ClientSession {
	t.Helper()
	near, far := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), far, nil); err != nil {
		t.Fatal(err)
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, client)
	cs, err := c.Connect(t.Context(), near, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cs.Close() })
	return cs
}

// call runs the lab tool with the arguments of a model.
func call(t *testing.T, cs *mcp.ClientSession, args string) *mcp.CallToolResult {
	t.Helper()
	res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "lab", Arguments: raw(args)})
	if err != nil {
		t.Fatalf("call %s: %v", args, err)
	}
	return res
}
