//go:build !unix

package fsimpl

import "github.com/spf13/afero"

// tryLock takes the advisory lock of an open file or directory, for as long as
// it is open. known is false where there are no such locks.
func tryLock(file afero.File) (got, known bool) {
	onDisk := handle(file) != nil
	return !onDisk, !onDisk
}
