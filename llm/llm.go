// Package llm puts a model behind the parts of the tools that ask for one:
// reading images and charts, filling the fields of a template, embeddings for
// search, and judging files before they are written. It speaks the
// chat-completions protocol of OpenAI, which most providers and local servers
// offer.
//
// Address, model and key come from [Options] only, never from the environment.
// What documents and files say is sent to that address. It is data to the
// model, and may try to be more: what comes back is checked, and nothing is
// done on a model's word alone.
package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"github.com/toolfacade/toolfacade/facade"
)

// DefaultTimeout is how long one answer may take, with its retries.
const DefaultTimeout = 2 * time.Minute

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 8 << 20

// Options say where the model is. BaseURL and Model are required.
type Options struct {
	// BaseURL is the address of the API, as "https://api.openai.com/v1" or
	// "http://localhost:11434/v1".
	BaseURL string
	// Model is the name of the model for chat; it must see images if images are
	// to be read.
	Model string
	// Key is sent as the bearer token; "" sends none.
	Key string
	// Timeout bounds one question; 0 means [DefaultTimeout].
	Timeout time.Duration
	// MaxTokens bounds an answer; 0 leaves it to the model.
	MaxTokens int
	// Retries is how often a question is asked again after a failure that may
	// pass, as an overload; 0 means twice, less than 0 never.
	Retries int
	// HTTPClient sends the requests; nil means a client of its own.
	HTTPClient *http.Client
}

// Client asks a model. It is safe for concurrent use.
type Client struct {
	opts       Options
	chat       openai.ChatCompletionService
	embeddings openai.EmbeddingService
}

// New returns a client; it does not connect.
func New(opts *Options) (*Client, error) {
	if opts == nil || opts.BaseURL == "" || opts.Model == "" {
		return nil, errors.New("llm: BaseURL and Model are required")
	}
	u, err := url.Parse(opts.BaseURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("llm: BaseURL is no address of an HTTP server")
	}
	c := &Client{opts: *opts}
	if c.opts.Timeout <= 0 {
		c.opts.Timeout = DefaultTimeout
	}
	switch {
	case c.opts.Retries == 0:
		c.opts.Retries = 2
	case c.opts.Retries < 0:
		c.opts.Retries = 0
	}
	if c.opts.HTTPClient == nil {
		c.opts.HTTPClient = &http.Client{}
	}
	// The services are made without the SDK's client, which would take the key
	// and the address from the environment.
	all := []option.RequestOption{
		option.WithBaseURL(strings.TrimSuffix(opts.BaseURL, "/") + "/"),
		option.WithHTTPClient(c.opts.HTTPClient),
		option.WithMaxRetries(c.opts.Retries),
		option.WithMiddleware(bounded),
	}
	if opts.Key != "" {
		all = append(all, option.WithAPIKey(opts.Key))
	}
	c.chat = openai.NewChatCompletionService(all...)
	c.embeddings = openai.NewEmbeddingService(all...)
	return c, nil
}

// bounded cuts answers, so that a server cannot fill the memory.
func bounded(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	resp, err := next(req)
	if err == nil && resp.Body != nil {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, maxAnswer), resp.Body}
	}
	return resp, err
}

// Name is that of the model.
func (c *Client) Name() string { return c.opts.Model }

// question is one turn: instructions, and content that is only data.
type question struct {
	system string
	parts  []openai.ChatCompletionContentPartUnionParam
	// schema is the form of the answer, with its name; nil means text.
	schema map[string]any
	name   string
}

// ask returns the model's answer as text.
func (c *Client) ask(ctx context.Context, q question) (string, error) {
	limited, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	params := openai.ChatCompletionNewParams{
		Model:    c.opts.Model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(q.system), openai.UserMessage(q.parts)},
	}
	if c.opts.MaxTokens > 0 {
		params.MaxTokens = param.NewOpt(int64(c.opts.MaxTokens))
	}
	if q.schema != nil {
		params.ResponseFormat = openai.ChatCompletionNewParamsResponseFormatUnion{OfJSONSchema: &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: q.name, Schema: q.schema},
		}}
	}
	answer, err := c.chat.New(limited, params)
	if e, ok := errors.AsType[*openai.Error](err); ok && q.schema != nil && e.StatusCode == http.StatusBadRequest {
		// Not every server knows response_format; the instructions ask for JSON too.
		params.ResponseFormat = openai.ChatCompletionNewParamsResponseFormatUnion{}
		answer, err = c.chat.New(limited, params)
	}
	if err != nil {
		return "", c.failure(ctx, err)
	}
	if len(answer.Choices) == 0 {
		return "", c.unusable("it has no choices")
	}
	choice := answer.Choices[0]
	switch {
	case choice.Message.Refusal != "":
		return "", facade.Errorf(facade.CodeUnavailable, "the model %s refuses to answer: %s", c.opts.Model, clip(choice.Message.Refusal))
	case choice.FinishReason == "length":
		return "", c.unusable("it was cut at the limit of tokens")
	case strings.TrimSpace(choice.Message.Content) == "":
		return "", c.unusable("it is empty")
	}
	return choice.Message.Content, nil
}

// askJSON decodes the model's answer.
func (c *Client) askJSON(ctx context.Context, q question, out any) error {
	answer, err := c.ask(ctx, q)
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(unfenced(answer)), out); err != nil {
		return c.unusable("it is not the JSON that was asked for: " + err.Error())
	}
	return nil
}

// unfenced takes JSON out of a code block and the talk around it.
func unfenced(s string) string {
	start, end := strings.IndexByte(s, '{'), strings.LastIndexByte(s, '}')
	if start < 0 || end < start {
		return s
	}
	return s[start : end+1]
}

func (c *Client) unusable(why string) error {
	return facade.Errorf(facade.CodeUnavailable, "the answer of the model %s is of no use: %s", c.opts.Model, why).WithHint("try again, or do without the model")
}

// failure turns an error of the API into one for a model, without the address
// and the key.
func (c *Client) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return facade.Errorf(facade.CodeTimeout, "the model %s did not answer within %v", c.opts.Model, c.opts.Timeout).WithHint("try again, or do without the model")
	}
	e, ok := errors.AsType[*openai.Error](err)
	if !ok {
		var to *url.Error
		if errors.As(err, &to) {
			err = to.Err // without the address
		}
		return facade.Errorf(facade.CodeUnavailable, "the model %s cannot be reached: %s", c.opts.Model, clip(err.Error())).WithHint("do without the model; the host has to check its address")
	}
	said := fmt.Sprintf("the model %s answers %d: %s", c.opts.Model, e.StatusCode, clip(e.Message))
	switch e.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		return facade.Errorf(facade.CodeUnavailable, "%s", said).WithHint("do without the model; the host has to check its key")
	case http.StatusTooManyRequests:
		return facade.Errorf(facade.CodeRateLimited, "%s", said).WithHint("wait a while, then try again")
	case http.StatusRequestEntityTooLarge:
		return facade.Errorf(facade.CodeTooLarge, "%s", said).WithHint("use a smaller image or a shorter document")
	}
	return facade.Errorf(facade.CodeUnavailable, "%s", said).WithHint("try again, or do without the model")
}

// clip keeps the beginning of a message.
func clip(s string) string {
	const most = 300
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
