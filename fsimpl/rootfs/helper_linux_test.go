package rootfs

func linuxVariants() []variant {
	return []variant{{"openat2", newBackend}, {"rootopener", newRootOpenerBackend}}
}
