package facade

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// fuzzInput has the kinds of fields that the contracts use.
type fuzzInput struct {
	Path  string            `json:"path,omitempty"`
	Names []string          `json:"names,omitempty"`
	Limit int               `json:"limit,omitempty" min:"-1000"`
	Big   *int64            `json:"big,omitempty"`
	Ratio float64           `json:"ratio,omitempty"`
	All   bool              `json:"all,omitempty"`
	Sort  string            `json:"sort,omitempty" enum:"name,size"`
	Env   map[string]string `json:"env,omitempty"`
	Meta  map[string]any    `json:"meta,omitempty"`
	Raw   json.RawMessage   `json:"raw,omitempty"`
	Edits []fuzzEdit        `json:"edits,omitempty"`
}

type fuzzEdit struct {
	Old string `json:"old"`
	New string `json:"new,omitempty"`
}

type fuzzOutput struct {
	In fuzzInput `json:"in"`
}

func fuzzTool() *Tool {
	return New("fuzz", "", Bind("a", EffectRead, "", func(_ context.Context, in fuzzInput) (fuzzOutput, error) {
		return fuzzOutput{in}, nil
	}), Bind("b", EffectRead, "", func(context.Context, struct {
		Only string `json:"only"`
	},
	) (fuzzOutput, error) {
		return fuzzOutput{}, nil
	}))
}

// FuzzDecode sends anything to a tool. Nothing may panic, a refusal is an
// invalid_argument or unknown_action, and what is taken without a note is what
// encoding/json, with unknown fields disallowed, reads.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `null`, `{"action":"a"}`, `{"action":"b","only":"x"}`, `{"action":"a","path":"x","path":"y"}`,
		`{"action":"a","p\u0061th":"\ud83d\ude00\n\\\"\/"}`, `{"action":"a","names":"[\"a\"]","limit":"10","all":"true"}`,
		`{"action":"a","names":["a",null],"big":9223372036854775807,"ratio":1e-3,"sort":"nam"}`,
		`{"action":"a","env":{"A":"1","A":"2"},"meta":{"x":[{"y":null,"y":1}]},"raw":[1,{"a":"\udfff"}]}`,
		`{"action":"a","edits":[{"old":"a","new":"b"},{"new":1,"Old":2}],"PATH":1}`, "{\"action\":\"a\",\"path\":\"\xff\"}",
		`{"action":"a","limit":1e2,"ratio":-0.0} `, "\t{ \"action\" : \"a\" ,\n\"edits\" : [ ] }\r\n", `{"action":"a","":"","raw":"x"}`,
	} {
		f.Add([]byte(seed))
	}
	tool := fuzzTool()
	tool.opts.OnPanic = func(_, _ string, recovered any, stack []byte) {
		f.Errorf("%v\n%s", recovered, stack)
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		sent := bytes.Clone(args)
		r, err := tool.Call(t.Context(), Call{Args: args})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(sent, args) {
			t.Fatal("the arguments were changed")
		}
		if !r.OK() {
			if c := r.Error.Code; c != CodeInvalidArgument && c != CodeUnknownAction {
				t.Fatalf("code %s: %s", c, r.Text)
			}
			if raw := r.JSON(); !json.Valid(raw) || !utf8.ValidString(r.Text) {
				t.Fatalf("bad reply %s", raw)
			}
			return
		}
		if len(r.Notes) > 0 || bytes.Contains(args, []byte(`"b"`)) {
			return
		}
		sameAsEncodingJSON(t, args, r.Data.(fuzzOutput).In)
	})
}

func sameAsEncodingJSON(t *testing.T, args []byte, got fuzzInput) {
	t.Helper()
	var want struct {
		Action any `json:"action"`
		fuzzInput
	}
	d := json.NewDecoder(bytes.NewReader(args))
	d.DisallowUnknownFields()
	if err := d.Decode(&want); err != nil {
		// encoding/json knows no 1e3 for integers.
		if strings.Contains(err.Error(), "cannot unmarshal number") {
			return
		}
		t.Fatalf("taken, but encoding/json says %v: %s", err, args)
	}
	if string(want.Raw) == "null" { // null is absent here
		want.Raw = nil
	}
	if !reflect.DeepEqual(want.fuzzInput, got) {
		t.Fatalf("%s\nencoding/json reads %+v\nthe decoder         %+v", args, want.fuzzInput, got)
	}
}

// FuzzScan walks valid JSON and puts it together again: members, elements and
// texts must be those that encoding/json finds.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `{"a":1}`, `[1,[2,{"b":"]}"}],"\\\"",true]`, `"\\"`, `{"a\\\"":{"":[]}}`, ` [ 1 , 2 ] `, `-1.5e+3`, `"\u00e9\uD83D\uDE00"`,
		`["\\","\"","\\\\"]`, `"a\\`, `"\ud800"`, `{"a":"\\\\\\"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		raw = bytes.Trim(raw, " \t\r\n")
		if !json.Valid(raw) || !utf8.Valid(raw) {
			return
		}
		if end := skip(raw, 0); end != len(raw) {
			t.Fatalf("skip ends at %d of %d: %s", end, len(raw), raw)
		}
		switch raw[0] {
		case '"':
			sameText(t, raw)
		case '[':
			var want []json.RawMessage
			if err := json.Unmarshal(raw, &want); err != nil {
				t.Fatal(err)
			}
			i := 0
			for w := walk(raw); w.next(); i++ {
				if i >= len(want) || !bytes.Equal(w.value, want[i]) {
					t.Fatalf("element %d is %s in %s", i, w.value, raw)
				}
			}
			if i != len(want) || count(raw) != i {
				t.Fatalf("%d elements of %d", i, len(want))
			}
		case '{':
			var again bytes.Buffer
			again.WriteByte('{')
			for w := walk(raw); w.next(); {
				if again.Len() > 1 {
					again.WriteByte(',')
				}
				sameText(t, w.key)
				again.Write(w.key)
				again.WriteByte(':')
				again.Write(w.value)
			}
			again.WriteByte('}')
			if a, b := compacted(t, raw), compacted(t, again.Bytes()); a != b {
				t.Fatalf("put together again:\n%s\n%s", a, b)
			}
		}
	})
}

func compacted(t *testing.T, raw []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return b.String()
}

// sameText compares unquote with encoding/json, which writes U+FFFD where
// unquote refuses.
func sameText(t *testing.T, quoted []byte) {
	t.Helper()
	var want string
	if err := json.Unmarshal(quoted, &want); err != nil {
		t.Fatal(err)
	}
	switch got, err := unquote(quoted); {
	case err != nil && !strings.ContainsRune(want, utf8.RuneError):
		t.Fatalf("%s is refused: %v", quoted, err)
	case err == nil && got != want:
		t.Fatalf("%s is %q, not %q", quoted, got, want)
	}
}
