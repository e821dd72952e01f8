package termexec_test

import (
	"testing"

	"github.com/toolfacade/toolfacade/internal/testenv"
)

func TestExample(t *testing.T) {
	testenv.NeedProgram(t, "echo")
	const want = "stdout: hello\nsucceeded 0 none\n"
	if got := testenv.Stdout(t, ExampleOpen); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
