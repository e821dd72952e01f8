// Package mcpgohost offers the tools of a [facade.Set] over the Model Context
// Protocol, by the community's SDK, mark3labs/mcp-go:
//
//	server := server.NewMCPServer("files", "1")
//	if err := mcpgohost.Register(server, set); err != nil { … }
//	err := server.ServeStdio(server)
//
// A failure is a result with isError set, with its text in it. A reply is the
// text and the images; the module host/mcp, on the official SDK, has structured
// content, progress and what else the protocol offers. The session of a call is
// the one the context names, else that of the client; package host says more.
package mcpgohost
