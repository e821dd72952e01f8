package fsimpl_test

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/fsimpl"
	"github.com/toolfacade/toolfacade/fsimpl/rootfs"
	"github.com/toolfacade/toolfacade/internal/escapetest"
)

// TestEscapeControl proves that the table can fail: the payloads do lead out
// of the tool on afero's own confinement.
func TestEscapeControl(t *testing.T) {
	escaped, cells := map[string]bool{}, 0
	for _, name := range escapetest.Names() {
		if strings.Contains(name, "fifo") || strings.Contains(name, "sparse") || strings.Contains(name, "loop") {
			continue // nothing would keep them from hanging
		}
		var w *escapetest.World
		for _, a := range pathActions() {
			if w == nil {
				if w = escapetest.Build(t, escapetest.TempDir(t), name); len(w.Payloads) == 0 {
					break
				}
			}
			files := basePath(t, w.Root)
			res := attempt(t, facade.Files(files), a, w.Payloads[0].Path)
			check(t, files.Close())
			damaged := w.Damage() != ""
			if damaged || leaked(w, w.Payloads[0], res) != "" {
				escaped[name] = true
				cells++
			}
			if damaged || w.Touched() {
				w = nil
			}
		}
	}
	t.Logf("BasePathFs: %d of %d payloads escape, in %d calls", len(escaped), len(escapetest.Names()), cells)
	for _, name := range []string{"link to file", "absolute link to file", "through link to dir", "chain"} {
		if !escaped[name] {
			t.Errorf("%q does not escape from BasePathFs: the table proves nothing", name)
		}
	}
}

// controlRun tells the test binary to run the suite that has to fail.
const controlRun = "FSIMPL_TEST_CONTROL"

// TestConformanceControl proves that the conformance suite notices a lack of
// confinement: on BasePathFs its rules on links fail, in another process.
func TestConformanceControl(t *testing.T) {
	if os.Getenv(controlRun) != "" {
		facadetest.TestFiles(t, facadetest.FilesHarness{New: func(t testing.TB) *facadetest.FilesFixture {
			dir := t.TempDir()
			files := basePath(t, dir)
			t.Cleanup(func() { check(t, files.Close()) })
			return &facadetest.FilesFixture{Tools: files, Store: facadetest.NewDirStore(dir), HostPath: dir, Confined: true}
		}})
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestConformanceControl$/^(links|confine)$", "-test.v", "-test.timeout=5m")
	cmd.Env = append(os.Environ(), controlRun+"=1")
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Errorf("the suite passes on BasePathFs:\n%s", out)
	}
	for _, rule := range []string{"links/outside"} {
		if !bytes.Contains(out, []byte("--- FAIL: TestConformanceControl/"+rule+" ")) {
			t.Errorf("the rule %s does not fail on BasePathFs:\n%s", rule, out)
		}
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "--- FAIL: TestConformanceControl/") {
			t.Log(strings.TrimSpace(line))
		}
	}
}

// TestNewRefuses refuses file systems of afero's that end at the host's disk,
// and says why.
func TestNewRefuses(t *testing.T) {
	osFs := afero.NewOsFs()
	base := afero.NewBasePathFs(osFs, t.TempDir())
	refused := map[string]afero.Fs{
		"OsFs": osFs, "BasePathFs": base, "BasePathFs twice": afero.NewBasePathFs(base, "sub"),
		"ReadOnlyFs":        afero.NewReadOnlyFs(base),
		"CacheOnReadFs":     afero.NewCacheOnReadFs(base, afero.NewMemMapFs(), 0),
		"CopyOnWriteFs":     afero.NewCopyOnWriteFs(base, afero.NewMemMapFs()),
		"layer of the disk": afero.NewCopyOnWriteFs(afero.NewMemMapFs(), osFs),
		"RegexpFs":          afero.NewRegexpFs(afero.NewReadOnlyFs(osFs), nil),
	}
	for name, fsys := range refused {
		files, err := fsimpl.New(fsys, nil)
		if err == nil {
			check(t, files.Close())
			t.Errorf("%s is accepted", name)
			continue
		}
		if !strings.Contains(err.Error(), "*afero.OsFs") || !strings.Contains(err.Error(), "fsimpl.Open") {
			t.Errorf("%s: %v, want the reason and the way out", name, err)
		}
	}
	if _, err := fsimpl.New(nil, nil); err == nil {
		t.Error("nil is accepted")
	}
	root, err := rootfs.Open(t.TempDir(), nil)
	check(t, err)
	accepted := map[string]afero.Fs{
		"MemMapFs": afero.NewMemMapFs(), "rootfs": root,
		"CopyOnWriteFs": afero.NewCopyOnWriteFs(afero.NewReadOnlyFs(afero.NewMemMapFs()), afero.NewMemMapFs()),
		"BasePathFs":    afero.NewBasePathFs(afero.NewMemMapFs(), "/sub"),
	}
	for name, fsys := range accepted {
		files, err := fsimpl.New(fsys, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		check(t, files.Close())
	}
}
