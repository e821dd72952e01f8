//go:build !linux && !darwin

package fsimpl

import (
	"io/fs"
	"time"
)

// birthAndAccess returns the times beyond fs.FileInfo, which are not read here.
func birthAndAccess(fs.FileInfo) (birth, access *time.Time) { return nil, nil }
