package mcphost

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
)

// The scanner agrees with the decoder on every object, however it is cut.
func FuzzScanner(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":"a\"b","method":"x","params":{"id":[1,{"id":2}]}}`), 7)
	f.Add([]byte(`{"id" : -12 , "result":{"a":"}"},"id":3}`), 3)
	f.Add([]byte(`{"i\u0064":1,"error":null}`), 1)
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		var want map[string]json.RawMessage
		if len(data) == 0 || data[0] != '{' || len(data) > maxKept || json.Unmarshal(data, &want) != nil || bytes.Contains(data, []byte(`\u`)) {
			t.Skip()
		}
		var s scanner
		cut = min(max(cut, 0), len(data))
		s.feed(data[:cut])
		s.feed(data[cut:])
		for _, name := range members {
			if _, has := want[name]; has != s.has(name) {
				t.Errorf("%s: has %q: %v", data, name, s.has(name))
			}
		}
		id, _ := s.identifier()
		if raw := want["id"]; len(raw) > 0 && (raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') && !bytes.Equal(id, raw) {
			t.Errorf("%s: id %s", data, id)
		}
	})
}

// Lines come out as they went in, or as too long, in the same order.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nbb\n\nccccccccccc\nd"), 8)
	f.Fuzz(func(t *testing.T, data []byte, limit int) {
		limit = min(max(limit, 1), 1<<10)
		l := newLines(bytes.NewReader(data), limit)
		l.first = false
		for i, want := range bytes.Split(data, []byte("\n")) {
			got, err := l.next()
			if tooLong, ok := errors.AsType[*longLineError](err); ok {
				if len(want) <= limit {
					t.Fatalf("line %d of %d bytes is too long: %v", i, len(want), tooLong)
				}
				continue
			}
			if len(bytes.TrimRight(want, "\r")) > limit || !bytes.Equal(got, bytes.Trim(want, " \t\r\n")) {
				t.Fatalf("line %d is %q, want %q", i, got, want)
			}
		}
	})
}
