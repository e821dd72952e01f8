package facade_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

// TestMalformedCalls holds the exact words for every kind of mistake: they are
// what a model has to go by.
func TestMalformedCalls(t *testing.T) {
	tools := map[string]*facade.Tool{"project": projectTool(&projects{}), "sample": sampleTool(), "filesystem": files()}
	var b strings.Builder
	for _, c := range malformed {
		tool := tools[c.tool]
		r := call(t, tool, c.args)
		if r.OK() || r.Data != nil {
			t.Errorf("%s: the call was served: %s", c.what, r.Text)
			continue
		}
		if c.code == "" {
			c.code = facade.CodeInvalidArgument
		}
		if r.Error.Code != c.code || r.Error.Code.HTTPStatus() != 400 {
			t.Errorf("%s: code %s, want %s", c.what, r.Error.Code, c.code)
		}
		if r.Error.Tool != c.tool {
			t.Errorf("%s: tool %q", c.what, r.Error.Tool)
		}
		fmt.Fprintf(&b, "== %s\n%s <- %s\nfield: %s\n%s\n\n", c.what, c.tool, shown(c.args), r.Error.Field, r.FullText())
	}
	golden(t, "malformed.txt", b.String())
	if len(malformed) < 45 {
		t.Errorf("only %d cases", len(malformed))
	}
}

// shown makes arguments readable in a golden file.
func shown(args string) string {
	const most = 200
	if q := fmt.Sprintf("%q", args); strings.ContainsRune(q, 'x') && strings.Contains(q, `\x`) {
		return q
	}
	if len(args) > most {
		return fmt.Sprintf("%s… (%d bytes)", args[:most], len(args))
	}
	return args
}

