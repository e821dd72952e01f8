package facadetest

import (
	"os"

	"github.com/spf13/afero"
)

// faultFile is an open file of a [FaultFs]. Seek and Name never fail.
type faultFile struct {
	afero.File
	fs   *FaultFs
	path string
}

func (f *faultFile) Close() error { return f.fs.run(OpClose, f.path, "", f.File.Close) }

func (f *faultFile) Sync() error { return f.fs.run(OpSync, f.path, "", f.File.Sync) }

func (f *faultFile) Truncate(size int64) error {
	return f.fs.run(OpTruncate, f.path, "", func() error { return f.File.Truncate(size) })
}

func (f *faultFile) Stat() (info os.FileInfo, err error) {
	err = f.fs.run(OpStat, f.path, "", func() error { info, err = f.File.Stat(); return err })
	return info, err
}

func (f *faultFile) Read(p []byte) (n int, err error) {
	err = f.fs.run(OpRead, f.path, "", func() error { n, err = f.File.Read(p); return err })
	return n, err
}

func (f *faultFile) ReadAt(p []byte, off int64) (n int, err error) {
	err = f.fs.run(OpRead, f.path, "", func() error { n, err = f.File.ReadAt(p, off); return err })
	return n, err
}

func (f *faultFile) Readdir(count int) (infos []os.FileInfo, err error) {
	err = f.fs.run(OpReadDir, f.path, "", func() error { infos, err = f.File.Readdir(count); return err })
	return infos, err
}

func (f *faultFile) Readdirnames(count int) (names []string, err error) {
	err = f.fs.run(OpReadDir, f.path, "", func() error { names, err = f.File.Readdirnames(count); return err })
	return names, err
}

func (f *faultFile) Write(p []byte) (int, error) { return f.write(p, f.File.Write) }

func (f *faultFile) WriteAt(p []byte, off int64) (int, error) {
	return f.write(p, func(p []byte) (int, error) { return f.File.WriteAt(p, off) })
}

func (f *faultFile) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

// write writes p, or what a fault leaves of it.
func (f *faultFile) write(p []byte, do func([]byte) (int, error)) (n int, err error) {
	hit := f.fs.trip(OpWrite, f.path)
	if hit == nil {
		n, err = do(p)
	} else {
		if part := p[:min(hit.Partial, len(p))]; len(part) > 0 {
			n, err = do(part)
		}
		if err == nil && hit.Err != nil {
			err = &os.PathError{Op: string(OpWrite), Path: f.path, Err: hit.Err}
		}
	}
	f.fs.record(Operation{Op: OpWrite, Path: f.path, Bytes: len(p), Err: err})
	return n, err
}
