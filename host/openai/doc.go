// Package openaihost offers the tools of a [facade.Set] to models of OpenAI, by
// the official SDK: [ChatTools] and [ChatResult] for the Chat Completions API,
// [ResponseTools] and [ResponseResult] for the Responses API.
//
//	tools, err := openaihost.ChatTools(set)
//	…
//	for _, call := range completion.Choices[0].Message.ToolCalls {
//		message, err := openaihost.ChatResult(ctx, set, call)
//		…
//		params.Messages = append(params.Messages, message)
//	}
//
// Neither API has a mark for a failure: the text says so. An error is returned
// only when the context ended. Results of chat completions are text, those of
// the Responses API may carry images too. The schemas are for strict=false;
// schema.OpenAIStrict has the others. Package host says what a session is.
package openaihost
