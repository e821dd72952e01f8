//go:build !linux

package walk

import "os"

// newBeneathTree returns nil: only Linux opens directories relative to a
// handle without following links.
func newBeneathTree(*os.File) tree { return nil }
