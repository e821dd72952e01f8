package schema

// Profile names the dialect of JSON Schema that a receiver accepts.
type Profile string

// The profiles. All but [MCP] are for the arguments only, and none of them
// needs a validator to agree with the decoder: what a dialect cannot say is
// said in the descriptions.
const (
	// MCP is plain JSON Schema 2020-12, for the Model Context Protocol and for
	// every host that hands schemas on unchanged. It is the only profile with
	// output schemas.
	MCP Profile = "mcp"
	// OpenAI is for function tools of OpenAI with strict set to false, which
	// the Responses API wants said.
	OpenAI Profile = "openai"
	// OpenAIStrict is for function tools with strict set to true: every
	// parameter is required, and null stands for one that is not given. A
	// free-form object becomes a string that holds its JSON text.
	OpenAIStrict Profile = "openai-strict"
	// Anthropic is for tools of the Messages API.
	Anthropic Profile = "anthropic"
	// AnthropicStrict is for tools with strict set to true. [Render] refuses a
	// tool with more than 24 optional parameters; the API counts those of all
	// strict tools of a request together, and takes 20 such tools.
	AnthropicStrict Profile = "anthropic-strict"
	// Gemini is for parametersJsonSchema of a function declaration.
	Gemini Profile = "gemini"
	// GeminiOpenAPI is for the older field parameters, and for programs that
	// turn a schema into that form. [Def.Input] is nil for a tool without
	// parameters, which Gemini wants declared so.
	GeminiOpenAPI Profile = "gemini-openapi"
	// Bedrock is for Amazon Bedrock, Nova models included, which take only
	// type, properties and required at the top.
	Bedrock Profile = "bedrock"
	// Mistral is for Mistral's function tools.
	Mistral Profile = "mistral"
	// Ollama is for programs that keep only types, enums and descriptions, as
	// Ollama and fantasy do: defaults and ranges are in the descriptions.
	Ollama Profile = "ollama"
)

// Profiles lists the profiles that [Render] knows.
func Profiles() []Profile {
	return []Profile{MCP, OpenAI, OpenAIStrict, Anthropic, AnthropicStrict, Gemini, GeminiOpenAPI, Bedrock, Mistral, Ollama}
}

// dialect is what a profile does to the neutral form.
type dialect struct {
	// strict is [Def.Strict].
	strict bool
	// output says that the receiver takes schemas of results.
	output bool
	// input rewrites the schema of the arguments in place; nil leaves it.
	input func(*node) error
	// noEmpty says that the receiver refuses an object without properties.
	noEmpty bool
}

// dialect returns what p does, and whether p is known.
func (p Profile) dialect() (dialect, bool) {
	switch p {
	case MCP:
		return dialect{output: true}, true
	case OpenAI, Anthropic, Gemini, Mistral:
		return dialect{}, true
	case OpenAIStrict:
		return dialect{strict: true, input: openAIStrict}, true
	case AnthropicStrict:
		return dialect{strict: true, input: anthropicStrict}, true
	case GeminiOpenAPI:
		return dialect{input: geminiOpenAPI, noEmpty: true}, true
	case Bedrock:
		return dialect{input: bedrock}, true
	case Ollama:
		return dialect{input: ollama}, true
	}
	return dialect{}, false
}
