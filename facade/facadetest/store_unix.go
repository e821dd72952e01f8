//go:build unix

package facadetest

import "syscall"

var _ FIFOStore = DirStore{}

// Mkfifo implements [FIFOStore].
func (s DirStore) Mkfifo(p string) error { return syscall.Mkfifo(s.host(p), 0o644) }
