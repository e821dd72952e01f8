//go:build !unix

package engine

import "os"

// private reports whether dir is a directory. On Windows the access rules of
// the user's cache directory are relied upon.
func private(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}
