// Package einohost offers the tools of a [facade.Set] to Eino: its tools node,
// its agents, and whatever else takes a tool.
//
//	tools, err := einohost.Tools(set)
//	…
//	agent, err := react.NewAgent(ctx, &react.AgentConfig{
//		ToolCallingModel: model,
//		ToolsConfig:      compose.ToolsNodeConfig{Tools: tools},
//	})
//
// A failure is the text of a result, because an error would end the graph; one
// is returned only when the context ended. [Tools] answers in text, which every
// chat model takes. [VisualTools] answers in parts, images among them, for
// models whose component renders a tool message of parts. Package host says
// what a session is.
//
// Eino's own requirement of sonic does not compile with Go 1.26: require
// github.com/bytedance/sonic v1.15.5 or later beside it, as this module does.
package einohost
