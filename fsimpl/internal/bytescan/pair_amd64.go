package bytescan

import "golang.org/x/sys/cpu"

// minPlaces is the least number of places that pairIndex can look at.
const minPlaces = 32

func hasPairIndex() bool { return cpu.X86.HasAVX2 }

// pairIndex returns the first i < places for which p[i]|mask1 == byte1 and
// q[i]|mask2 == byte2, or -1. Both slices have at least that many bytes, and
// places is at least minPlaces.
func pairIndex(p, q []byte, places int, byte1, byte2, mask1, mask2 byte) int {
	_, _ = p[:places], q[:places] // the assembly does not check
	return pairIndexAVX2(&p[0], &q[0], places, byte1, byte2, mask1, mask2)
}

//go:noescape
func pairIndexAVX2(p, q *byte, places int, byte1, byte2, mask1, mask2 byte) int
