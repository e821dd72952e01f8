package mcphost

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

var sameID = cmp.Comparer(func(a, b jsonrpc.ID) bool { return a == b })

func TestRequest(t *testing.T) {
	for _, c := range []struct {
		line  string
		quick bool
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"x":"}\"]","y":[1,{"z":2}]}}}`, true},
		{` {"params" : [ 1 , 2 ] , "method" : "ping" , "id" : "a-1" , "jsonrpc" : "2.0" } `, true},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, true},
		{`{"jsonrpc":"2.0","id":-12,"method":"m","params":null}`, true},
		{`{"jsonrpc":"2.0","id":1,"method":"m","params":12}`, true},
		{`{"jsonrpc":"2.0","id":1,"method":"m","params":"\\"}`, true},
		{`{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}`, false},
		{`{"jsonrpc":"2.0","id":1,"meth\u006fd":"m"}`, false},
		{`{"jsonrpc":"2.0","id":1,"method":"m\u006d"}`, false},
		{`{"jsonrpc":"2.0","id":"ä","method":"m"}`, false},
		{`{"jsonrpc":"2.0","id":1.5,"method":"m"}`, false},
		{`{"jsonrpc":"2.0","id":1234567890123456,"method":"m"}`, false},
		{`{"jsonrpc":"2.0","id":null,"method":"m"}`, false},
		{`{"jsonrpc":"1.0","id":1,"method":"m"}`, false},
		{`{"jsonrpc":"2.0","id":1,"method":"m","more":true}`, false},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, false},
		{`{"jsonrpc":"2.0","id":1,"method":"m","params":` + strings.Repeat("[", maxNesting) + strings.Repeat("]", maxNesting) + `}`, false},
		{`{}`, false},
	} {
		line := []byte(strings.TrimSpace(c.line))
		got, quick := request(line)
		if quick != c.quick {
			t.Errorf("%.80s: quick is %v", line, quick)
		}
		if !quick {
			continue
		}
		want, err := jsonrpc.DecodeMessage(line)
		if err != nil {
			t.Errorf("%.80s: %v", line, err)
		}
		if d := cmp.Diff(want, jsonrpc.Message(got), sameID); d != "" {
			t.Errorf("%.80s (-SDK +ours):\n%s", line, d)
		}
	}
}

// The request kept is not part of the line, whose memory is used again.
func TestRequestKeepsNothing(t *testing.T) {
	line := []byte(`{"jsonrpc":"2.0","id":"abc","method":"ping","params":{"a":1}}`)
	got, ok := request(line)
	if !ok {
		t.Fatal("not a plain request")
	}
	clear(line)
	if got.Method != "ping" || string(got.Params) != `{"a":1}` || got.ID.Raw() != "abc" {
		t.Errorf("%+v", got)
	}
}

// What is decoded without the SDK is what the SDK decodes.
func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":"\"}"}}`))
	f.Add([]byte(`{ "params":[[],{},"",1e5] , "jsonrpc":"2.0","method":"","id":"x"}`))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"a","params":true}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || data[0] != '{' || !json.Valid(data) {
			t.Skip()
		}
		got, ok := request(data)
		if !ok {
			return
		}
		want, err := jsonrpc.DecodeMessage(data)
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if d := cmp.Diff(want, jsonrpc.Message(got), sameID); d != "" {
			t.Errorf("%s (-SDK +ours):\n%s", data, d)
		}
	})
}
