//go:build !unix

package main

// peak is about the most memory that the process had, in bytes.
func peak() int64 { return reserved() }
