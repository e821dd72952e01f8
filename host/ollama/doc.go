// Package ollamahost offers the tools of a [facade.Set] to models that Ollama
// serves, by its own client:
//
//	tools, err := ollamahost.Tools(set)
//	…
//	for _, call := range message.ToolCalls {
//		result, err := ollamahost.Result(ctx, set, call)
//		…
//		messages = append(messages, result)
//	}
//
// There is no mark for a failure: the text says so. An error is returned only
// when the context ended. Results carry images. Ollama's types keep only types,
// enums and descriptions, so the rest is in the descriptions. Package host says
// what a session is.
package ollamahost
