package einohost

import (
	"context"
	"encoding/json"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/host"
	dialect "github.com/toolfacade/toolfacade/schema"
)

// VisualTools returns the tools of set, answering in parts.
func VisualTools(set *facade.Set) ([]tool.BaseTool, error) {
	return host.Each(set, dialect.OpenAI, func(t host.Tool) (tool.BaseTool, error) {
		d, err := described(t)
		return visual(d), err
	})
}

// visual is a tool of a set that answers in parts.
type visual textual

// Info implements [tool.BaseTool].
func (t visual) Info(context.Context) (*schema.ToolInfo, error) { return t.info, nil }

// InvokableRun implements [tool.EnhancedInvokableTool].
func (t visual) InvokableRun(ctx context.Context, args *schema.ToolArgument, _ ...tool.Option) (*schema.ToolResult, error) {
	reply, err := t.Call(ctx, host.Call{Args: json.RawMessage(args.Text)}, host.Images)
	parts := []schema.ToolOutputPart{{Type: schema.ToolPartTypeText, Text: reply.Text}}
	for _, i := range reply.Images {
		data := i.Base64()
		image := schema.ToolOutputImage{MessagePartCommon: schema.MessagePartCommon{Base64Data: &data, MIMEType: i.MIME}}
		parts = append(parts, schema.ToolOutputPart{Type: schema.ToolPartTypeImage, Image: &image})
	}
	return &schema.ToolResult{Parts: parts}, err
}