var malformed = []struct {
	what, tool, args string
	code             facade.Code
}{
	{"unknown action", "project", `{"action":"foo"}`, facade.CodeUnknownAction},
	{"unknown action with a near name", "project", `{"action":"lst"}`, facade.CodeUnknownAction},
	{"action in another case", "project", `{"action":"LIST"}`, facade.CodeUnknownAction},
	{"empty action", "project", `{"action":""}`, facade.CodeUnknownAction},
	{"long action", "project", `{"action":"` + strings.Repeat("listing ", 40) + `"}`, facade.CodeUnknownAction},
	{"action with a line in it", "project", `{"action":"list\nerror: none"}`, facade.CodeUnknownAction},
	{"missing action", "project", `{"name":"a"}`, ""},
	{"null action", "project", `{"action":null}`, ""},
	{"action of a wrong type", "project", `{"action":1}`, ""},
	{"action as a list", "project", `{"action":["list"]}`, ""},
	{"action given twice", "project", `{"action":"list","action":"delete"}`, ""},
	{"action given twice, once with an escape", "project", `{"action":"list","\u0061ction":"delete"}`, ""},
	{"action with half a character", "project", `{"action":"\ud800"}`, ""},
	{"action spelt Action", "project", `{"Action":"list"}`, ""},

	{"no arguments", "project", ``, ""},
	{"blank arguments", "project", " \n", ""},
	{"null arguments", "project", `null`, ""},
	{"arguments as an array", "project", `[{"action":"list"}]`, ""},
	{"arguments as a string", "project", `"list"`, ""},
	{"arguments as a number", "project", `7`, ""},
	{"unfinished object", "project", `{"action":"list"`, ""},
	{"garbage behind the object", "project", `{"action":"list"} thanks`, ""},
	{"second object behind the first", "project", `{"action":"list"}{"action":"delete"}`, ""},
	{"single quotes", "project", `{'action':'list'}`, ""},
	{"trailing comma", "project", `{"action":"list",}`, ""},
	{"not a number", "sample", `{"action":"echo","ratio":NaN}`, ""},
	{"byte order mark", "project", "\ufeff" + `{"action":"list"}`, ""},
	{"invalid UTF-8", "sample", "{\"action\":\"echo\",\"text\":\"caf\xe9\"}", ""},
	{"nesting without end", "sample", `{"action":"echo","raw":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, ""},

	{"field of another action", "filesystem", `{"action":"read","path":"a","recursive":true}`, ""},
	{"field of another action, of an action without fields", "sample", `{"action":"rest","target":"a"}`, ""},
	{"field of another action, near one of this", "filesystem", `{"action":"delete","path":"a"}`, ""},
	{"unknown field", "filesystem", `{"action":"read","path":"a","colour":"red"}`, ""},
	{"unknown field with a near name", "filesystem", `{"action":"read","file_path":"a"}`, ""},
	{"misspelt field", "filesystem", `{"action":"write","path":"a","contnet":"x"}`, ""},
	{"field in another case", "filesystem", `{"action":"read","PATH":"a"}`, ""},
	{"field in camel case", "filesystem", `{"action":"read","path":"a","startLine":1}`, ""},
	{"long field name", "sample", `{"action":"echo","` + strings.Repeat("x", 1000) + `":1}`, ""},
	{"field name with a line in it", "sample", `{"action":"echo","a\nb":1}`, ""},
	{"empty field name", "sample", `{"action":"echo","":1}`, ""},
	{"field name with half a character", "sample", `{"action":"echo","te\udc00xt":1}`, ""},
	{"field given twice", "filesystem", `{"action":"read","path":"a","path":"b"}`, ""},
	{"field given twice, once with an escape", "filesystem", `{"action":"read","path":"a","p\u0061th":"b"}`, ""},
	{"field given twice, once null", "filesystem", `{"action":"read","path":"a","path":null}`, ""},

	{"missing field", "project", `{"action":"create"}`, ""},
	{"null for a required field", "project", `{"action":"create","name":null}`, ""},
	{"missing one of two", "filesystem", `{"action":"read"}`, ""},
	{"both of two", "filesystem", `{"action":"read","path":"a","paths":["b"]}`, ""},
	{"missing pointer field", "filesystem", `{"action":"modify","path":"a","start_offset_inclusive":0,"new_content":""}`, ""},

	{"number for text", "sample", `{"action":"echo","text":10}`, ""},
	{"boolean for text", "sample", `{"action":"echo","text":true}`, ""},
	{"object for text", "sample", `{"action":"echo","text":{"a":1}}`, ""},
	{"list for text", "sample", `{"action":"echo","text":["a"]}`, ""},
	{"half a surrogate pair", "sample", `{"action":"echo","text":"a\ud83dz"}`, ""},
	{"text for a boolean", "sample", `{"action":"echo","flag":"yes"}`, ""},
	{"number for a boolean", "sample", `{"action":"echo","flag":1}`, ""},
	{"boolean in another case", "sample", `{"action":"echo","flag":"True"}`, ""},
	{"text for an integer", "sample", `{"action":"echo","int":"ten"}`, ""},
	{"empty text for an integer", "sample", `{"action":"echo","int":""}`, ""},
	{"fraction for an integer", "sample", `{"action":"echo","int":1.5}`, ""},
	{"hexadecimal integer", "sample", `{"action":"echo","int":"0x10"}`, ""},
	{"signed integer", "sample", `{"action":"echo","int":"+3"}`, ""},
	{"integer beyond 64 bits", "sample", `{"action":"echo","big":9223372036854775808}`, ""},
	{"huge exponent", "sample", `{"action":"echo","int":1e400}`, ""},
	{"integer beyond its field", "sample", `{"action":"echo","small":128}`, ""},
	{"integer below its range", "sample", `{"action":"echo","int":0}`, ""},
	{"integer above its range", "sample", `{"action":"echo","int":10000001}`, ""},
	{"integer in quotes above its range", "sample", `{"action":"echo","int":"10000001"}`, ""},
	{"number above its range", "sample", `{"action":"echo","ratio":1.01}`, ""},
	{"number beyond any range", "sample", `{"action":"echo","ratio":1e999}`, ""},
	{"infinity in quotes", "sample", `{"action":"echo","ratio":"Inf"}`, ""},
	{"value outside an enum", "sample", `{"action":"echo","sort":"colour"}`, ""},
	{"value of an enum in another case", "sample", `{"action":"echo","sort":"Name"}`, ""},
	{"element outside an enum", "sample", `{"action":"echo","kinds":["fish","dog"]}`, ""},

	{"number for a list", "sample", `{"action":"echo","names":3}`, ""},
	{"empty list", "sample", `{"action":"echo","names":[]}`, ""},
	{"null in a list", "sample", `{"action":"echo","names":["a",null]}`, ""},
	{"number in a list of texts", "sample", `{"action":"echo","names":["a",1]}`, ""},
	{"text in a list of integers", "sample", `{"action":"echo","counts":[1,"two"]}`, ""},
	{"text for a list of integers", "sample", `{"action":"echo","counts":"1,2"}`, ""},
	{"text for an object", "sample", `{"action":"echo","part":"a"}`, ""},
	{"missing field in an object", "sample", `{"action":"echo","part":{"line":1}}`, ""},
	{"unknown field in an object in a list", "sample", `{"action":"echo","parts":[{"path":"a"},{"path":"b","new":"x"}]}`, ""},
	{"misspelt field in an object in a list", "sample", `{"action":"echo","parts":[{"path":"a","lines":2}]}`, ""},
	{"field given twice in an object in a list", "sample", `{"action":"echo","parts":[{"path":"a","path":"b"}]}`, ""},
	{"wrong type in an object in a list", "sample", `{"action":"echo","parts":[{"path":"a","line":"z"}]}`, ""},
	{"out of range in an object in a list", "sample", `{"action":"echo","parts":[{"path":"a","line":0}]}`, ""},
	{"text in a list of objects", "sample", `{"action":"echo","parts":["a"]}`, ""},
	{"list for a map", "sample", `{"action":"echo","env":["A=1"]}`, ""},
	{"number in a map of texts", "sample", `{"action":"echo","env":{"A":1}}`, ""},
	{"null in a map of texts", "sample", `{"action":"echo","env":{"A":null}}`, ""},
	{"name given twice in a map", "sample", `{"action":"echo","env":{"A":"1","A":"2"}}`, ""},
	{"name given twice deep inside", "sample", `{"action":"echo","meta":{"a":[{"b":1,"\u0062":2}]}}`, ""},
	{"half a character deep inside", "sample", `{"action":"echo","meta":{"a":["\udfff"]}}`, ""},
	{"half a character in raw JSON", "sample", `{"action":"echo","raw":{"\ud800":1}}`, ""},

	{"several problems", "sample", `{"action":"echo","int":0,"flag":"no","colour":1,"parts":[{}]}`, ""},
	{"too many problems to tell", "sample", `{"action":"echo","counts":[` + strings.Repeat(`"x",`, 30) + `"x"]}`, ""},
	{"contradiction", "filesystem", `{"action":"write","path":"a","content":"","append":true,"create_only":true}`, ""},
	{"range in the wrong order", "filesystem", `{"action":"read","path":"a","start_line":9,"end_line":3}`, ""},
	{"two ways to count", "filesystem", `{"action":"read","path":"a","start_line":9,"offset_type":"byte"}`, ""},
	{"empty old text", "filesystem", `{"action":"replace","path":"a","old_content":"","new_content":"b"}`, ""},
	{"old text equal to new", "filesystem", `{"action":"replace","path":"a","old_content":"b","new_content":"b"}`, ""},
}
