package validators

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestPythonSyntax(t *testing.T) {
	v := &PythonSyntax{Interpreter: testenv.NeedProgram(t, "python3")}
	for _, tt := range []struct {
		name, content string
		line          int // of the finding; 0 means none
	}{
		{"valid", "def f(x):\n    return x\n", 0},
		{"empty", "", 0},
		{"not run", "import os\nos._exit(3)\n", 0},
		{"unclosed parenthesis", "x = 1\nprint((1, 2)\n", 2},
		{"indentation", "if True:\nx = 1\n", 2},
		{"another language", "package main\n", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := v.ValidateWrite(t.Context(), facade.WriteCandidate{Path: "a.py", Content: tt.content})
			if err != nil {
				t.Fatal(err)
			}
			line := 0
			if len(got) > 0 {
				line = got[0].Line
			}
			if line != tt.line || len(got) > 1 {
				t.Errorf("findings %+v, want one at line %d", got, tt.line)
			}
		})
	}
}

func TestPythonMissing(t *testing.T) {
	v := &PythonSyntax{Interpreter: filepath.Join(t.TempDir(), "python3")}
	if _, err := v.ValidateWrite(t.Context(), facade.WriteCandidate{Path: "a.py"}); err == nil {
		t.Error("no error though there is no interpreter")
	}
}

func TestAccepts(t *testing.T) {
	py, c := &PythonSyntax{}, &Command{Match: []string{"*.go", "Makefile", "[bad"}}
	for path, want := range map[string][2]bool{
		"a.py": {true, false}, "x/B.PYI": {true, false}, "dir/a.go": {false, true},
		"Makefile": {false, true}, "a.pyc": {false, false}, "go": {false, false},
	} {
		if got := [2]bool{py.Accepts(path), c.Accepts(path)}; got != want {
			t.Errorf("%s: accepted by python, command = %v, want %v", path, got, want)
		}
	}
}

func TestCommand(t *testing.T) {
	sh := testenv.NeedProgram(t, "sh")
	candidate := facade.WriteCandidate{Path: "dir/a.txt", Content: "hello\n"}
	for _, tt := range []struct {
		name   string
		script string
		arg    string
		want   []facade.Finding
	}{
		{"passes", "exit 0", "{file}", nil},
		{"reads the copy", `grep -q hello "$1"`, "{file}", nil},
		{"reads standard input", "grep -q hello", "-", nil},
		{"finding names the path", `echo "$1:1: bad"; exit 1`, "{file}", []facade.Finding{{Validator: "check", Severity: "error", Message: "dir/a.txt:1: bad"}}},
		{"silent failure", "exit 3", "{file}", []facade.Finding{{Validator: "check", Severity: "error", Message: "check ended with status 3"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := &Command{Label: "check", Args: []string{sh, "-c", tt.script, "sh", tt.arg}}
			got, err := c.ValidateWrite(t.Context(), candidate)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
		})
	}
}

func TestCommandBounds(t *testing.T) {
	sh := testenv.NeedProgram(t, "sh")
	c := &Command{Label: "slow", Args: []string{sh, "-c", "sleep 60 & sleep 60"}, Timeout: 100 * time.Millisecond}
	start := time.Now()
	if _, err := c.ValidateWrite(t.Context(), facade.WriteCandidate{Path: "a"}); err == nil || !strings.Contains(err.Error(), "did not end") {
		t.Errorf("error %v, want a time limit", err)
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("a checker that hangs held the write for %v", d)
	}
	c = &Command{Label: "loud", Args: []string{sh, "-c", "head -c 1000000 /dev/zero | tr '\\0' x; exit 1"}}
	got, err := c.ValidateWrite(t.Context(), facade.WriteCandidate{Path: "a"})
	if err != nil || len(got) != 1 || len(got[0].Message) > maxOutput {
		t.Errorf("%d findings, error %v, want one of at most %d bytes", len(got), err, maxOutput)
	}
	c = &Command{Label: "absent", Args: []string{"no-such-checker-anywhere"}}
	if _, err := c.ValidateWrite(t.Context(), facade.WriteCandidate{Path: "a"}); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("error %v, want %v", err, exec.ErrNotFound)
	}
}
