package journal

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tree is a tree of files in memory that can be told to fail.
type tree struct {
	mu    sync.Mutex
	nodes map[string]node
	fail  string // Restore and Move of this path fail
}

type node struct {
	state State
	data  string
}

func newTree(files ...string) *tree {
	t := &tree{nodes: map[string]node{}}
	for i := 0; i < len(files); i += 2 {
		t.write(files[i], files[i+1])
	}
	return t
}

func fileState(data string) State {
	sum := sha256.Sum256([]byte(data))
	return State{Kind: Regular, Mode: 0o644, Hash: hex.EncodeToString(sum[:]), Size: int64(len(data))}
}

func (t *tree) write(path, data string) { t.nodes[path] = node{fileState(data), data} }

func (t *tree) State(_ context.Context, path string) (State, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.nodes[path].state, nil
}

func (t *tree) Open(_ context.Context, path string) (io.ReadCloser, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n, ok := t.nodes[path]
	if !ok || n.state.Kind != Regular {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(strings.NewReader(n.data)), nil
}

var errRefused = errors.New("refused")

func (t *tree) Restore(_ context.Context, path string, s State, content io.Reader) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if path == t.fail {
		return errRefused
	}
	if s.Same(State{}) {
		for other := range t.nodes {
			if other != path && within(other, path) {
				return errors.New("not empty: " + path)
			}
		}
		delete(t.nodes, path)
		return nil
	}
	n := node{state: s}
	if content != nil {
		b, err := io.ReadAll(content)
		if err != nil {
			return err
		}
		n.data = string(b)
	}
	t.nodes[path] = n
	return nil
}

func (t *tree) Move(_ context.Context, from, to string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if from == t.fail || to == t.fail {
		return errRefused
	}
	if _, taken := t.nodes[to]; taken {
		return fs.ErrExist
	}
	moved := map[string]node{}
	for path, n := range t.nodes {
		if within(path, from) {
			moved[to+strings.TrimPrefix(path, from)] = n
			delete(t.nodes, path)
		}
	}
	for path, n := range moved {
		t.nodes[path] = n
	}
	return nil
}

// list shows the tree, for comparison.
func (t *tree) list() map[string]string {
	out := map[string]string{}
	for path, n := range t.nodes {
		out[path] = string(n.state.Kind) + " " + n.state.Mode.String() + " " + n.data + n.state.Target
	}
	return out
}

// do makes one operation: begin, change, commit.
func do(t testing.TB, j *Journal, tr *tree, action string, changes ...Change) string {
	t.Helper()
	ctx := context.Background()
	tx, err := j.Begin(ctx, "s", action, changes, tr)
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	return tx.ID()
}

// writeFile is the operation of writing a file.
func writeFile(t testing.TB, j *Journal, tr *tree, path, data string) string {
	t.Helper()
	c := Change{Path: path, Before: tr.nodes[path].state, After: fileState(data)}
	ctx := context.Background()
	tx, err := j.Begin(ctx, "s", "write", []Change{c}, tr)
	if err != nil {
		t.Fatal(err)
	}
	tr.write(path, data)
	if err := tx.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	return tx.ID()
}

func undo(t testing.TB, j *Journal, tr *tree, steps int, path string) ([]Reverted, error) {
	t.Helper()
	p, err := j.PlanUndo("s", steps, path)
	if err != nil {
		t.Fatal(err)
	}
	return p.Run(context.Background(), tr)
}

func redo(t testing.TB, j *Journal, tr *tree, steps int, path string) ([]Reverted, error) {
	t.Helper()
	p, err := j.PlanRedo("s", steps, path)
	if err != nil {
		t.Fatal(err)
	}
	return p.Run(context.Background(), tr)
}

// each runs a test on both kinds of journal.
func each(t *testing.T, o *Options, f func(t *testing.T, j *Journal)) {
	t.Run("memory", func(t *testing.T) { f(t, NewMemory(o)) })
	t.Run("directory", func(t *testing.T) {
		j, err := Open(t.TempDir(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		f(t, j)
	})
}

func large(n int) string { return string(bytes.Repeat([]byte("x"), n)) }
