package genaihost_test

import (
	"context"
	"testing"

	"go.uber.org/goleak"
	"google.golang.org/genai"

	"github.com/toolfacade/toolfacade/facade"
	genaihost "github.com/toolfacade/toolfacade/host/genai"
	"github.com/toolfacade/toolfacade/internal/hosttest"
	"github.com/toolfacade/toolfacade/schema"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start"), // of the SDK, started on import
		goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop"),            // idle connections of the SDK's default client
		goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"))
}

func run(ctx context.Context, url string, set *facade.Set) (string, error) {
	tool, err := genaihost.Tools(set)
	if err != nil {
		return "", err
	}
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		APIKey: "none", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: url},
	})
	if err != nil {
		return "", err
	}
	chat, err := client.Chats.Create(ctx, "scripted", &genai.GenerateContentConfig{Tools: []*genai.Tool{tool}}, nil)
	if err != nil {
		return "", err
	}
	parts := []genai.Part{{Text: "go"}}
	for {
		response, err := chat.SendMessage(ctx, parts...)
		if err != nil {
			return "", err
		}
		calls := response.FunctionCalls()
		if len(calls) == 0 {
			return response.Text(), nil
		}
		parts = nil
		for _, call := range calls {
			part, err := genaihost.Result(ctx, set, call)
			if err != nil {
				return "", err
			}
			parts = append(parts, *part)
		}
	}
}

func TestChats(t *testing.T) {
	hosttest.Run(t, hosttest.Host{
		Via: "chats", Profile: schema.Gemini, Play: hosttest.Served(hosttest.Gemini{}, run),
		Marks: true, Images: true, Ordered: true, Unknown: true,
	})
}
