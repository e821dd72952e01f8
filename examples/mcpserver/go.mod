module github.com/toolfacade/toolfacade/examples/mcpserver

go 1.26.5

require (
	github.com/modelcontextprotocol/go-sdk v1.8.0
	github.com/toolfacade/toolfacade v0.0.0
	github.com/toolfacade/toolfacade/host/mcp v0.0.0
	go.uber.org/goleak v1.3.0
)

replace (
	github.com/toolfacade/toolfacade => ../..
	github.com/toolfacade/toolfacade/host/mcp => ../../host/mcp
)
