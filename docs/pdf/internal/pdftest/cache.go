package pdftest

import (
	"fmt"
	"os"
	"path/filepath"
)

// CacheDir is where tests keep compiled code between packages and runs: in the
// user's cache, or where there is none, in the directory of temporary files.
func CacheDir() string {
	if dir, err := os.UserCacheDir(); err == nil {
		return filepath.Join(dir, "toolfacade", "pdfium")
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("toolfacade-pdfium-%d", os.Getuid()))
}
