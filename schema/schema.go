package schema

import (
	"encoding/json"
	"fmt"

	"github.com/toolfacade/toolfacade/facade"
)

// Def is a tool as a host registers it. The schemas keep their order, "action"
// first; a host that goes through map[string]any loses it, which is harmless
// but reads worse.
type Def struct {
	// Name and Description are the tool's.
	Name, Description string
	// Input is the schema of the arguments. Its root is an object. It is nil
	// only for a tool without parameters in [GeminiOpenAPI].
	Input json.RawMessage
	// Output is the schema of [facade.Result.JSON], on success and on failure;
	// nil in profiles whose receivers take none.
	Output json.RawMessage

	// ReadOnly says that no action does more than observe.
	ReadOnly bool
	// Destructive says that some action may destroy what it does not show.
	Destructive bool
	// Idempotent says that repeating any call changes nothing more.
	Idempotent bool
	// OpenWorld says that some action reaches the network.
	OpenWorld bool
	// Strict says that Input is meant for the receiver's strict mode.
	Strict bool
}

// Render returns the definition of t in a profile's dialect. The effects are
// those declared in [facade.Bind]: what an [facade.Effector] makes of the
// arguments of one call is not known here.
//
// It fails on an unknown profile, on a type that contains itself or that JSON
// cannot hold, and on
// what a profile cannot say: see [OpenAIStrict], [AnthropicStrict] and
// [GeminiOpenAPI], which have no values of any type.
func Render(t *facade.Tool, p Profile) (Def, error) {
	d, known := p.dialect()
	if !known {
		return Def{}, fmt.Errorf("schema: unknown profile %q", string(p))
	}
	def := annotated(t)
	def.Strict = d.strict
	in, err := input(t)
	if err == nil && d.input != nil {
		err = d.input(in)
	}
	if err == nil && (len(in.Properties) > 0 || !d.noEmpty) {
		def.Input, err = encode(in)
	}
	if err == nil && d.output {
		def.Output, err = renderOutput(t)
	}
	if err != nil {
		return Def{}, fmt.Errorf("schema: tool %q: %w", t.Name(), err)
	}
	return def, nil
}

// annotated returns the definition of t without schemas.
func annotated(t *facade.Tool) Def {
	def := Def{Name: t.Name(), Description: t.Doc(), ReadOnly: true, Idempotent: true}
	for _, a := range t.Actions() {
		def.ReadOnly = def.ReadOnly && a.Effect.ReadOnly()
		def.Idempotent = def.Idempotent && a.Effect.Has(facade.Idempotent)
		def.Destructive = def.Destructive || a.Effect.Has(facade.EffectDestructive)
		def.OpenWorld = def.OpenWorld || a.Effect.Has(facade.EffectNetwork)
	}
	return def
}

func renderOutput(t *facade.Tool) (json.RawMessage, error) {
	out, err := output(t)
	if err != nil {
		return nil, err
	}
	return encode(out)
}
