//go:build !unix

package fsimpl

// tryLock takes the advisory lock of an open file or directory, for as long as
// it is open. known is false where there are no such locks.
func tryLock(file any) (got, known bool) {
	_, isOS := file.(interface{ Fd() uintptr })
	return !isOS, !isOS
}
