package bedrockhost_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	bedrockhost "github.com/toolfacade/toolfacade/host/bedrock"
	"github.com/toolfacade/toolfacade/internal/hosttest"
	"github.com/toolfacade/toolfacade/schema"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func run(ctx context.Context, url string, set *facade.Set) (string, error) {
	tools, err := bedrockhost.Tools(set)
	if err != nil {
		return "", err
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := bedrockruntime.New(bedrockruntime.Options{
		BaseEndpoint: &url, Region: "none", HTTPClient: &http.Client{Transport: transport}, RetryMaxAttempts: 1,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "none", SecretAccessKey: "none"}, nil
		}),
	})
	messages := []types.Message{{Role: types.ConversationRoleUser, Content: []types.ContentBlock{&types.ContentBlockMemberText{Value: "go"}}}}
	for {
		out, err := client.Converse(ctx, &bedrockruntime.ConverseInput{
			ModelId: aws.String("scripted"), Messages: messages, ToolConfig: &types.ToolConfiguration{Tools: tools},
		})
		if err != nil {
			return "", err
		}
		message := out.Output.(*types.ConverseOutputMemberMessage).Value
		if out.StopReason != types.StopReasonToolUse {
			return message.Content[0].(*types.ContentBlockMemberText).Value, nil
		}
		answer := types.Message{Role: types.ConversationRoleUser}
		for _, block := range message.Content {
			result, err := bedrockhost.Result(ctx, set, block.(*types.ContentBlockMemberToolUse).Value)
			if err != nil {
				return "", err
			}
			answer.Content = append(answer.Content, result)
		}
		messages = append(messages, message, answer)
	}
}

func TestConverse(t *testing.T) {
	hosttest.Run(t, hosttest.Host{
		Via: "converse", Profile: schema.Bedrock, Play: hosttest.Served(hosttest.Converse{}, run),
		Marks: true, Images: true, Unknown: true,
	})
}
