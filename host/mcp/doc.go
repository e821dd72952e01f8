// Package mcphost offers the tools of a [facade.Set] over the Model Context
// Protocol, by the official Go SDK:
//
//	server := mcp.NewServer(&mcp.Implementation{Name: "files", Version: "1"}, nil)
//	if err := mcphost.Register(server, set, nil); err != nil { … }
//	client := &mcphost.Stdio{Reader: os.Stdin, Writer: os.Stdout}
//	err := server.Run(client.Context(ctx), client)
//
// [HTTPHandler] serves the same over HTTP, to many clients, with bearer tokens.
//
// # What a reply carries
//
// A reply carries its payload once. The protocol has two places for it, text
// blocks and structured content, and the specification recommends filling
// both; a host that forwards both pays twice for every file it reads, and one
// line of JSON above 10 MiB breaks the stdio buffer of the official TypeScript
// client. [Options.Content] chooses the place:
//
//	Content            text block             structured content
//	ContentStructured  the headline           the output object
//	ContentText        all of the text        none
//
// Hosts differ in which of the two they show to a model. Choose ContentText
// for one that shows text blocks only, because it would show the headline
// alone. A client whose protocol version is older than 2025-06-18, the first
// with structured content, gets ContentText whatever the option says.
//
// Images and sounds are blocks of their own; any other attachment is an
// embedded resource named by its path.
//
// # Failures
//
// A failure of a tool, a bad argument and an unknown action included, is a
// result with IsError set: the model reads it and acts. Protocol errors are
// left for what the SDK itself rejects, as an unknown tool. A canceled request
// cancels the call's context.
//
// # Sessions
//
// Current directory, undo history and tasks belong to an MCP session. Its id
// is that of the transport, or a random one where the transport has none, as
// stdio. A stateless HTTP handler makes a new session for every request;
// [Options.Session] then tells who is calling.
package mcphost
