package xmlcmd

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	// MaxBytes is how long an envelope may be.
	MaxBytes = 8 << 20
	// MaxCommands is how many commands an envelope may hold.
	MaxCommands = 100
	// prefix starts the name of an envelope.
	prefix = "mcp"
)

// Command is an element of an envelope.
type Command struct {
	// Tool is the envelope's name, as "filesystem".
	Tool string
	// Name is the element's, as "read".
	Name string
	// Params are the attributes and the texts inside, in their order.
	Params []Param
}

// Param is a parameter as it was written.
type Param struct {
	Name, Value string
}

// SyntaxError reports an envelope that cannot be read. Nothing of it was run.
type SyntaxError struct {
	// Tool is the name of the envelope.
	Tool string
	// Reason says what is wrong, for the model.
	Reason string
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("the <%s:%s> envelope cannot be read: %s", prefix, e.Tool, e.Reason)
}

// Envelope is one group of commands in a text.
type Envelope struct {
	Tool     string
	Commands []Command
	// Err says why it cannot be read; then there are no commands.
	Err *SyntaxError
}

// Parse returns the envelopes in a model's text, in their order. Whatever is
// around them is not looked at.
func Parse(text string) []Envelope {
	var found []Envelope
	for {
		start := strings.Index(text, "<"+prefix+":")
		if start < 0 {
			return found
		}
		text = text[start:]
		name := text[len(prefix)+2:]
		name = name[:len(name)-len(strings.TrimLeft(name, letters))]
		if name == "" {
			text = text[1:]
			continue
		}
		e, end := envelope(name, text)
		found = append(found, e)
		text = text[end:]
	}
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// envelope reads the one that text starts with, and returns where it ends.
func envelope(name, text string) (Envelope, int) {
	d := xml.NewDecoder(strings.NewReader(text[:min(len(text), MaxBytes)]))
	p := parser{decoder: d, tool: name}
	commands, err := p.envelope()
	if err == nil {
		return Envelope{Tool: name, Commands: commands}, int(d.InputOffset())
	}
	reason := err.Error()
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		reason = syntax.Msg + "; write < as &lt; and & as &amp;, or put the text into <![CDATA[ … ]]>"
	}
	if errors.Is(err, io.EOF) {
		reason = "it does not end; the last line is </" + prefix + ":" + name + ">"
		if len(text) > MaxBytes {
			reason = fmt.Sprintf("it is longer than %d bytes", MaxBytes)
		}
	}
	end := len(text) // go on after it, wherever that is
	closing := "</" + prefix + ":" + name + ">"
	if i := strings.Index(text, closing); i >= 0 {
		end = i + len(closing)
	}
	return Envelope{Tool: name, Err: &SyntaxError{name, reason}}, end
}

// parser reads one envelope, token by token: encoding/xml keeps no account of
// elements in this mode, and looks no prefix up.
type parser struct {
	decoder  *xml.Decoder
	tool     string
	commands []Command
	stack    []xml.Name
	text     strings.Builder
}

// maxDepth is how deep elements may be: envelope, command, parameter.
const maxDepth = 3

func (p *parser) envelope() ([]Command, error) {
	for {
		token, err := p.decoder.RawToken()
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			err = p.start(t)
		case xml.EndElement:
			err = p.end(t)
		case xml.CharData:
			if len(p.stack) == 1 && strings.TrimSpace(string(t)) != "" {
				err = fmt.Errorf("there is text between the commands: %.40q", string(t))
			}
			p.text.Write(t)
		case xml.Directive, xml.ProcInst:
			err = errors.New("document types, entities and processing instructions are not allowed")
		}
		if err != nil {
			return nil, err
		}
		if len(p.stack) == 0 {
			return p.commands, nil
		}
	}
}

func (p *parser) start(t xml.StartElement) error {
	depth := len(p.stack)
	p.stack = append(p.stack, t.Name)
	switch {
	case depth == 0 && len(t.Attr) > 0:
		return errors.New("the envelope has attributes; they belong to the commands")
	case depth == 0:
		return nil
	case depth >= maxDepth:
		return fmt.Errorf("<%s> is too deep: write &lt; for < in a text", t.Name.Local)
	case t.Name.Space != "":
		return fmt.Errorf("<%s:%s> cannot be inside", t.Name.Space, t.Name.Local)
	case depth == 1 && len(p.commands) == MaxCommands:
		return fmt.Errorf("it holds more than %d commands", MaxCommands)
	case depth == 2 && strings.TrimSpace(p.text.String()) != "":
		return fmt.Errorf("<%s> stands in the middle of a text: write &lt; for <", t.Name.Local)
	}
	p.text.Reset()
	if depth == 2 {
		if len(t.Attr) > 0 {
			return fmt.Errorf("the parameter <%s> has attributes", t.Name.Local)
		}
		return nil
	}
	p.commands = append(p.commands, Command{Tool: p.tool, Name: t.Name.Local})
	for _, a := range t.Attr {
		if a.Name.Space != "" {
			return fmt.Errorf("the attribute %s:%s has a prefix", a.Name.Space, a.Name.Local)
		}
		if err := p.param(a.Name.Local, a.Value); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) end(t xml.EndElement) error {
	if len(p.stack) == 0 || p.stack[len(p.stack)-1] != t.Name {
		return fmt.Errorf("</%s> closes what is not open", t.Name.Local)
	}
	p.stack = p.stack[:len(p.stack)-1]
	text := p.text.String()
	p.text.Reset()
	switch len(p.stack) {
	case 2:
		return p.param(t.Name.Local, text)
	case 1:
		if command := p.commands[len(p.commands)-1]; text != "" && (strings.TrimSpace(text) != "" || command.Name == "write") {
			return p.param("", text)
		}
	}
	return nil
}

// param adds a parameter to the last command. The text of an element has no
// name.
func (p *parser) param(name, value string) error {
	c := &p.commands[len(p.commands)-1]
	for _, other := range c.Params {
		if other.Name == name {
			return fmt.Errorf("%q is given twice in <%s>", name, c.Name)
		}
	}
	c.Params = append(c.Params, Param{name, value})
	return nil
}
