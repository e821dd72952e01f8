package main

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/access"
)

// The values of -approve.
const (
	approveNone = "none"
	approveAsk  = "ask"
	approveDeny = "deny"
)

// maxShown is how many bytes of a call's arguments a person is shown.
const maxShown = 2000

// approving puts the policy of -approve around the tools. Actions that only
// read, locally or over the network, always run.
func approving(tools *facade.Set, approve string) (*facade.Set, error) {
	verdicts := map[string]access.Verdict{approveAsk: access.Ask, approveDeny: access.Deny}
	v, ok := verdicts[approve]
	if !ok {
		return tools, nil
	}
	policy, err := access.NewPolicy(tools, nil, &access.PolicyOptions{
		Default:  access.ByEffect[access.Verdict]{Read: access.Allow, Network: access.Allow, Write: v, Execute: v, Destructive: v},
		Approver: elicit,
	})
	if err != nil {
		return nil, err
	}
	return tools.With(policy.Middleware), nil
}

// conversation is what the approver may know and ask of the client during one
// request.
type conversation struct {
	able    bool // the client can ask its user
	answers mcp.InputResponseMap
	id      string
	ask     *mcp.ElicitParams // the question to the user, once there is one
}

type conversationKey struct{}

// asking lets the approver ask the client's user: the question goes out instead
// of a result, and the client repeats the call with the answer. For clients of
// older protocol versions the SDK does both.
func asking(next mcp.ToolHandler) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		c := &conversation{able: forms(req.ClientCapabilities()), answers: req.Params.InputResponses}
		res, err := next(context.WithValue(ctx, conversationKey{}, c), req)
		if err == nil && c.ask != nil {
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{c.id: c.ask}}, nil
		}
		return res, err
	}
}

// forms reports whether a client shows forms to its user. One that names no
// mode at all is older than the modes, and does.
func forms(caps *mcp.ClientCapabilities) bool {
	return caps != nil && caps.Elicitation != nil && (caps.Elicitation.Form != nil || caps.Elicitation.URL == nil)
}

// elicit is the approver. The answer to a question is filed under the digest of
// what was asked, so that it holds for that call only.
func elicit(ctx context.Context, r access.Request) (access.Decision, error) {
	c, ok := ctx.Value(conversationKey{}).(*conversation)
	if !ok || !c.able {
		return r.Later("this client cannot ask its user; say what you want to do and why, and let the user do it " +
			"or start the server with other rights"), nil
	}
	if len(c.answers) == 0 {
		c.id, c.ask = r.Digest, question(r)
		return r.Later(""), nil
	}
	answer, ok := c.answers[r.Digest].(*mcp.ElicitResult)
	switch {
	case !ok || answer == nil:
		return r.Deny("the answer was for another call"), nil
	case answer.Action == "accept" && answer.Content["remember"] == true:
		return r.AllowAlways(), nil
	case answer.Action == "accept":
		return r.Allow(), nil
	case answer.Action == "cancel":
		return r.Deny("the question was dismissed"), nil
	}
	return r.Deny(""), nil
}

// question asks for consent; accepting the form gives it.
func question(r access.Request) *mcp.ElicitParams {
	input, rest := string(r.Input), ""
	if len(input) > maxShown {
		input, rest = strings.ToValidUTF8(input[:maxShown], ""), fmt.Sprintf(" … [%d bytes in all]", len(input))
	}
	message := fmt.Sprintf("Allow %s %s (%s)?\n%s%s", r.Tool, r.Action, r.Effect, visible(input), rest)
	if r.Dir != "." {
		message += "\nin " + visible(r.Dir)
	}
	return &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: map[string]any{
		"type": "object",
		"properties": map[string]any{"remember": map[string]any{
			"type": "boolean", "default": false, "title": "Remember", "description": "Allow exactly this call again without asking.",
		}},
	}}
}

// visible spells out the characters that a person would not see, or that would
// turn the text around.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	return b.String()
}
