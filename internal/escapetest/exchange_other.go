//go:build !linux

package escapetest

import "os"

// exchange swaps two entries in three steps, with a gap that calls under test
// see as a missing file.
func exchange(a, b string) error {
	spare := a + "-spare"
	if err := os.Rename(a, spare); err != nil {
		return err
	}
	if err := os.Rename(b, a); err != nil {
		return err
	}
	return os.Rename(spare, b)
}
