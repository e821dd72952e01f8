package anthropichost_test

import (
	"context"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	anthropichost "github.com/toolfacade/toolfacade/host/anthropic"
	"github.com/toolfacade/toolfacade/internal/hosttest"
	"github.com/toolfacade/toolfacade/schema"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop"), // idle connections of the SDK's default client
		goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"))
}

func run(ctx context.Context, url string, set *facade.Set) (string, error) {
	tools, err := anthropichost.Tools(set)
	if err != nil {
		return "", err
	}
	client := anthropic.NewClient(option.WithBaseURL(url), option.WithAPIKey("none"), option.WithMaxRetries(0))
	runner := client.Beta.Messages.NewToolRunner(tools, anthropic.BetaToolRunnerParams{BetaMessageNewParams: anthropic.BetaMessageNewParams{
		Model: "scripted", MaxTokens: 1000,
		Messages: []anthropic.BetaMessageParam{anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("go"))},
	}})
	message, err := runner.RunToCompletion(ctx)
	if err != nil {
		return "", err
	}
	return message.Content[0].Text, nil
}

func TestToolRunner(t *testing.T) {
	hosttest.Run(t, hosttest.Host{
		Via: "tool-runner", Profile: schema.Anthropic, Play: hosttest.Served(hosttest.Messages{}, run),
		Marks: true, Images: true, Ordered: true, Unknown: true,
	})
}
