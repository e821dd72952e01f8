// Package genaihost offers the tools of a [facade.Set] to Gemini models, by the
// official Gen AI SDK:
//
//	tool, err := genaihost.Tools(set)
//	…
//	chat, err := client.Chats.Create(ctx, model, &genai.GenerateContentConfig{Tools: []*genai.Tool{tool}}, nil)
//	…
//	for _, call := range response.FunctionCalls() {
//		part, err := genaihost.Result(ctx, set, call)
//		…
//		parts = append(parts, *part)
//	}
//
// A failure comes back under the key "error", anything else under "output".
// An error is returned only when the context ended. Results carry images.
// Package host says what a session is.
package genaihost
