//go:build !unix

package main

import "time"

// processors is not known.
func processors() time.Duration { return 1 }
