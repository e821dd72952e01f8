package gitimpl_test

import (
	"testing"

	"github.com/toolfacade/toolfacade/internal/testenv"
)

func TestExample(t *testing.T) {
	testenv.NeedProgram(t, "git")
	const want = "Begin 0\nclean: true\nnot_found\n"
	if got := testenv.Stdout(t, ExampleNew); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
