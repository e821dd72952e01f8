//go:build !unix

package main

import "time"

// started stands in for processor time, which only unix tells.
var started = time.Now()

// peak is about the most memory that the process had, in bytes.
func peak() int64 { return reserved() }

// used is the time since the start.
func used() time.Duration { return time.Since(started) }
