// Package hosttest runs the adapter of a host through everything that a result
// can be, on the host's own machinery: a scripted model server answers with
// tool calls, and what comes back over the wire is what is checked. The checks
// of all hosts are the same, in [Run].
package hosttest

import (
	"context"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// Lab is a tool with one action for each thing that a result can be.
type Lab struct {
	// Began is told when the action wait runs.
	Began chan struct{}
}

// NewLab returns a lab.
func NewLab() *Lab { return &Lab{Began: make(chan struct{}, 1)} }

// Set returns the lab and a second tool.
func (l *Lab) Set() *facade.Set {
	return facade.NewSet([]*facade.Tool{
		facade.New("lab", "A tool for tests.",
			facade.Bind("echo", facade.EffectRead|facade.Idempotent, "Send text back.", l.echo),
			facade.Bind("who", facade.EffectRead, "Tell the session.", l.who),
			facade.Bind("picture", facade.EffectRead, "Send a picture.", l.picture),
			facade.Bind("archive", facade.EffectRead, "Send what no model can look at.", l.archive),
			facade.Bind("wait", facade.EffectRead, "Wait for the end.", l.wait),
			facade.Bind("panic", facade.EffectWrite|facade.EffectDestructive, "Fail badly.", l.panic)),
		facade.New("shelf", "Another tool for tests.",
			facade.Bind("take", facade.EffectRead, "Take something that is not there.", l.take),
			facade.Bind("put", facade.EffectWrite, "Put something.", l.take)),
	}, nil)
}

type echoInput struct {
	Text  string   `json:"text" description:"Text to send back."`
	Times int      `json:"times,omitempty" default:"1" min:"1" max:"9" description:"How often."`
	Tags  []string `json:"tags,omitempty" description:"Words to send back too."`
	Style string   `json:"style,omitempty" default:"plain" enum:"plain,loud" description:"How to say it."`
}

type said struct {
	Lines []string `json:"lines" description:"What was said."`
	part  *facade.Part
}

// Present shows the lines, and the attachment when there is one.
func (s said) Present(r *facade.Result) {
	r.Text = strings.Join(s.Lines, "\n")
	if s.part != nil {
		r.Parts = []facade.Part{*s.part}
	}
}

func (l *Lab) echo(_ context.Context, in echoInput) (said, error) {
	out := said{Lines: []string{"echo"}}
	for range max(1, in.Times) {
		out.Lines = append(out.Lines, in.Text)
	}
	return out, nil
}

type nothing struct{}

func (l *Lab) who(ctx context.Context, _ nothing) (said, error) {
	return said{Lines: []string{"session " + facade.Info(ctx).Session}}, nil
}

// Picture is the content of the picture: the smallest PNG, of one pixel.
const Picture = "\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f" +
	"\x15\xc4\x89\x00\x00\x00\x0b\x49\x44\x41\x54\x78\x9c\x63\xf8\x0f\x04\x00\x09\xfb\x03\xfd\xfb\x5e\x6b\x2b\x00\x00\x00\x00" +
	"\x49\x45\x4e\x44\xae\x42\x60\x82"

func (l *Lab) picture(context.Context, nothing) (said, error) {
	return said{[]string{"a picture"}, &facade.Part{MIME: "image/png", Data: []byte(Picture), Path: "dot.png"}}, nil
}

func (l *Lab) archive(context.Context, nothing) (said, error) {
	return said{[]string{"an archive"}, &facade.Part{MIME: "application/zip", Data: []byte("PK"), Path: "a.zip"}}, nil
}

func (l *Lab) wait(ctx context.Context, _ nothing) (said, error) {
	l.Began <- struct{}{}
	<-ctx.Done()
	return said{}, ctx.Err()
}

func (l *Lab) panic(context.Context, nothing) (said, error) { panic("a defect") }

type takeInput struct {
	Name string `json:"name" description:"What to take."`
}

func (l *Lab) take(_ context.Context, in takeInput) (said, error) {
	return said{}, facade.Errorf(facade.CodeNotFound, "there is no %s", in.Name).WithHint("take something else")
}
