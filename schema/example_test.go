package schema_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/schema"
)

type lampInput struct {
	Room  string `json:"room" description:"Room of the lamp."`
	Level int    `json:"level,omitempty" default:"100" min:"0" max:"100" description:"Brightness in percent."`
}

type lampOutput struct {
	Level int `json:"level" description:"Brightness now, in percent."`
}

func dim(_ context.Context, in lampInput) (lampOutput, error) {
	return lampOutput{Level: facade.Defaulted(in).Level}, nil
}

// Lint works on anybody's schema.
func ExampleLint() {
	raw := json.RawMessage(`{"type":"object","oneOf":[{"required":["room"]}],"properties":{"room":{"type":["string","null"]}}}`)
	for _, p := range []schema.Profile{schema.MCP, schema.OpenAI, schema.GeminiOpenAPI} {
		fmt.Println(p)
		for _, f := range schema.Lint(p, raw) {
			fmt.Println(" ", f)
		}
	}
	// Output:
	// mcp
	// openai
	//   the root: rejected: oneOf must not stand at the root
	// gemini-openapi
	//   the root: rejected: oneOf is not supported
	//   /oneOf/0: rejected: every value must have a type
	//   /properties/room: rejected: a list of types cannot be said; nullable adds null
}

// A tool of one's own says its descriptions in struct tags.
func ExampleRender() {
	lamps := facade.New("lamps", "Control the lamps.",
		facade.Bind("dim", facade.EffectWrite|facade.Idempotent, "Set the brightness of a lamp.", dim))
	def, err := schema.Render(lamps, schema.MCP)
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.ReplaceAll(string(def.Input), `},"`, "},\n\""))
	// Output:
	// {"type":"object","properties":{"action":{"type":"string","description":"dim: Set the brightness of a lamp.","enum":["dim"]},
	// "room":{"type":"string","description":"Room of the lamp."},
	// "level":{"type":"integer","description":"Brightness in percent.","default":100,"minimum":0,"maximum":100}},
	// "required":["action","room"],"additionalProperties":false}
}
