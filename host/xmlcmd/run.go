package xmlcmd

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// Options say on whose behalf commands run; the zero value will do for one
// conversation.
type Options struct {
	// Session separates what is remembered between calls.
	Session string
	// Emit, when not nil, receives the events of each command.
	Emit func(facade.Event)
}

// renamed are the commands that the tools call otherwise.
var renamed = map[string]string{"search": "find", "get_working_directory": "pwd", "cwd": "pwd"}

// texts are the parameters that the text of an element is, by action.
var texts = map[string]string{
	"write": "content", "replace": "new_content", "modify": "new_content", "patch": "patch", "grep": "pattern",
	"commit": "message", "run": "command",
}

// aliases are the parameters that commands call otherwise, by action.
var aliases = map[string]map[string]string{
	"find": {"pattern": "patterns", "query": "keywords_path_name"},
	"grep": {"query": "pattern", "regex": "pattern"},
}

// Run runs the commands of a text in their order and returns the message for the
// model, "" when there are none: for each envelope one of the same name, with a
// result for each command.
//
//	<mcp:filesystem>
//	<result command="read" status="success">…</result>
//	<result command="cd" status="error" code="not_found">…</result>
//	</mcp:filesystem>
//
// A command that fails does not keep the following ones from running; an
// envelope that cannot be read runs none. The error is not nil only when the
// context has ended; the results so far are there all the same.
func Run(ctx context.Context, set *facade.Set, text string, opts *Options) (string, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	var b strings.Builder
	n := 0
	for _, e := range Parse(text) {
		fmt.Fprintf(&b, "<%s:%s>\n", prefix, e.Tool)
		if e.Err != nil {
			result(&b, "", facade.CodeInvalidArgument, e.Err.Error())
		}
		for _, c := range e.Commands {
			n++
			res, err := run(ctx, set, c, "xml-"+strconv.Itoa(n), o)
			var code facade.Code
			if !res.OK() {
				code = res.Error.Code
			}
			result(&b, c.Name, code, res.FullText())
			if err != nil {
				fmt.Fprintf(&b, "</%s:%s>\n", prefix, e.Tool)
				return b.String(), err
			}
		}
		fmt.Fprintf(&b, "</%s:%s>\n", prefix, e.Tool)
	}
	return b.String(), nil
}

func run(ctx context.Context, set *facade.Set, c Command, id string, o Options) (*facade.Result, error) {
	args, err := c.args()
	if err != nil {
		return nil, err
	}
	return set.Dispatch(ctx, c.Tool, facade.Call{ID: id, Session: o.Session, Args: args, Emit: o.Emit})
}

// args renders the command as the arguments of a call. All values are texts:
// the decoder takes "10" for 10 and one text for a list of one, and says what it
// does not understand. No parameter can name the action.
func (c Command) args() (json.RawMessage, error) {
	action := c.Name
	if other, ok := renamed[action]; ok {
		action = other
	}
	var b strings.Builder
	if err := member(&b, "{", "action", action); err != nil {
		return nil, err
	}
	for _, p := range c.Params {
		name := p.Name
		if name == "" {
			if name = texts[action]; name == "" {
				name = "text"
			}
		}
		if other, ok := aliases[action][name]; ok {
			name = other
		}
		if err := member(&b, ",", name, p.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return json.RawMessage(b.String()), nil
}

func member(b *strings.Builder, before, name, value string) error {
	key, err := json.Marshal(name)
	if err != nil {
		return err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	b.WriteString(before)
	b.Write(key)
	b.WriteByte(':')
	b.Write(text)
	return nil
}

// result writes one result; no code means success.
func result(b *strings.Builder, command string, code facade.Code, text string) {
	b.WriteString("<result")
	if command != "" {
		attribute(b, "command", command)
	}
	if code == "" {
		attribute(b, "status", "success")
	} else {
		attribute(b, "status", "error")
		attribute(b, "code", string(code))
	}
	b.WriteByte('>')
	escape(b, text)
	b.WriteString("</result>\n")
}

func attribute(b *strings.Builder, name, value string) {
	b.WriteString(" " + name + `="`)
	_ = xml.EscapeText(b, []byte(value)) // a builder takes everything
	b.WriteByte('"')
}

// escape writes text so that no part of a file can end the result. Line ends stay
// as they are: models read them.
func escape(b *strings.Builder, text string) {
	b.WriteString(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text))
}
