package fsimpl_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func verify(m *testing.M) int { return goleakRun(m) }

// goleakRun runs the tests and fails when they leave goroutines.
func goleakRun(m *testing.M) int {
	code := m.Run()
	if err := goleak.Find(); err != nil && code == 0 {
		println(err.Error())
		return 1
	}
	return code
}

// args renders the arguments of a call given as name, value, name, value.
func args(action facade.FileAction, kv ...any) json.RawMessage {
	m := map[string]any{"action": action}
	for i := 0; i < len(kv); i += 2 {
		m[kv[i].(string)] = kv[i+1]
	}
	raw, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return raw
}

// call calls the tool and fails the test on a Go error or a call without end.
func call(t testing.TB, tool *facade.Tool, raw json.RawMessage) *facade.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	res, err := tool.Call(ctx, facade.Call{Args: raw})
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return res
}

// newFiles works on a file system until the test ends.
func newFiles(t testing.TB, fsys afero.Fs, opts *fsimpl.Options) *fsimpl.Files {
	t.Helper()
	files, err := fsimpl.New(fsys, opts)
	check(t, err)
	t.Cleanup(func() { check(t, files.Close()) })
	return files
}

// image describes everything in a file system: directories as "dir", files by
// mode and content.
func image(fsys afero.Fs) (map[string]string, error) {
	seen := map[string]string{}
	err := afero.Walk(fsys, "/", func(p string, info fs.FileInfo, err error) error {
		if err != nil || p == "/" {
			return err
		}
		if info.IsDir() {
			seen[p[1:]] = "dir"
			return nil
		}
		data, err := afero.ReadFile(fsys, p)
		seen[p[1:]] = info.Mode().String() + " " + string(data)
		return err
	})
	return seen, err
}

// temps are the names of temporary files in an image.
func temps(img map[string]string) []string {
	var names []string
	for name := range maps.Keys(img) {
		if strings.Contains(name, ".toolfacade-") {
			names = append(names, name)
		}
	}
	return names
}

// plant makes directories (names with a slash at the end) and files.
func plant(t testing.TB, fsys afero.Fs, tree map[string]string) {
	t.Helper()
	for name, content := range tree {
		name = "/" + name
		if strings.HasSuffix(name, "/") {
			check(t, fsys.MkdirAll(name, 0o755))
			continue
		}
		check(t, fsys.MkdirAll(name[:strings.LastIndex(name, "/")+1], 0o755))
		check(t, afero.WriteFile(fsys, name, []byte(content), 0o640))
	}
}
