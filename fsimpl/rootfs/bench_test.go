package rootfs

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// benchName is three directories deep, as usual in a source tree.
const benchName = "a/b/file.txt"

// BenchmarkCompare puts FS beside package os: compare the lines of an
// operation with each other, not with another machine's.
func BenchmarkCompare(b *testing.B) {
	dir := b.TempDir()
	check(b, os.MkdirAll(filepath.Join(dir, "a/b"), 0o755))
	path := filepath.Join(dir, benchName)
	check(b, os.WriteFile(path, bytes.Repeat([]byte("x"), 2048), 0o644))
	f := variants()[0].open(b, dir, nil)
	bench := func(name string, run func() error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				check(b, run())
			}
		})
	}
	bench("stat/os", func() error { _, err := os.Stat(path); return err })
	bench("stat/rootfs", func() error { _, err := f.Stat(benchName); return err })
	bench("lstat/os", func() error { _, err := os.Lstat(path); return err })
	bench("lstat/rootfs", func() error { _, err := f.Lstat(benchName); return err })
	bench("read2k/os", func() error { _, err := os.ReadFile(path); return err })
	bench("read2k/rootfs", func() error { _, err := f.ReadFile(benchName, 1<<20); return err })
	buf := make([]byte, 4096)
	bench("open-read-close/os", func() error {
		file, err := os.Open(path)
		return readOnce(file, err, buf)
	})
	bench("open-read-close/rootfs", func() error {
		file, _, err := f.OpenRegular(benchName, os.O_RDONLY, 0)
		return readOnce(file, err, buf)
	})
	bench("list/os", func() error { _, err := os.ReadDir(filepath.Join(dir, "a")); return err })
	bench("list/rootfs", func() error {
		d, err := f.OpenDir("a")
		if err != nil {
			return err
		}
		defer d.Close()
		_, err = d.ReadDir(-1)
		return err
	})
	bench("create-rename/os", func() error {
		check(b, os.WriteFile(path+".tmp", buf, 0o600))
		return os.Rename(path+".tmp", path)
	})
	bench("create-rename/rootfs", func() error {
		file, err := f.CreateTemp("a/b", "tmp-*")
		if err != nil {
			return err
		}
		if _, err := file.Write(buf); err != nil {
			return err
		}
		check(b, file.Close())
		return f.Rename(file.Name(), benchName)
	})
}

func readOnce(file *os.File, err error, buf []byte) error {
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := io.ReadFull(file, buf); err != io.ErrUnexpectedEOF {
		return err
	}
	return nil
}
