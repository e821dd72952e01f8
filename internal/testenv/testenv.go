// Package testenv says what a test may rely on. Nothing but tests imports it.
package testenv

import (
	"os"
	"os/exec"
	"testing"
)

// Required reports whether a missing program is a failure rather than a reason
// to skip: in the project's own checks, which install what they need.
func Required() bool { return os.Getenv("TOOLFACADE_REQUIRE") == "1" }

// Full reports whether the long variants of tests should run.
func Full() bool { return os.Getenv("TOOLFACADE_FULL") == "1" }

// NeedProgram returns the path of a program, or skips the test when it is not
// installed; it fails the test instead where programs are [Required].
func NeedProgram(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, "the program %s is not installed", name)
	}
	return path
}

// Missing skips the test with the reason, or fails it where everything is
// [Required].
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if Required() {
		t.Fatalf("required here: "+format, args...)
	}
	t.Skipf(format, args...)
}
