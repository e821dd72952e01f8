// Package hostfs recognizes file systems of afero that are not confined.
package hostfs

import (
	"reflect"

	"github.com/spf13/afero"
)

var aferoFs = reflect.TypeFor[afero.Fs]()

// Unconfined returns the type of a file system of afero's that ends at the
// host's disk, as "*afero.BasePathFs over *afero.OsFs", or "". Wrappers keep
// what they wrap in unexported fields, hence the reflection.
func Unconfined(fsys afero.Fs) string {
	if _, ok := fsys.(*afero.OsFs); ok {
		return "*afero.OsFs"
	}
	v := reflect.ValueOf(fsys)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return ""
	}
	if v.Type().Elem().PkgPath() != aferoFs.PkgPath() {
		return ""
	}
	for i := range v.Elem().NumField() {
		if name := unconfinedField(v.Elem().Field(i)); name != "" {
			return v.Type().String() + " over " + name
		}
	}
	return ""
}

func unconfinedField(f reflect.Value) string {
	if f.Kind() != reflect.Interface || !f.Type().Implements(aferoFs) || f.IsNil() {
		return ""
	}
	inner := f.Elem()
	if inner.Type() == reflect.TypeFor[*afero.OsFs]() {
		return "*afero.OsFs"
	}
	if inner.Kind() != reflect.Pointer || inner.Elem().Kind() != reflect.Struct || inner.Type().Elem().PkgPath() != aferoFs.PkgPath() {
		return ""
	}
	for i := range inner.Elem().NumField() {
		if name := unconfinedField(inner.Elem().Field(i)); name != "" {
			return inner.Type().String() + " over " + name
		}
	}
	return ""
}
