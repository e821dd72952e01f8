package schema

import "slices"

// ollama says in words what its types have no field for, as they drop it
// without an error.
func ollama(root *node) error {
	return root.each("", func(at string, n *node) error {
		n.sayDefault()
		n.sayRange()
		n.sayMinItems()
		n.Closed, n.Values = false, nil
		if at == "" {
			return nil
		}
		for _, p := range n.Properties {
			if slices.Contains(n.Required, p.Name) {
				p.Node.say("Required.")
			}
		}
		n.Required = nil
		return nil
	})
}
