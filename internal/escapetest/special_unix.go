//go:build unix

package escapetest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// special plants what is neither a plain file nor a link.
var special = append([]recipe{
	{name: "fifo", path: "fifo", plant: mknod("root/fifo", syscall.S_IFIFO, 0), refuse: true},
	{name: "fifo by link", path: "l-fifo", links: []string{"l-fifo -> fifo2"}, plant: mknod("root/fifo2", syscall.S_IFIFO, 0), refuse: true},
	{name: "fifo outside", path: "l-ofifo", links: []string{"l-ofifo -> ../outside/fifo"}, plant: mknod("outside/fifo", syscall.S_IFIFO, 0), refuse: true},
	{name: "socket", path: "socket", plant: mknod("root/socket", syscall.S_IFSOCK, 0), refuse: true},
	{name: "device", path: "zero", plant: mknod("root/zero", syscall.S_IFCHR, 1<<8|5), refuse: true},
	{name: "block device", path: "ram", plant: mknod("root/ram", syscall.S_IFBLK, 1<<8|250), refuse: true},
	{name: "sparse 1 TiB", path: "sparse", plant: sparse},
	{name: "hard link", path: "hard", plant: hardLink, shared: true},
	{name: "link to hard link", path: "l-hard", links: []string{"l-hard -> hard2"}, plant: hardLink2, shared: true},
}, mounts...)

func mknod(name string, mode uint32, dev int) func(testing.TB, *World) error {
	return func(_ testing.TB, w *World) error {
		return syscall.Mknod(filepath.Join(w.Dir, name), mode|0o666, dev)
	}
}

func sparse(_ testing.TB, w *World) error {
	f, err := os.Create(filepath.Join(w.Root, "sparse"))
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Truncate(1 << 40)
}

func hardLink(_ testing.TB, w *World) error {
	return os.Link(filepath.Join(w.Dir, "outside/secret.txt"), filepath.Join(w.Root, "hard"))
}

func hardLink2(_ testing.TB, w *World) error {
	return os.Link(filepath.Join(w.Dir, "outside/dir/secret.txt"), filepath.Join(w.Root, "hard2"))
}

// identity tells a file apart from all others of the world.
func identity(info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("ino=%d;", st.Ino)
	}
	return ""
}

func owner(info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("%d:%d", st.Uid, st.Gid)
	}
	return ""
}
