// Package forkexec starts a program after a list of system calls in the child,
// between fork and exec: what os/exec cannot do, such as mounts, dropped
// capabilities and a seccomp filter, without a hook in the host's main and
// without a helper program.
//
// It exists on Linux for amd64 and arm64.
package forkexec
