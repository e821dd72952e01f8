//go:build !linux

package rootfs

func linuxVariants() []variant { return nil }
