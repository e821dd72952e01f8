package schema

// bedrock leaves type, properties and required at the top: Nova models refuse
// any other keyword there.
func bedrock(root *node) error {
	root.Closed = false
	return nil
}
