//go:build amd64 || arm64

package sandbox

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// kind is what an entry of the child's root is.
type kind int

const (
	readOnly kind = iota
	writable
	device
	link
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
	"ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "passwd", "group", "nsswitch.conf",
	"hosts", "resolv.conf", "gai.conf", "host.conf", "localtime", "timezone", "locale.conf", "protocols", "services",
	"mime.types", "ssl/certs", "ssl/openssl.cnf", "ca-certificates", "pki/tls/certs", "pki/ca-trust/extracted",
	"fonts", "matplotlibrc", "terminfo", "python3", "profile", "os-release",
}

var devices = []string{"null", "zero", "full", "random", "urandom", "tty"}

// layout lists the child's root, parents in front of what lies in them.
func layout(p Policy) ([]entry, error) {
	var out []entry
	for _, path := range system {
		out = append(out, optional(path)...)
	}
	for _, name := range settings {
		out = append(out, optional("/etc/"+name)...)
	}
	for _, name := range devices {
		out = append(out, entry{kind: device, path: "/dev/" + name, from: "/dev/" + name})
	}
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
	slices.SortStableFunc(own, func(a, b entry) int { return cmp.Compare(len(a.path), len(b.path)) })
	return append(out, own...), nil
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
