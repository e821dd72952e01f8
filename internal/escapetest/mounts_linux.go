package escapetest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// inNamespace is set in the environment of a test that runs in a mount
// namespace of its own.
const inNamespace = "ESCAPETEST_MOUNT_NAMESPACE"

var mounts = []recipe{
	{name: "bind mount", path: "mnt", plant: bind("outside", "mnt"), refuse: true},
	{name: "through bind mount", path: "mnt2/secret.txt", plant: bind("outside", "mnt2"), refuse: true},
	{name: "new in bind mount", path: "mnt3/planted.txt", plant: bind("outside", "mnt3"), refuse: true},
	{name: "below bind mount", path: "sub/mnt4/dir/secret.txt", plant: bind("outside", "sub/mnt4"), refuse: true},
	{name: "above bind mount", path: "mnt5", plant: bind("outside", "mnt5/dir/mnt")},
	{name: "bind mount by link", path: "l-mnt/secret.txt", links: []string{"l-mnt -> mnt6"}, plant: bind("outside", "mnt6"), refuse: true},
	{name: "bind mount of file", path: "mnt-file", plant: bind("outside/secret.txt", "mnt-file"), refuse: true},
	{name: "bind mount of root's parent", path: "mnt7/outside/secret.txt", plant: bind(".", "mnt7"), refuse: true},
	{name: "bind mount of root", path: "mnt8/inside.txt", plant: bind("root", "mnt8"), refuse: true},
}

// Mounts returns the names of the payloads with mounts, which exist only in
// tests that [InMountNamespace] runs.
func Mounts() []string {
	var names []string
	for _, r := range mounts {
		names = append(names, r.name)
	}
	return names
}

// InMountNamespace reports whether the test already runs in a mount namespace
// of its own. If not, it runs the test again in one, as another process, and
// the caller returns. It skips where the user may not have a namespace.
func InMountNamespace(t *testing.T) bool {
	t.Helper()
	if os.Getenv(inNamespace) != "" {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), inNamespace+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Getuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Skipf("no mount namespace for this user: %v", err)
	}
	t.Logf("in a mount namespace:\n%s", out)
	if err != nil {
		t.Error(err)
	}
	return false
}

func bind(source, target string) func(testing.TB, *World) error {
	return func(t testing.TB, w *World) error {
		if os.Getenv(inNamespace) == "" {
			return errors.New("needs a mount namespace of its own")
		}
		source, target := filepath.Join(w.Dir, source), filepath.Join(w.Root, target)
		if err := mountPoint(source, target); err != nil {
			return err
		}
		// Private first: nothing of this may reach the host's namespace.
		if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
			return err
		}
		if err := syscall.Mount(source, target, "", syscall.MS_BIND, ""); err != nil {
			return err
		}
		w.undo = append(w.undo, func() { detach(t, w.Root) })
		t.Cleanup(func() { detach(t, w.Root) })
		return nil
	}
}

// detach ends all mounts below a directory, wherever a call under test may
// have moved them.
func detach(t testing.TB, dir string) {
	table, err := os.ReadFile("/proc/self/mounts")
	check(t, err)
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); strings.HasPrefix(fields[1], dir+"/") {
			check(t, syscall.Unmount(fields[1], syscall.MNT_DETACH))
		}
	}
}

// mountPoint makes an entry of the kind of source.
func mountPoint(source, target string) error {
	info, err := os.Stat(source)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return os.MkdirAll(target, 0o755)
	}
	return os.WriteFile(target, nil, 0o644)
}
