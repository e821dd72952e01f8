package ollamahost_test

import (
	"context"
	"net/http"
	"net/url"
	"testing"

	"github.com/ollama/ollama/api"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	ollamahost "github.com/toolfacade/toolfacade/host/ollama"
	"github.com/toolfacade/toolfacade/internal/hosttest"
	"github.com/toolfacade/toolfacade/schema"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func run(ctx context.Context, address string, set *facade.Set) (string, error) {
	tools, err := ollamahost.Tools(set)
	if err != nil {
		return "", err
	}
	base, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := api.NewClient(base, &http.Client{Transport: transport})
	messages := []api.Message{{Role: "user", Content: "go"}}
	for {
		var answer api.Message
		request := &api.ChatRequest{Model: "scripted", Messages: messages, Tools: tools}
		err := client.Chat(ctx, request, func(r api.ChatResponse) error {
			answer = r.Message
			return nil
		})
		if err != nil || len(answer.ToolCalls) == 0 {
			return answer.Content, err
		}
		messages = append(messages, answer)
		for _, call := range answer.ToolCalls {
			result, err := ollamahost.Result(ctx, set, call)
			if err != nil {
				return "", err
			}
			messages = append(messages, result)
		}
	}
}

func TestChat(t *testing.T) {
	hosttest.Run(t, hosttest.Host{
		Via: "chat", Profile: schema.Ollama, Play: hosttest.Served(hosttest.Ollama{}, run),
		Images: true, Ordered: true, Unknown: true,
	})
}
