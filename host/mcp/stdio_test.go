package mcphost_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	mcphost "github.com/toolfacade/toolfacade/host/mcp"
)

// pipe is a client of a [mcphost.Stdio] that writes whatever it likes.
type pipe struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	done chan error
}

const greeting = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"pipe","version":"1"}}}`

// piped serves the lab over pipes. The caller closes p.in.
func piped(t *testing.T, l *lab, transport mcphost.Stdio) *pipe {
	t.Helper()
	r, in := systemPipe(t)
	out, w := systemPipe(t)
	transport.Reader, transport.Writer = r, w
	session, err := labServer(t, l, nil).Connect(t.Context(), &transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &pipe{t, in, bufio.NewReader(out), make(chan error, 1)}
	go func() { p.done <- session.Wait() }()
	t.Cleanup(func() {
		_ = in.Close()
		_ = out.Close()
		if err := <-p.done; err != nil {
			t.Log("the session ended with", err)
		}
	})
	return p
}

// systemPipe returns a pipe with a buffer: a client may write before it reads.
func systemPipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

func (p *pipe) send(lines ...string) {
	p.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(p.in, l+"\n"); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *pipe) receive() string {
	p.t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil {
		p.t.Fatalf("%q, %v", line, err)
	}
	return strings.TrimSpace(line)
}

// verdict is what matters of an answer: the id as it came, and the code of the
// error, 0 for none.
func verdict(t *testing.T, line string) string {
	t.Helper()
	var one struct {
		ID    json.RawMessage
		Error struct{ Code int }
	}
	if err := json.Unmarshal([]byte(line), &one); err != nil {
		t.Fatalf("answer %q: %v", line, err)
	}
	return fmt.Sprintf("%s %d", one.ID, one.Error.Code)
}

const ping = `{"jsonrpc":"2.0","id":%s,"method":"ping"}`

// Whatever a line holds, the next one is served.
func TestStdioBadInput(t *testing.T) {
	p := piped(t, newLab(), mcphost.Stdio{MaxMessageBytes: 4000})
	p.send("\xef\xbb\xbf" + greeting)
	p.receive()
	long := strings.Repeat("x", 5000)
	for _, test := range []struct{ name, line, want string }{
		{"text", "Hello", "null -32700"},
		{"cut off", `{"jsonrpc":"2.0","id":1`, "null -32700"},
		{"two messages", fmt.Sprintf(ping+ping, "1", "2"), "null -32700"},
		{"too deep", strings.Repeat("[", 3999), "null -32700"},
		{"number", "7", "null -32600"},
		{"empty object", "{}", "null -32600"},
		{"other version", `{"jsonrpc":"1.0","id":"a","method":"ping"}`, `"a" -32600`},
		{"method is a number", `{"jsonrpc":"2.0","id":3,"method":4}`, "3 -32600"},
		{"unknown method", `{"jsonrpc":"2.0","id":3,"method":"pong"}`, "3 -32601"},
		{"second greeting", strings.Replace(greeting, `"id":0`, `"id":9`, 1), "9 -32600"},
		{"no parameters", `{"jsonrpc":"2.0","id":3,"method":"tools/call"}`, "3 -32600"},
		{"parameters are a list", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[]}`, "3 -32602"},
		{"id is null", fmt.Sprintf(ping, "null"), "null -32600"},
		{"id is a fraction", fmt.Sprintf(ping, "1.5"), "1.5 -32600"},
		{"id is an object", fmt.Sprintf(ping, `{"id":1}`), "null -32600"},
		{"id beyond the exact", fmt.Sprintf(ping, "9007199254740993"), "9007199254740993 -32600"},
		{"id is empty", fmt.Sprintf(ping, `""`), `"" 0`},
		{"id is negative", fmt.Sprintf(ping, "-4"), "-4 0"},
		{"blanks around", "  " + fmt.Sprintf(ping, "5") + " \r", "5 0"},
		{"too long, id first", `{"jsonrpc":"2.0","id":"first","method":"ping","params":{"id":2,"x":"` + long + `"}}`, `"first" -32600`},
		{"too long, id last", `{"method":"ping","params":{"id":2,"x":"\"}` + long + `"},"jsonrpc":"2.0","id": 17 }`, "17 -32600"},
		{"too long, no message", long, "null -32600"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p.send(test.line, fmt.Sprintf(ping, `"next"`))
			first, second := verdict(t, p.receive()), verdict(t, p.receive())
			if first == `"next" 0` { // answers need no order
				first, second = second, first
			}
			if first != test.want || second != `"next" 0` {
				t.Errorf("answers %s and %s, want %s", first, second, test.want)
			}
		})
	}
}

