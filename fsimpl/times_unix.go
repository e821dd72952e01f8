//go:build linux || darwin

package fsimpl

import "time"

// timeOrNil hides a time that the file system does not record.
func timeOrNil(sec, nsec int64) *time.Time {
	if sec == 0 && nsec == 0 {
		return nil
	}
	t := time.Unix(sec, nsec)
	return &t
}
