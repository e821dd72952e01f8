//go:build unix

package pyexec

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/internal/testenv"
)

// TestLauncher runs a program with the launcher as the interpreter compiled it,
// and as one has to that did not.
func TestLauncher(t *testing.T) {
	python, err := (&system{path: testenv.NeedProgram(t, "python3")}).get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if python.boot == boot || !strings.Contains(python.boot, "marshal.loads(") {
		t.Fatalf("the launcher is not compiled: %.100s", python.boot)
	}
	magic := python.boot[strings.LastIndex(python.boot, "== b'"):]
	foreign := strings.Replace(python.boot, magic, "== b'foreign' else sys.argv[2].split('\\f')[2])", 1)
	for name, launcher := range map[string]string{"compiled": python.boot, "foreign": foreign, "source": boot} {
		dir := t.TempDir()
		if err := os.WriteFile(dir+"/program.py", []byte("def f():\n    print(__name__)\n    1 / 0\nf()\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), python.path, append(python.flags(), "-c", launcher, dir+"/program.py", texts(), "", "<code>")...)
		out, err := cmd.CombinedOutput()
		want := "__main__\nTraceback (most recent call last):\n  File \"<code>\", line 4, in <module>\n    f()\n  File \"<code>\", line 3, in f\n    1 / 0\n"
		if err == nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("%s: the program writes %s, %v", name, out, err)
		}
		if _, err := os.Stat(dir + "/artifacts"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
