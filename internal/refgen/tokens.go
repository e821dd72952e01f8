package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/everything"
	"github.com/toolfacade/toolfacade/schema"
)

// tokensPage tells what the tools take of a model's context.
func tokensPage() []byte {
	var b bytes.Buffer
	b.WriteString(header + `# Tokens

What the definitions take of a model's context: names, descriptions and input schemas, estimated by ` + "`schema.Tokens`" + ` in tokens of the
o200k encoding. *core* stands for filesystem, git, python and document with the actions of their basic contracts; the other rows have every
action. A dash means that the profile refuses the tool in that view.
`)
	for _, v := range []struct {
		title string
		cut   facade.View
	}{
		{"Flat: one tool each, with the action as a parameter", func(t *facade.Tool) []*facade.Tool { return []*facade.Tool{t} }},
		{"ReadOnly: what only observes", facade.ReadOnly},
		{"SplitReadWrite: two tools each", facade.SplitReadWrite},
		{"Granular: one tool per action", facade.Granular},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n| Tool |", v.title)
		for _, p := range schema.Profiles() {
			fmt.Fprintf(&b, " %s |", p)
		}
		b.WriteString("\n|---|" + strings.Repeat("---:|", len(schema.Profiles())) + "\n")
		tokenRow(&b, "core", everything.Core(), v.cut)
		for _, t := range everything.Tools() {
			tokenRow(&b, t.Name(), []*facade.Tool{t}, v.cut)
		}
	}
	return b.Bytes()
}

// tokenRow writes the figures of tools for each profile.
func tokenRow(b *bytes.Buffer, name string, tools []*facade.Tool, cut facade.View) {
	fmt.Fprintf(b, "| %s |", name)
	for _, p := range schema.Profiles() {
		var defs []schema.Def
		refused := false
		for _, whole := range tools {
			for _, t := range cut(whole) {
				def, err := schema.Render(t, p)
				refused = refused || err != nil
				defs = append(defs, def)
			}
		}
		if refused || len(defs) == 0 {
			b.WriteString(" – |")
			continue
		}
		fmt.Fprintf(b, " %d |", schema.Tokens(defs...))
	}
	b.WriteString("\n")
}
