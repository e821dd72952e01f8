package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/toolfacade/toolfacade"

// arrows says which packages of this module a package may import. A key or a
// value ending in "/..." stands for a package and all below it. The first
// match in the list counts.
var arrows = []struct {
	pkg string
	may []string
	why string
}{
	{"facade", nil, "the hall holds contracts and dispatch and depends on nobody"},
	{"facade/facadetest", []string{"facade"}, "the suites know contracts only"},
	{"facade/access", []string{"facade"}, "policy works on contracts only"},
	{"schema", []string{"facade"}, "schemas are made of contracts only"},
	{"fsimpl/...", []string{"facade", "fsimpl/...", "internal/exif", "internal/hostfs", "internal/pathname", "internal/regex"}, "implementations never import each other, nor schema"},
	{"gitimpl/...", []string{"facade", "gitimpl/...", "internal/pathname", "internal/proc", "internal/regex"}, "implementations never import each other, nor schema"},
	{"pyexec/...", []string{"facade", "pyexec/...", "runner", "sandbox", "internal/..."}, "implementations never import each other, nor schema"},
	{"termexec/...", []string{"facade", "termexec/...", "runner", "sandbox", "internal/..."}, "implementations never import each other, nor schema"},
	{"docs/...", []string{"facade", "docs/...", "internal/..."}, "implementations never import each other, nor schema"},
	{"fssync", []string{"facade"}, "implementations never import each other, nor schema"},
	{"host/xmlcmd", []string{"facade"}, "hosts know contracts and schemas only"},
	{"sandbox", []string{"internal/..."}, "containment knows no tools"},
	{"internal/taskspool", []string{"facade", "internal/proc"}, "tasks know no sandbox and no tool"},
	{"runner", []string{"facade", "sandbox"}, "options know contracts and containment"},
	{"internal/exectool", []string{"facade", "runner", "sandbox", "internal/proc", "internal/taskspool"}, "what the python and the terminal tool share"},
	{"host", []string{"facade", "schema"}, "adapters turn contracts and schemas into a host's forms"},
	{"internal/hosttest", []string{"facade", "schema"}, "what the tests of all adapters share"},
	{"internal/everything", []string{"facade"}, "fakes for the generators"},
	{"internal/refgen", []string{"facade", "schema", "internal/..."}, "the reference is made of contracts and schemas"},
	{"internal/...", []string{"internal/..."}, "shared helpers know no tools"},
	{"examples/...", []string{"...", ""}, "examples are hosts"},
	{"", []string{"..."}, "the front door opens every room"},
}

// testOnly are packages that nothing but tests may import.
var testOnly = []string{"facade/facadetest", "docs/indextest", "internal/testenv", "internal/hosttest", "internal/archtest"}

type pkg struct {
	ImportPath string
	Doc        string
	Imports    []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Doc,Imports", module+"/...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func within(pattern, path string) bool {
	base, deep := strings.CutSuffix(pattern, "...")
	if !deep {
		return pattern == path
	}
	base = strings.TrimSuffix(base, "/")
	return base == "" || path == base || strings.HasPrefix(path, base+"/")
}

func local(importPath string) (string, bool) {
	rest, ok := strings.CutPrefix(importPath, module)
	return strings.TrimPrefix(rest, "/"), ok
}

func TestImports(t *testing.T) {
	for _, p := range packages(t) {
		from, _ := local(p.ImportPath)
		for _, rule := range arrows {
			if !within(rule.pkg, from) {
				continue
			}
			for _, i := range p.Imports {
				if to, ours := local(i); ours && !anyWithin(rule.may, to) {
					t.Errorf("%s imports %s: %s", from, to, rule.why)
				}
			}
			break
		}
		for _, i := range p.Imports {
			if to, ours := local(i); ours && anyWithin(testOnly, to) {
				t.Errorf("%s imports %s, which is for tests only", from, to)
			}
		}
	}
}

func anyWithin(patterns []string, path string) bool {
	for _, p := range patterns {
		if within(p, path) {
			return true
		}
	}
	return false
}

// TestFacadeIsStandardLibraryOnly keeps third parties out of the contracts.
func TestFacadeIsStandardLibraryOnly(t *testing.T) {
	for _, p := range packages(t) {
		if p.ImportPath != module+"/facade" {
			continue
		}
		for _, i := range p.Imports {
			if first, _, _ := strings.Cut(i, "/"); strings.Contains(first, ".") {
				t.Errorf("facade imports %s; it may import the standard library only", i)
			}
		}
	}
}

// TestEveryPackageHasADoc also serves as the list of packages in `go doc`.
func TestEveryPackageHasADoc(t *testing.T) {
	for _, p := range packages(t) {
		if p.Doc == "" {
			t.Errorf("%s has no package comment", p.ImportPath)
		}
	}
}
