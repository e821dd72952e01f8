//go:build amd64 || arm64

package sandbox

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// home is the control group that a controller's new groups are made in.
type home struct {
	dir     string
	version int // 0 for version 1, 1 for version 2
}

// hierarchy is one mounted tree of control groups.
type hierarchy struct {
	root, point string // what of the tree is mounted, and where
	version     int
	options     []string
}

// findHome finds where groups with a controller can be made: below the host's
// own group, or beside it where that was delegated to the host.
func findHome(name string) (home, error) {
	mounts, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return home{}, err
	}
	defer func() { _ = mounts.Close() }() // it was only read
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return home{}, err
	}
	for _, h := range hierarchies(mounts) {
		path, ok := ownGroup(string(own), name, h.version)
		below, inside := strings.CutPrefix(path, strings.TrimSuffix(h.root, "/"))
		if !ok || !inside || h.version == 0 && !slices.Contains(h.options, name) {
			continue
		}
		dir := filepath.Join(h.point, below)
		if h.version == 0 {
			return home{dir, 0}, nil
		}
		if text, err := os.ReadFile(filepath.Join(dir, "cgroup.controllers")); err != nil || !slices.Contains(strings.Fields(string(text)), name) {
			continue
		}
		return unified(dir, h.point, name)
	}
	return home{}, errors.New("the system has none")
}

// unified finds the place in a tree of version 2. There a group that has
// processes of its own, as the host's has, gives no controllers to groups below
// it, but for the very root. So the host's parent will do, when it is the
// host's: an ordinary user's own directory, or one that systemd delegated.
func unified(dir, point, name string) (home, error) {
	err := enable(dir, name)
	if err == nil {
		return home{dir, 1}, nil
	}
	up := filepath.Dir(dir)
	if up == point || !strings.HasPrefix(up, point) || !delegated(up) {
		return home{}, fmt.Errorf("the host's own group cannot be divided: %w", err)
	}
	return home{up, 1}, enable(up, name)
}

// enable lets the groups below dir have a controller, and tries it.
func enable(dir, name string) error {
	file := filepath.Join(dir, "cgroup.subtree_control")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !slices.Contains(strings.Fields(string(text)), name) {
		if err := os.WriteFile(file, []byte("+"+name), 0); err != nil {
			return err
		}
	}
	return unix.Access(dir, unix.W_OK)
}

func delegated(dir string) bool {
	for _, attr := range []string{"user.delegate", "trusted.delegate"} {
		value := make([]byte, 8)
		if n, err := unix.Getxattr(dir, attr, value); err == nil && string(value[:n]) == "1" {
			return true
		}
	}
	var st unix.Stat_t
	return os.Geteuid() != 0 && unix.Stat(dir, &st) == nil && int(st.Uid) == os.Geteuid()
}

// ownGroup finds the process's group in the text of /proc/self/cgroup.
func ownGroup(text, controller string, version int) (string, bool) {
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(f) == 3 && (version == 1 && f[1] == "" || version == 0 && slices.Contains(strings.Split(f[1], ","), controller)) {
			return f[2], true
		}
	}
	return "", false
}

// hierarchies reads the trees of control groups from a mountinfo file.
func hierarchies(r io.Reader) []hierarchy {
	var out []hierarchy
	for lines := bufio.NewScanner(r); lines.Scan(); {
		front, back, _ := strings.Cut(lines.Text(), " - ")
		f, b := strings.Fields(front), strings.Fields(back)
		if len(f) < 5 || len(b) < 3 || b[0] != "cgroup" && b[0] != "cgroup2" {
			continue
		}
		h := hierarchy{root: unescape(f[3]), point: unescape(f[4]), options: strings.Split(b[2], ",")}
		if b[0] == "cgroup2" {
			h.version = 1
		}
		out = append(out, h)
	}
	return out
}

// unescape undoes how mountinfo writes blanks and the like.
func unescape(s string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(s)
}
