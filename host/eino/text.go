package einohost

import (
	"context"
	"encoding/json"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/host"
	dialect "github.com/toolfacade/toolfacade/schema"
)

// Tools returns the tools of set, answering in text.
func Tools(set *facade.Set) ([]tool.BaseTool, error) {
	return host.Each(set, dialect.OpenAI, func(t host.Tool) (tool.BaseTool, error) { return described(t) })
}

// textual is a tool of a set that answers in text.
type textual struct {
	host.Tool
	info *schema.ToolInfo
}

func described(t host.Tool) (textual, error) {
	var input jsonschema.Schema
	err := json.Unmarshal(t.Input, &input)
	return textual{t, &schema.ToolInfo{Name: t.Name, Desc: t.Description, ParamsOneOf: schema.NewParamsOneOfByJSONSchema(&input)}}, err
}

// Info implements [tool.BaseTool].
func (t textual) Info(context.Context) (*schema.ToolInfo, error) { return t.info, nil }

// InvokableRun implements [tool.InvokableTool].
func (t textual) InvokableRun(ctx context.Context, args string, _ ...tool.Option) (string, error) {
	reply, err := t.Call(ctx, host.Call{Args: json.RawMessage(args)}, host.TextOnly)
	return reply.Text, err
}
