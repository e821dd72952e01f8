//go:build !race

package fsimpl_test

// raceEnabled makes tests under the race detector smaller.
const raceEnabled = false
