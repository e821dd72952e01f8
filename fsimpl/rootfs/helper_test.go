package rootfs

import (
	"os"
	"runtime"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// variant is one way to resolve names; what works and what is refused must
// not depend on it.
type variant struct {
	name string
	new  func(*os.Root) (backend, error)
}

// variants returns all that run on this system. On Linux these are the one for
// other systems too.
func variants() []variant {
	all := []variant{{"portable", newPortableBackend}}
	if runtime.GOOS == "linux" {
		all = append(linuxVariants(), all...)
	}
	return all
}

// eachVariant runs a test for each way to resolve names.
func eachVariant(t *testing.T, test func(t *testing.T, v variant)) {
	for _, v := range variants() {
		t.Run(v.name, func(t *testing.T) { test(t, v) })
	}
}

// open opens a directory and closes it with the test.
func (v variant) open(t testing.TB, dir string, opts *Options) *FS {
	t.Helper()
	f, err := open(dir, opts, v.new)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
