package pyexec_test

import (
	"testing"

	"github.com/toolfacade/toolfacade/internal/testenv"
)

func TestExample(t *testing.T) {
	testenv.NeedProgram(t, "python3")
	const want = "hi ['a', 'b']\nfailed 3 none\n"
	if got := testenv.Stdout(t, ExampleOpen); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
