// Package bedrockhost offers the tools of a [facade.Set] to models on Amazon
// Bedrock, by the Converse API of the official SDK:
//
//	tools, err := bedrockhost.Tools(set)
//	…
//	input.ToolConfig = &types.ToolConfiguration{Tools: tools}
//	…
//	for _, block := range message.Content {
//		if use, ok := block.(*types.ContentBlockMemberToolUse); ok {
//			result, err := bedrockhost.Result(ctx, set, use.Value)
//			…
//			results = append(results, result)
//		}
//	}
//
// A failure has the status error, which Nova and Claude models know; the text
// says so for the others. An error is returned only when the context ended.
// Results carry images. The SDK sorts the parameters of a schema by name.
// Package host says what a session is.
package bedrockhost
