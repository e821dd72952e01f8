// Package langchainhost offers the tools of a [facade.Set] to LangChain Go: to
// models by [Definitions] and [Result], and to agents by [Tools].
//
//	definitions, err := langchainhost.Definitions(set)
//	…
//	response, err := model.GenerateContent(ctx, messages, llms.WithTools(definitions))
//	for _, call := range response.Choices[0].ToolCalls {
//		message, err := langchainhost.Result(ctx, set, call)
//		…
//		messages = append(messages, message)
//	}
//
// An agent hands a tool one text and shows the model no schema of it: the
// description has the schema, and the text is the JSON object. Results are
// text, which says so on failure; an error, which stops an agent, is returned
// only when the context ended. Package host says what a session is.
package langchainhost
