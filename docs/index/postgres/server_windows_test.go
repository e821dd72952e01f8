package postgres_test

import (
	"syscall"
	"testing"
)

// ordinary has nothing to do: PostgreSQL gives up its rights by itself.
func ordinary(testing.TB, string) *syscall.SysProcAttr { return nil }
