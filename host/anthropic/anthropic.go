package anthropichost

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/anthropics/anthropic-sdk-go"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/host"
	"github.com/toolfacade/toolfacade/schema"
)

// Tools returns the tools of set for a tool runner.
func Tools(set *facade.Set) ([]anthropic.BetaTool, error) {
	return host.Each(set, schema.Anthropic, func(t host.Tool) (anthropic.BetaTool, error) {
		members, err := t.Members()
		input := anthropic.BetaToolInputSchemaParam{ExtraFields: members}
		return tool{t, input}, err
	})
}

// tool is a tool of a set as the runner calls it.
type tool struct {
	host.Tool
	input anthropic.BetaToolInputSchemaParam
}

// Name implements [anthropic.BetaTool].
func (t tool) Name() string { return t.Def.Name }

// Description implements [anthropic.BetaTool].
func (t tool) Description() string { return t.Def.Description }

// InputSchema implements [anthropic.BetaTool].
func (t tool) InputSchema() anthropic.BetaToolInputSchemaParam { return t.input }

// Execute implements [anthropic.BetaTool]. The runner marks what it returns as
// an error.
func (t tool) Execute(ctx context.Context, args json.RawMessage) ([]anthropic.BetaToolResultBlockParamContentUnion, error) {
	reply, err := t.Call(ctx, host.Call{Args: args}, host.Images)
	if err == nil && reply.Failed {
		err = errors.New(reply.Text)
	}
	blocks := []anthropic.BetaToolResultBlockParamContentUnion{{OfText: &anthropic.BetaTextBlockParam{Text: reply.Text}}}
	for _, i := range reply.Images {
		source := anthropic.BetaBase64ImageSourceParam{Data: i.Base64(), MediaType: anthropic.BetaBase64ImageSourceMediaType(i.MIME)}
		blocks = append(blocks, anthropic.BetaToolResultBlockParamContentUnion{
			OfImage: &anthropic.BetaImageBlockParam{Source: anthropic.BetaImageBlockParamSourceUnion{OfBase64: &source}},
		})
	}
	return blocks, err
}
