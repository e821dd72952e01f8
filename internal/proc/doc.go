// Package proc runs one child process well: it starts it in a process group of
// its own, always drains its output into bounded memory and a capped file,
// feeds its input, stops it by a ladder of signals, kills what it left behind
// and tells what could not be killed.
//
// It never waits for children it did not start and never makes the host a
// subreaper: both would take the exit of other packages' children.
package proc
