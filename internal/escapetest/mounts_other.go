//go:build unix && !linux

package escapetest

// mounts is empty: only Linux has mount namespaces to try them in.
var mounts []recipe
