package einohost_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	einohost "github.com/toolfacade/toolfacade/host/eino"
	"github.com/toolfacade/toolfacade/internal/hosttest"
	dialect "github.com/toolfacade/toolfacade/schema"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// react runs Eino's agent with a model until that has the last word.
func reactWith(ctx context.Context, m model.ToolCallingChatModel, tools []tool.BaseTool) (string, error) {
	agent, err := react.NewAgent(ctx, &react.AgentConfig{ToolCallingModel: m, ToolsConfig: compose.ToolsNodeConfig{Tools: tools}})
	if err != nil {
		return "", err
	}
	answer, err := agent.Generate(ctx, []*schema.Message{schema.UserMessage("go")})
	if err != nil {
		return "", err
	}
	return answer.Content, nil
}

func text(ctx context.Context, url string, set *facade.Set) (string, error) {
	tools, err := einohost.Tools(set)
	if err != nil {
		return "", err
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	m, err := openai.NewChatModel(ctx, &openai.ChatModelConfig{
		BaseURL: url, APIKey: "none", Model: "scripted", Timeout: time.Minute, HTTPClient: &http.Client{Transport: transport},
	})
	if err != nil {
		return "", err
	}
	return reactWith(ctx, m, tools)
}

func TestReactAgent(t *testing.T) {
	hosttest.Run(t, hosttest.Host{
		Via: "react", Profile: dialect.OpenAI, Play: hosttest.Served(hosttest.Chat{}, text),
		Ordered: true, Text: true,
	})
}

func visual(ctx context.Context, url string, set *facade.Set) (string, error) {
	tools, err := einohost.VisualTools(set)
	if err != nil {
		return "", err
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	return reactWith(ctx, &responses{url: url, client: &http.Client{Transport: transport}}, tools)
}

func TestReactAgentThatSees(t *testing.T) {
	hosttest.Run(t, hosttest.Host{
		Via: "react-visual", Profile: dialect.OpenAI, Play: hosttest.Served(hosttest.Responses{}, visual),
		Images: true, Ordered: true, Text: true,
	})
}
