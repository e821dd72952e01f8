package facade_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

// paging is embedded by inputs that page.
type paging struct {
	Limit  int    `json:"limit,omitempty" default:"10" min:"1"`
	Cursor string `json:"cursor,omitempty"`
}

type deep struct {
	paging
	Untagged string
	Hidden   string               `json:"-"`
	When     time.Time            `json:"when,omitzero"`
	Until    *time.Time           `json:"until,omitempty"`
	Wait     time.Duration        `json:"wait,omitempty"`
	Tiny     int16                `json:"tiny,omitempty"`
	Half     float32              `json:"half,omitempty"`
	Count    uint                 `json:"count,omitempty"`
	Any      any                  `json:"any,omitempty"`
	Lists    [][]string           `json:"lists,omitempty"`
	Pointers []*samplePart        `json:"pointers,omitempty"`
	ByName   map[string]paging    `json:"by_name,omitempty"`
	Groups   map[string][]float64 `json:"groups,omitempty"`
	private  int
}

func deepTool(got *deep) *facade.Tool {
	return facade.New("deep", "", facade.Bind("set", facade.EffectRead, "", func(_ ctxt, in deep) (nothing, error) {
		*got = facade.Defaulted(in)
		return nothing{}, nil
	}))
}

// TestFieldsAreThoseOfEncodingJSON names the parameters of a struct of many
// kinds.
func TestFieldsAreThoseOfEncodingJSON(t *testing.T) {
	var got []string
	for _, f := range facade.Fields(reflect.TypeFor[deep]()) {
		line := fmt.Sprintf("%s %v", f.Name, f.Type)
		if f.Required {
			line += " required"
		}
		if f.Default != "" {
			line += " =" + f.Default
		}
		got = append(got, line+" in "+f.GoStruct.Name()+"."+f.GoName)
	}
	want := []string{
		"limit int =10 in paging.Limit", "cursor string in paging.Cursor", "Untagged string required in deep.Untagged",
		"when time.Time in deep.When", "until time.Time in deep.Until", "wait time.Duration in deep.Wait",
		"tiny int16 in deep.Tiny", "half float32 in deep.Half", "count uint in deep.Count", "any interface {} in deep.Any",
		"lists [][]string in deep.Lists", "pointers []*facade_test.samplePart in deep.Pointers",
		"by_name map[string]facade_test.paging in deep.ByName", "groups map[string][]float64 in deep.Groups",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeEveryKind(t *testing.T) {
	const args = `{"Untagged":"u","limit":3,"when":"2026-01-02T03:04:05Z","until":"2027-01-01T00:00:00Z","wait":1000,` +
		`"tiny":-5,"half":0.5,"count":7,"any":{"a":[1]},"lists":[["a"],[]],"pointers":[{"path":"p"}],` +
		`"by_name":{"x":{"limit":2}},"groups":{"g":[1,2.5]}}`
	var got, want deep
	if r := call(t, deepTool(&got), `{"action":"set",`+args[1:]); !r.OK() || r.Notes != nil {
		t.Fatal(r.FullText())
	}
	if err := json.Unmarshal([]byte(args), &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(want, got) {
		t.Errorf("encoding/json reads\n%+v, the decoder\n%+v", want, got)
	}
	if r := call(t, deepTool(&got), `{"action":"set","Untagged":""}`); !r.OK() || got.Limit != 10 {
		t.Errorf("the default of an embedded field is %d", got.Limit)
	}
}

func TestDecodeEveryKindRefuses(t *testing.T) {
	for args, want := range map[string]string{
		`"when":"today"`:                       `field 'when' must be a time.Time, got string "today"`,
		`"count":-1`:                           `field 'count' must be a uint, got number -1`,
		`"tiny":40000`:                         `field 'tiny' is beyond the range of such numbers, got number 40000`,
		`"half":1e300`:                         `field 'half' is beyond the range of such numbers, got number 1e300`,
		`"limit":0`:                            `field 'limit' must be at least 1, got 0`,
		`"lists":[["a",1]]`:                    `field 'lists[0][1]' must be a string, got number 1`,
		`"pointers":[{}]`:                      `field 'pointers[0].path' is required for action 'set'`,
		`"pointers":[null]`:                    `field 'pointers[0]' must not be null`,
		`"by_name":{"x":{"limt":2}}`:           `unknown field 'by_name.x.limt' for action 'set'`,
		`"by_name":{"x":{"limit":2},"x":{}}`:   `field 'by_name.x' is given twice`,
		`"groups":{"g":[1,"2,5"]}`:             `field 'groups.g[1]' must be a number, got string "2,5"`,
		`"any":{"a":{"b":1,"b":1}}`:            `field 'any.a.b' is given twice`,
		`"private":1`:                          `unknown field 'private' for action 'set'`,
		`"Hidden":"x"`:                         `unknown field 'Hidden' for action 'set'`,
		`"paging":{}`:                          `unknown field 'paging' for action 'set'`,
		`"untagged":"x"`:                       `unknown field 'untagged' for action 'set'`,
		`"groups":{"` + "\\ud800" + `":[1.5]}`: `a name in field 'groups' has half of a surrogate pair (\uD800 to \uDFFF), which is no character`,
	} {
		r := call(t, deepTool(&deep{private: 1}), `{"action":"set","Untagged":"",`+args+`}`)
		if r.OK() || r.Error.Message != want {
			t.Errorf("%s: %s", args, r.Text)
		}
	}
}

// bind binds an action whose input is In.
func bind[In any](name string) facade.Action {
	return facade.Bind(name, facade.EffectRead, "", func(ctxt, In) (nothing, error) { return nothing{}, nil })
}

type loop struct {
	Inner []loop `json:"inner,omitempty"`
}

// TestProgrammingErrorsPanic holds what cannot be built, and the words for it.
func TestProgrammingErrorsPanic(t *testing.T) {
	type badDefault struct {
		N int `json:"n,omitempty" default:"many"`
	}
	type badMin struct {
		N int `json:"n,omitempty" min:"low"`
	}
	type alwaysTrue struct {
		B bool `json:"b,omitempty" default:"true"`
	}
	type defaultOfList struct {
		L []string `json:"l,omitempty" default:"a"`
	}
	type twice struct {
		paging
		Limit int `json:"limit"`
	}
	type numberedMap struct {
		M map[int]string `json:"m"`
	}
	type action struct {
		A string `json:"action"`
	}
	type text struct {
		X string `json:"x"`
	}
	type number struct {
		X int `json:"x"`
	}
	for want, build := range map[string]func(){
		`facade_test.badDefault.N: tag default: strconv.ParseInt: parsing "many": invalid syntax`:              func() { bind[badDefault]("a") },
		`field N: tag min: strconv.ParseFloat: parsing "low": invalid syntax`:                                  func() { bind[badMin]("a") },
		`facade_test.alwaysTrue.B: a boolean whose default is true must be a pointer, or false cannot be said`: func() { bind[alwaysTrue]("a") },
		`facade_test.defaultOfList.L: tag default: a slice has no default`:                                     func() { bind[defaultOfList]("a") },
		`facade_test.twice has two fields "limit"`:                                                             func() { bind[twice]("a") },
		`map[int]string: the keys of a map must be strings`:                                                    func() { bind[numberedMap]("a") },
		`facade_test.loop contains itself`:                                                                     func() { bind[loop]("a") },
		`string is not a struct`:                                                                               func() { bind[string]("a") },
		`tool "t": facade_test.action has a parameter named "action"`:                                          func() { facade.New("t", "", bind[action]("a")) },
		`tool "t": bad or doubled action name "a"`:                                                             func() { facade.New("t", "", bind[text]("a"), bind[text]("a")) },
		`tool "t": bad or doubled action name ""`:                                                              func() { facade.New("t", "", bind[text]("")) },
		`tool "t": parameter "x" is string in facade_test.text and int in facade_test.number`:                  func() { facade.New("t", "", bind[text]("a"), bind[number]("b")) },
		`two tools are named "t"`:                                                                              func() { facade.NewSet([]*facade.Tool{facade.New("t", ""), facade.New("t", "")}, nil) },
		`two tools are named "a_b_c"`: func() {
			facade.NewSet([]*facade.Tool{facade.New("a", "", bind[text]("b_c")), facade.New("a_b", "", bind[text]("c"))}, nil).View(facade.Granular)
		},
	} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.HasSuffix(fmt.Sprint(r), want) {
					t.Errorf("want a panic about %s, got %v", want, r)
				}
			}()
			build()
		}()
	}
}
