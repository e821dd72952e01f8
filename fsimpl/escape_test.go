package fsimpl_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
	"github.com/toolfacade/toolfacade/internal/escapetest"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

const (
	callTimeout = 10 * time.Second
	callMemory  = 64 << 20
)

// opaque is afero's own confinement, in a type that New does not know.
type opaque struct{ *afero.BasePathFs }

// basePath is the tool without confinement, to show that an attack works.
func basePath(t testing.TB, dir string) *fsimpl.Files {
	t.Helper()
	base, ok := afero.NewBasePathFs(afero.NewOsFs(), dir).(*afero.BasePathFs)
	if !ok {
		t.Fatal("afero.NewBasePathFs returns another type")
	}
	files, err := fsimpl.New(opaque{base}, &fsimpl.Options{NoSync: true})
	check(t, err)
	return files
}

func confined(t testing.TB, dir string) *fsimpl.Files {
	t.Helper()
	files, err := fsimpl.Open(dir, nil)
	check(t, err)
	return files
}

// TestEscapes runs every payload through every action that takes a path:
// nothing outside is read, named, created, changed or removed, no call hangs,
// and none takes much memory.
func TestEscapes(t *testing.T) {
	payloads, cells := 0, 0
	for _, name := range escapetest.Names() {
		t.Run(name, func(t *testing.T) {
			n := runPayload(t, name)
			cells += n
			payloads++
		})
	}
	t.Logf("%d payloads, %d calls", payloads, cells)
	if payloads < 60 {
		t.Errorf("%d payloads, want 60 at least", payloads)
	}
}

// runPayload gives each action a world as good as new, and returns the number
// of calls.
func runPayload(t *testing.T, name string) (calls int) {
	var w *escapetest.World
	var files *fsimpl.Files
	done := func() {
		if files != nil {
			check(t, files.Close())
		}
		w, files = nil, nil
	}
	for _, a := range pathActions() {
		if w == nil {
			if w = escapetest.Build(t, escapetest.TempDir(t), name); len(w.Payloads) == 0 {
				t.Skip("this system or user cannot have it")
			}
			files = confined(t, w.Root)
		}
		calls++
		p := w.Payloads[0]
		res := attempt(t, facade.Files(files), a, p.Path)
		if leak := leaked(w, p, res); leak != "" {
			t.Errorf("%s leaks %q: %s\n%s", a.name, leak, res.Text, res.JSON())
		}
		if a.opens && p.MustRefuse && res.Error == nil {
			t.Errorf("%s succeeds: %s", a.name, res.Text)
		}
		if e := res.Error; e != nil && (e.Code == facade.CodeInternal || e.Hint == "" && e.Field == "") {
			t.Errorf("%s: the error helps nobody: %s", a.name, res.Text)
		}
		if damage := w.Damage(); damage != "" {
			t.Errorf("%s does damage (%s): %s", a.name, res.Text, damage)
			done()
		} else if w.Touched() {
			done()
		}
	}
	done()
	return calls
}

// attempt makes the calls of an action under a watch on time and memory.
func attempt(t testing.TB, tool *facade.Tool, a action, p string) *facade.Result {
	t.Helper()
	if a.before != nil {
		if res := watched(t, tool, a.name, a.before(p)); res.Error != nil {
			return res
		}
	}
	return watched(t, tool, a.name, a.args(p))
}

func watched(t testing.TB, tool *facade.Tool, name string, raw json.RawMessage) *facade.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	before := allocated()
	type reply struct {
		res *facade.Result
		err error
	}
	replies := make(chan reply, 1)
	go func() {
		res, err := tool.Call(ctx, facade.Call{Args: raw})
		replies <- reply{res, err}
	}()
	select {
	case r := <-replies:
		if r.err != nil {
			t.Fatalf("%s: %v", name, r.err)
		}
		if n := allocated() - before; n > callMemory {
			t.Errorf("%s takes %d MiB", name, n>>20)
		}
		return r.res
	case <-time.After(callTimeout + time.Second):
		t.Fatalf("%s hangs", name)
		return nil
	}
}

// allocated returns the bytes allocated since the process began.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// secretSize is how a reply would show the size of the files outside.
var secretSize = regexp.MustCompile(`"size":7919\b|\b7919 bytes|\b7\.7 KiB`)

// leaked looks for marks of the outside in all that a call returned, and in a
// file that it may have copied or moved inside.
func leaked(w *escapetest.World, p escapetest.Payload, res *facade.Result) string {
	text := res.Text + "\n" + string(res.JSON())
	for _, part := range res.Parts {
		text += string(part.Data)
	}
	escaped := pathname.Escape(p.Path)
	quoted, _ := json.Marshal(escaped)
	for _, own := range []string{strings.Trim(string(quoted), `"`), escaped, path.Clean(escaped), p.Path} {
		// What the call said itself may be said back, with or without the slash.
		if len(own) > 3 {
			text = strings.ReplaceAll(text, own, "<path>")
			text = strings.ReplaceAll(text, strings.TrimLeft(own, "/"), "<path>")
		}
	}
	if strings.Contains(p.Path, w.Dir) {
		text = strings.ReplaceAll(text, w.Dir, "<dir>")
	}
	if leak := w.Leak(p, text); leak != "" {
		return leak
	}
	if info, err := os.Lstat(filepath.Join(w.Root, "stolen")); p.Shared || err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return ""
	}
	for _, name := range []string{"stolen", "stolen/secret.txt"} {
		name := filepath.Join(w.Root, name)
		info, err := os.Lstat(name)
		if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			continue
		}
		if data, err := os.ReadFile(name); err == nil && strings.Contains(string(data), escapetest.Secret) {
			return "content in " + name
		}
	}
	return secretSize.FindString(text)
}
