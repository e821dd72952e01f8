package fsimpl_test

import (
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(inOwnCache(func() int { return verify(m) })) }

// inOwnCache keeps the journals of the tests out of the user's cache.
func inOwnCache(run func() int) int {
	cache, err := os.MkdirTemp("", "toolfacade-cache-")
	if err == nil {
		defer os.RemoveAll(cache)
		for _, name := range []string{"XDG_CACHE_HOME", "LocalAppData", "HOME"} { // where os.UserCacheDir looks for it
			if err == nil {
				err = os.Setenv(name, cache)
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return run()
}
