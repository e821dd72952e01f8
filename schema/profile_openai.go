package schema

import "slices"

// openAIStrict makes every property required, as strict mode wants it. One
// that was optional may be null instead, which the decoder takes for absent.
func openAIStrict(root *node) error {
	return root.each("", func(at string, n *node) error {
		if err := typed(at, n); err != nil {
			return err
		}
		textual(n)
		n.sayDefault()
		if n.Type != "object" {
			return nil
		}
		required := make([]string, len(n.Properties))
		for i, p := range n.Properties {
			required[i] = p.Name
			if slices.Contains(n.Required, p.Name) {
				continue
			}
			p.Node.Null = true
			if p.Node.Enum != nil {
				p.Node.Enum = append(p.Node.Enum, nil)
			}
		}
		n.Required, n.Closed = required, true
		return nil
	})
}
