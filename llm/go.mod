module github.com/toolfacade/toolfacade/llm

go 1.26.5

require (
	github.com/google/go-cmp v0.7.0
	github.com/openai/openai-go/v3 v3.96.0
	github.com/spf13/afero v1.15.0
	github.com/toolfacade/toolfacade v0.0.0
	go.uber.org/goleak v1.3.0
	golang.org/x/image v0.47.0
)

require (
	github.com/bmatcuk/doublestar/v4 v4.10.4 // indirect
	github.com/coder/websocket v1.8.15 // indirect
	github.com/emersion/go-message v0.18.2 // indirect
	github.com/gabriel-vasile/mimetype v1.4.16 // indirect
	github.com/tidwall/gjson v1.20.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
	github.com/yuin/goldmark v1.8.7 // indirect
	golang.org/x/net v0.60.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace github.com/toolfacade/toolfacade => ..
