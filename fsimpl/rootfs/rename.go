package rootfs

import "errors"

// renameFrom completes a rename whose old name is settled; it runs inside a
// call of do. errBeyond from the new name is dealt with here, so that the old
// one is not blamed for it.
func (f *FS) renameFrom(oldname, newname string, noReplace bool) error {
	if err := f.checkName(newname); err != nil {
		return err
	}
	if _, base, _ := split(newname); isDots(base) {
		if _, err := f.resolve(newname, followLast); errors.Is(err, errBeyond) {
			return errOutside
		}
		return errNamesRoot
	}
	err := f.b.rename(oldname, newname, noReplace)
	if !errors.Is(err, errBeyond) {
		return err
	}
	if oldname, err = f.resolve(oldname, keepLast); err != nil {
		return outside(err)
	}
	if newname, err = f.resolve(newname, keepLast); err != nil {
		return outside(err)
	}
	if err = f.b.rename(oldname, newname, noReplace); errors.Is(err, errBeyond) {
		return errMount
	}
	return err
}
