//go:build !amd64

package bytescan

const minPlaces = 32

func hasPairIndex() bool { return false }

// pairIndex is never called: hasPairIndex says so.
func pairIndex(_, _ []byte, _ int, _, _, _, _ byte) int { return -1 }
