//go:build !linux

package gitimpl

// linksIn returns the names of the links in dir.
func linksIn(dir string) ([]string, error) { return readLinks(dir) }
