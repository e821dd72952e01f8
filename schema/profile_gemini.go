package schema

// geminiOpenAPI leaves what Gemini's own schema type has a field for. Objects
// are never empty in it, and every value has a type. A default is in the
// description, as programs that turn a schema into that form lose the field.
func geminiOpenAPI(root *node) error {
	return root.each("", func(at string, n *node) error {
		if err := typed(at, n); err != nil {
			return err
		}
		if at != "" {
			textual(n)
		}
		n.sayDefault()
		n.Closed = false
		return nil
	})
}
