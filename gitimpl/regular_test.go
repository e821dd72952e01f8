package gitimpl

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/internal/testenv"
)

func TestReadRegular(t *testing.T) {
	dir := t.TempDir()
	for name, size := range map[string]int{"empty": 0, "four": 4, "five": 5} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Repeat("x", size)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const limit = 4
	for _, c := range []struct {
		name string
		want string
		err  error
	}{
		{"empty", "", nil},
		{"four", "xxxx", nil},
		{"five", "", errTooLong},
		{"none", "", fs.ErrNotExist},
		{".", "", fs.ErrInvalid},
	} {
		got, err := readRegular(filepath.Join(dir, c.name), limit)
		if string(got) != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v; want %q, %v", c.name, got, err, c.want, c.err)
		}
	}
}

// TestSettings holds that git takes every pair as it was given.
func TestSettings(t *testing.T) {
	testenv.NeedProgram(t, "git")
	want := map[string]string{
		"core.a": "", "core.b": "it's", "core.c": `\ " ! '!' $x`, "core.d": "two\nlines = [x]", "remote.a=b 'c'.url": "v", "http.https://h/.extraheader": "A: b=",
	}
	var list []pair
	for key, value := range want {
		list = append(list, pair{key, value})
	}
	cmd := exec.CommandContext(t.Context(), "git", "config", "--null", "--list")
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CEILING_DIRECTORIES=" + filepath.Dir(cmd.Dir), settings(list[:2], list[2:])}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := splitSettings(out)
	if len(got) != len(want) {
		t.Errorf("%d settings, want %d", len(got), len(want))
	}
	for _, s := range got {
		key := s.section + "." + s.name
		if s.sub != "" {
			key = s.section + "." + s.sub + "." + s.name
		}
		if value, ok := want[key]; !ok || value != s.value {
			t.Errorf("%q is %q, want %q", key, s.value, value)
		}
	}
}