// What asks for no answer gets none.
func TestStdioSilence(t *testing.T) {
	p := piped(t, newLab(), mcphost.Stdio{})
	p.send(greeting)
	p.receive()
	p.send("", "   ",
		`{"jsonrpc":"2.0","id":77,"result":{}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}`,
		`{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[1]}}`,
		`{"jsonrpc":"2.0","method":"notifications/unknown"}`,
		`[{"jsonrpc":"2.0","method":"notifications/unknown"}]`,
		fmt.Sprintf(ping, "1"))
	if got := verdict(t, p.receive()); got != "1 0" {
		t.Errorf("answer %s", got)
	}
}

func TestStdioBatch(t *testing.T) {
	p := piped(t, newLab(), mcphost.Stdio{})
	p.send(greeting)
	p.receive()
	p.send(`[` + fmt.Sprintf(ping, "1") + `,7,` + fmt.Sprintf(ping, "1") + `,{"jsonrpc":"2.0","method":"notifications/unknown"},` + fmt.Sprintf(ping, `"b"`) + `]`)
	var answers []json.RawMessage
	if err := json.Unmarshal([]byte(p.receive()), &answers); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, a := range answers {
		got[verdict(t, string(a))]++
	}
	if diff := cmp.Diff(map[string]int{"1 0": 1, `"b" 0`: 1, "null -32600": 2}, got); diff != "" {
		t.Error("answers (-want +got)", diff)
	}
	p.send("[]", "[7]")
	if got := verdict(t, p.receive()); got != "null -32600" {
		t.Errorf("empty batch: %s", got)
	}
	if got := p.receive(); !strings.HasPrefix(got, `[{`) {
		t.Errorf("batch of nothing: %s", got)
	}
}

const waiting = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"lab","arguments":{"action":"wait"}}}`

// An id in use is refused, and the call that has it is not disturbed.
func TestStdioDoubledID(t *testing.T) {
	l := newLab()
	p := piped(t, l, mcphost.Stdio{})
	p.send(greeting)
	p.receive()
	p.send(waiting)
	<-l.began
	p.send(fmt.Sprintf(ping, "3"))
	if got := verdict(t, p.receive()); got != "null -32600" {
		t.Errorf("second call: %s", got)
	}
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
	if got := p.receive(); verdict(t, got) != "3 0" || !strings.Contains(got, "canceled") {
		t.Errorf("first call: %s", got)
	}
	<-l.ended
}

// The end of input leaves time for answers, and the last line needs no end.
func TestStdioEndOfInput(t *testing.T) {
	p := piped(t, newLab(), mcphost.Stdio{})
	p.send(greeting)
	p.receive()
	go func() {
		_, _ = io.WriteString(p.in, fmt.Sprintf(ping, "1"))
		_ = p.in.Close()
	}()
	if got := verdict(t, p.receive()); got != "1 0" {
		t.Errorf("answer %s", got)
	}
}

// After the grace the host is told, so that it can cancel what still runs.
func TestStdioGrace(t *testing.T) {
	l := newLab()
	expired := make(chan struct{})
	p := piped(t, l, mcphost.Stdio{Grace: 10 * time.Millisecond, Expired: func() { close(expired) }})
	p.send(greeting)
	p.receive()
	p.send(waiting)
	<-l.began
	_ = p.in.Close()
	select {
	case <-expired:
	case <-time.After(20 * time.Second):
		t.Fatal("the grace never ends")
	}
	select {
	case <-l.ended: // the SDK cancels it with the connection
	case <-time.After(20 * time.Second):
		t.Fatal("the call never ends")
	}
}
