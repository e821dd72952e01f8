package openaihost_test

import (
	"context"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	openaihost "github.com/toolfacade/toolfacade/host/openai"
	"github.com/toolfacade/toolfacade/internal/hosttest"
	"github.com/toolfacade/toolfacade/schema"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop"), // idle connections of the SDK's default client
		goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"))
}

func client(url string) openai.Client {
	return openai.NewClient(option.WithBaseURL(url), option.WithAPIKey("none"), option.WithMaxRetries(0))
}

func chat(ctx context.Context, url string, set *facade.Set) (string, error) {
	tools, err := openaihost.ChatTools(set)
	if err != nil {
		return "", err
	}
	c := client(url)
	params := openai.ChatCompletionNewParams{Model: "scripted", Tools: tools, Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("go")}}
	for {
		completion, err := c.Chat.Completions.New(ctx, params)
		if err != nil {
			return "", err
		}
		message := completion.Choices[0].Message
		if len(message.ToolCalls) == 0 {
			return message.Content, nil
		}
		params.Messages = append(params.Messages, message.ToParam())
		for _, call := range message.ToolCalls {
			result, err := openaihost.ChatResult(ctx, set, call)
			if err != nil {
				return "", err
			}
			params.Messages = append(params.Messages, result)
		}
	}
}

func TestChat(t *testing.T) {
	hosttest.Run(t, hosttest.Host{
		Via: "chat", Profile: schema.OpenAI, Play: hosttest.Served(hosttest.Chat{}, chat),
		Ordered: true, Text: true, Unknown: true,
	})
}

func respond(ctx context.Context, url string, set *facade.Set) (string, error) {
	tools, err := openaihost.ResponseTools(set)
	if err != nil {
		return "", err
	}
	c := client(url)
	input := responses.ResponseInputParam{responses.ResponseInputItemParamOfMessage("go", responses.EasyInputMessageRoleUser)}
	for {
		response, err := c.Responses.New(ctx, responses.ResponseNewParams{
			Model: "scripted", Tools: tools, Input: responses.ResponseNewParamsInputUnion{OfInputItemList: input},
		})
		if err != nil {
			return "", err
		}
		var results responses.ResponseInputParam
		for _, item := range response.Output {
			if item.Type != "function_call" {
				continue
			}
			call := item.AsFunctionCall()
			input = append(input, responses.ResponseInputItemParamOfFunctionCall(call.Arguments, call.CallID, call.Name))
			result, err := openaihost.ResponseResult(ctx, set, call)
			if err != nil {
				return "", err
			}
			results = append(results, result)
		}
		if len(results) == 0 {
			return response.OutputText(), nil
		}
		input = append(input, results...)
	}
}

func TestResponses(t *testing.T) {
	hosttest.Run(t, hosttest.Host{
		Via: "responses", Profile: schema.OpenAI, Play: hosttest.Served(hosttest.Responses{}, respond),
		Images: true, Ordered: true, Text: true, Unknown: true,
	})
}
