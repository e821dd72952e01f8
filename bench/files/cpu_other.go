//go:build !linux

package main

import (
	"errors"
	"time"
)

func cpuTime(int) (time.Duration, error) {
	return 0, errors.New("the servers' processor time is read on Linux only; leave out -only server")
}
