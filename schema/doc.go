// Package schema renders a [facade.Tool] as the definition a model or a host
// wants: a name, a description, and JSON Schemas of the arguments and the
// result, in the dialect that the receiver accepts.
//
//	def, err := schema.Render(tool, schema.MCP)
//
// # Renderings
//
// A tool with several actions is one flat object. Its first property is
// "action", an enum of the tool's actions; every parameter follows once, in
// the order of first use, and its description says which actions take it and
// which need it. A tool that is one action on its own ([facade.Granular]) has
// no "action" and an exact list of required parameters. A root oneOf, anyOf or
// allOf is never rendered: several providers reject a request for it.
//
// A flat schema cannot say that a field belongs to one action only. The
// decoder of [facade.Tool.Call] is exact where the schema is not, and its
// errors tell the model what was meant.
//
// # Descriptions
//
// Descriptions of parameters and result fields are the Go comments of the
// struct fields. For the contracts of package facade they come from an
// embedded file that is generated from the source. A tool of your own says
// them in a struct tag:
//
//	Limit int `json:"limit,omitempty" default:"20" min:"1" description:"Most orders to return."`
//
// The tag wins over the comment.
package schema

// Twice, because the first run writes the descriptions that are embedded here,
// and the page of tokens is made from those.
//go:generate go run ../internal/refgen
//go:generate go run ../internal/refgen
