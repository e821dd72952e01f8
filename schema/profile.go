package schema

// Profile names the dialect of JSON Schema that a receiver accepts.
type Profile string

// The profiles.
const (
	// MCP is plain JSON Schema 2020-12, for the Model Context Protocol and for
	// every host that hands schemas on unchanged. It is the only profile with
	// output schemas.
	MCP Profile = "mcp"
)

// Profiles lists the profiles that [Render] knows.
func Profiles() []Profile { return []Profile{MCP} }

// dialect is what a profile does to the neutral form.
type dialect struct {
	// strict is [Def.Strict].
	strict bool
	// output says that the receiver takes schemas of results.
	output bool
	// input rewrites the schema of the arguments; nil leaves it. It may change
	// the node it gets.
	input func(*node) (*node, error)
}

// dialect returns what p does, and whether p is known.
func (p Profile) dialect() (dialect, bool) {
	switch p {
	case MCP:
		return dialect{output: true}, true
	}
	return dialect{}, false
}
