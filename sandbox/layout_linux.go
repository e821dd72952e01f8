//go:build amd64 || arm64

package sandbox

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// kind is what an entry of the child's root is.
type kind int

const (
	readOnly kind = iota
	writable
	device
	link
	masked // an empty device over it
)

// entry is one thing in the child's root.
type entry struct {
	kind kind
	path string
	from string // the host's path, or the target of a link
	dir  bool
}

// system are the directories of programs and libraries.
var system = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}

// settings is what programs need of /etc, and nothing secret: no shadow, no
// private keys, no host-specific services.
var settings = []string{
	"ld.so.cache", "alternatives", "passwd", "group", "nsswitch.conf",
	"hosts", "resolv.conf", "gai.conf", "host.conf", "localtime", "timezone", "locale.conf", "protocols", "services",
	"mime.types", "ssl/certs", "ssl/openssl.cnf", "ca-certificates", "pki/tls/certs", "pki/ca-trust/extracted",
	"fonts", "matplotlibrc", "terminfo", "python3", "profile", "os-release",
}

var devices = []string{"null", "zero", "full", "random", "urandom"}

// processes are the parts of /proc that tell of the whole machine and that
// nobody needs. All of /proc is read-only: root of the host owns what lies in
// /proc/sys, and so a contained root, without any capability, could write it.
var processes = []string{"keys", "key-users", "timer_list", "sched_debug", "kcore"}

// layout lists the child's root, parents in front of what lies in them. A child
// with a terminal of its own gets the device that names it; any other could
// reach the host's terminal with it.
func layout(p Policy, terminal bool) ([]entry, error) {
	out := hidden()
	for _, path := range system {
		out = append(out, optional(path)...)
	}
	for _, name := range settings {
		out = append(out, optional("/etc/"+name)...)
	}
	for _, name := range devices {
		out = append(out, entry{kind: device, path: "/dev/" + name, from: "/dev/" + name})
	}
	tty := entry{kind: device, path: "/dev/tty", from: "/dev/tty"}
	if !terminal {
		tty.kind = masked
	}
	out = append(out, tty)
	own, err := granted(p)
	return append(out, own...), err
}

// hidden lists what is masked in /proc.
func hidden() []entry {
	var out []entry
	for _, name := range processes {
		if info, err := os.Stat("/proc/" + name); err == nil && info.Mode().IsRegular() {
			out = append(out, entry{kind: masked, path: "/proc/" + name})
		}
	}
	return out
}

// granted lists the policy's own paths.
func granted(p Policy) ([]entry, error) {
	var own []entry
	for _, list := range []struct {
		kind  kind
		paths []string
	}{{writable, p.Writable}, {readOnly, p.ReadOnly}} {
		for _, path := range list.paths {
			e, err := required(list.kind, path)
			if err != nil {
				return nil, err
			}
			own = append(own, e)
		}
	}
	own = append(own, pinned(own)...)
	slices.SortStableFunc(own, func(a, b entry) int { return cmp.Compare(len(a.path), len(b.path)) })
	return own, nil
}

// pinned lists the directories between a writable one and what is protected in
// it. As mounts they cannot be renamed: otherwise the child would move the
// protected path away with its parent and put another in its place.
func pinned(own []entry) []entry {
	var out []entry
	for _, e := range own {
		if e.kind != readOnly {
			continue
		}
		for _, d := range parents(e.path) {
			within := slices.ContainsFunc(own, func(w entry) bool {
				return w.kind == writable && strings.HasPrefix(d, w.path+"/")
			})
			known := func(o entry) bool { return o.path == d }
			if within && !slices.ContainsFunc(own, known) && !slices.ContainsFunc(out, known) {
				out = append(out, entry{writable, d, d, true})
			}
		}
	}
	return out
}

// optional is an entry for what is there, as it is there.
func optional(path string) []entry {
	target, err := os.Readlink(path)
	if err == nil && !filepath.IsAbs(target) && slices.Contains(system, path) {
		return []entry{{kind: link, path: path, from: target}}
	}
	e, err := required(readOnly, path)
	if err != nil {
		return nil
	}
	return []entry{e}
}

func required(k kind, path string) (entry, error) {
	if !filepath.IsAbs(path) || filepath.Clean(path) == "/" {
		return entry{}, fmt.Errorf("the sandbox needs an absolute path below the root, not %q", path)
	}
	// A link would be followed in the child's root, where it may lead elsewhere.
	from, err := filepath.EvalSymlinks(path)
	if err != nil {
		return entry{}, fmt.Errorf("a path of the sandbox's policy: %w", err)
	}
	info, err := os.Stat(from)
	if err != nil {
		return entry{}, fmt.Errorf("a path of the sandbox's policy: %w", err)
	}
	return entry{k, filepath.Clean(path), from, info.IsDir()}, nil
}

// parents lists the directories above path, the highest first.
func parents(path string) []string {
	var out []string
	for d := filepath.Dir(path); d != "/"; d = filepath.Dir(d) {
		out = append(out, d)
	}
	slices.Reverse(out)
	return out
}
