//go:build !linux

package rootfs

import "os"

func newBackend(root *os.Root) (backend, error) { return newPortableBackend(root) }
