package langchainhost_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	langchainhost "github.com/toolfacade/toolfacade/host/langchaingo"
	"github.com/toolfacade/toolfacade/internal/hosttest"
	"github.com/toolfacade/toolfacade/schema"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start")) // of a dependency, started on import
}

// model returns LangChain's own client of the chat protocol.
func model(url string) (*openai.LLM, func(), error) {
	transport := &http.Transport{}
	m, err := openai.New(openai.WithBaseURL(url), openai.WithToken("none"), openai.WithModel("scripted"),
		openai.WithHTTPClient(&http.Client{Transport: transport}))
	return m, transport.CloseIdleConnections, err
}

func generate(ctx context.Context, url string, set *facade.Set) (string, error) {
	definitions, err := langchainhost.Definitions(set)
	if err != nil {
		return "", err
	}
	m, done, err := model(url)
	if err != nil {
		return "", err
	}
	defer done()
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, "go")}
	for {
		response, err := m.GenerateContent(ctx, messages, llms.WithTools(definitions))
		if err != nil {
			return "", err
		}
		choice := response.Choices[0]
		if len(choice.ToolCalls) == 0 {
			return choice.Content, nil
		}
		answer := llms.MessageContent{Role: llms.ChatMessageTypeAI}
		var results []llms.MessageContent
		for _, call := range choice.ToolCalls {
			answer.Parts = append(answer.Parts, call)
			result, err := langchainhost.Result(ctx, set, call)
			if err != nil {
				return "", err
			}
			results = append(results, result)
		}
		messages = append(append(messages, answer), results...)
	}
}

func TestGenerateContent(t *testing.T) {
	hosttest.Run(t, hosttest.Host{
		Via: "llms", Profile: schema.OpenAI, Play: hosttest.Served(hosttest.Chat{}, generate),
		Ordered: true, Text: true, Unknown: true,
	})
}

// inText is the chat protocol as the agent makes its model use it: every
// function has one argument, a text.
type inText struct{ hosttest.Chat }

// Reply implements [hosttest.Wire].
func (w inText) Reply(calls []hosttest.Call, text string) any {
	wrapped := make([]hosttest.Call, len(calls))
	for i, c := range calls {
		args, _ := json.Marshal(map[string]string{"__arg1": c.Args})
		wrapped[i] = hosttest.Call{ID: c.ID, Tool: c.Tool, Args: string(args)}
	}
	return w.Chat.Reply(wrapped, text)
}

func agent(ctx context.Context, url string, set *facade.Set) (string, error) {
	tools, err := langchainhost.Tools(set)
	if err != nil {
		return "", err
	}
	m, done, err := model(url)
	if err != nil {
		return "", err
	}
	defer done()
	return chains.Run(ctx, agents.NewExecutor(agents.NewOpenAIFunctionsAgent(m, tools)), "go")
}

func TestAgent(t *testing.T) {
	hosttest.Run(t, hosttest.Host{
		Via: "agent", Profile: schema.OpenAI, Play: hosttest.Served(inText{}, agent),
		NoSchema: true, Text: true, Unknown: true,
		Single: true, // the agent turns the calls of one reply into a message each
	})
}
