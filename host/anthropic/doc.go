// Package anthropichost offers the tools of a [facade.Set] to the tool runner
// of the official Anthropic SDK:
//
//	tools, err := anthropichost.Tools(set)
//	…
//	runner := client.Beta.Messages.NewToolRunner(tools, params)
//	message, err := runner.RunToCompletion(ctx)
//
// A failure comes back as a block with is_error; the runner starts its text
// with "Error: ". It makes the calls of one message side by side, which every
// tool of a set bears. Results carry images. The schemas are for tools that are
// not strict. Package host says what a session is.
package anthropichost
