package schema

import "fmt"

// strictOptional is how many optional parameters Anthropic's strict tools may
// have, all of a request together.
const strictOptional = 24

// strictUnions is how many parameters of several types they may have.
const strictUnions = 16

// anthropicStrict leaves what Anthropic can compile into a grammar.
func anthropicStrict(root *node) error {
	optional := 0
	err := root.each("", func(at string, n *node) error {
		if err := typed(at, n); err != nil {
			return err
		}
		textual(n)
		n.sayRange()
		if n.MinItems > 1 {
			n.sayMinItems()
		}
		optional += len(n.Properties) - len(n.Required)
		return nil
	})
	if err == nil && optional > strictOptional {
		return fmt.Errorf("%d optional parameters, strict mode takes %d: offer fewer actions, or one tool per action", optional, strictOptional)
	}
	return err
}
