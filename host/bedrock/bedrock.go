package bedrockhost

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/host"
	"github.com/toolfacade/toolfacade/schema"
)

// Tools specifies the tools of set for Converse.
func Tools(set *facade.Set) ([]types.Tool, error) {
	return host.Each(set, schema.Bedrock, func(t host.Tool) (types.Tool, error) {
		input, err := t.Map()
		return &types.ToolMemberToolSpec{Value: types.ToolSpecification{
			Name: &t.Name, Description: &t.Description,
			InputSchema: &types.ToolInputSchemaMemberJson{Value: document.NewLazyDocument(input)},
		}}, err
	})
}

// Result serves one use of a tool and returns the block that answers it. The
// error is the context's, when that ended the call.
func Result(ctx context.Context, set *facade.Set, use types.ToolUseBlock) (types.ContentBlock, error) {
	args, err := use.Input.MarshalSmithyDocument()
	if err != nil {
		return nil, err
	}
	reply, err := host.Dispatch(ctx, set, host.Call{ID: aws.ToString(use.ToolUseId), Name: aws.ToString(use.Name), Args: args}, host.Images)
	block := types.ToolResultBlock{ToolUseId: use.ToolUseId, Status: types.ToolResultStatusSuccess}
	if reply.Failed {
		block.Status = types.ToolResultStatusError
	}
	block.Content = []types.ToolResultContentBlock{&types.ToolResultContentBlockMemberText{Value: reply.Text}}
	for _, i := range reply.Images {
		image := types.ImageBlock{Format: types.ImageFormat(i.Format()), Source: &types.ImageSourceMemberBytes{Value: i.Data}}
		block.Content = append(block.Content, &types.ToolResultContentBlockMemberImage{Value: image})
	}
	return &types.ContentBlockMemberToolResult{Value: block}, err
}
