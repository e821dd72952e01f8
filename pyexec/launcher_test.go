//go:build unix

package pyexec

import (
	"os"
	"os/exec"
	"slices"
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
	if len(python.boot.head) <= len((compiled{}).launcher().head) || !strings.Contains(python.boot.start, "marshal.loads(") {
		t.Fatalf("the launcher is not compiled: %s", python.boot.start)
	}
	foreign := python.boot
	foreign.start = foreign.start[:strings.LastIndex(foreign.start, "== b'")] + "== b'foreign' else texts[2])"
	for name, launch := range map[string]boot{"compiled": python.boot, "foreign": foreign, "source": compiled{}.launcher()} {
		dir := t.TempDir()
		code := "def f():\n    print(__name__)\n    1 / 0\nf()\n"
		if err := os.WriteFile(dir+"/"+program, slices.Concat(launch.head, []byte(code)), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), python.path, append(python.flags(), "-c", launch.start, dir+"/"+program, "", "<code>")...)
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
