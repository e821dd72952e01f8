// Package genkithost offers the tools of a [facade.Set] to Genkit:
//
//	tools, err := genkithost.Register(g, set)
//	…
//	response, err := genkit.Generate(ctx, g, ai.WithPrompt("…"), ai.WithTools(tools...))
//
// A failure is the output {"error": text}, success {"output": text}, as Gemini
// models know it; an error, which ends a run, is returned only when the context
// ended. For the same reason Genkit does not check arguments against the
// schema: the tools do, and what they find wrong the model reads. Results carry
// images. The schemas are in the dialect that Genkit's converters take, and
// Genkit sorts their parameters by name. Package host says what a session is.
package genkithost
