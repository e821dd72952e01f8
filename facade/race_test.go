//go:build race

package facade_test

// raceEnabled says that the race detector slows everything down.
const raceEnabled = true
