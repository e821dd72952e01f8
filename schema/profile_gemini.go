package schema

// geminiOpenAPI leaves what Gemini's own schema type has a field for. Objects
// are never empty in it, and every value has a type.
func geminiOpenAPI(root *node) error {
	return root.each("", func(at string, n *node) error {
		if err := typed(at, n); err != nil {
			return err
		}
		if at != "" {
			textual(n)
		}
		n.Closed = false
		return nil
	})
}
