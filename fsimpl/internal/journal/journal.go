// Package journal remembers what a session changed in a tree of files, so that
// it can be undone and redone. It lives outside the tree: a directory of
// content-addressed blobs and one log per session, or memory. Of a large file
// with few changes it keeps the way back instead of the content, see [Reverse].
//
// The journal never touches the tree itself: it plans, and asks a [Tree], which
// the file tools implement on their one way of writing. An operation is
// recorded with the states before and after of every path before anything
// changes, and confirmed afterwards, so a crash at any point leaves either
// nothing to say or all that is needed to go back.
package journal

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"sync"
	"time"
)

// Kind is the kind of thing at a path.
type Kind string

// The kinds. Devices, sockets and pipes are not journaled.
const (
	Absent    Kind = "absent"
	Regular   Kind = "file"
	Directory Kind = "directory"
	Symlink   Kind = "symlink"
)

// State is what stands at a path. Two equal states are the same for undo.
type State struct {
	Kind   Kind
	Mode   fs.FileMode // permission bits; 0 for symbolic links
	Hash   string      // SHA-256 of a file's content in lower-case hex
	Size   int64       // bytes of a file
	Target string      // of a symbolic link
}

// Same reports whether two states are the same. Nothing is the same as the
// zero value, which is [Absent].
func (s State) Same(t State) bool {
	if s.Kind == "" {
		s.Kind = Absent
	}
	if t.Kind == "" {
		t.Kind = Absent
	}
	return s == t
}

// Change is what an operation did to one path.
type Change struct {
	Path   string
	Before State
	After  State
	// From is where a moved file or directory came from, with all that is in
	// it; "" when nothing moved. Before is then what Path had before.
	From string
	// Lost says that the old content was too large to keep.
	Lost bool
	// Reverse leads back from the content after to that before, so that the
	// latter need not be kept whole; nil when the way is not known.
	Reverse *Reverse
	// Content is what After has in a regular file, where the caller has it in
	// memory; else it is read from the tree.
	Content []byte
}

// Operation is one journaled action with all its changes, in the order they
// were made: a directory before what is in it, and in a deletion after it.
type Operation struct {
	ID      string // names the operation within its session, as "c12"
	Session string
	Action  string
	Time    time.Time
	Changes []Change
	Undone  bool

	seq  int64
	open bool // begun, neither committed nor aborted
}

// Paths lists the paths that the operation touches.
func (o Operation) Paths() []string {
	var paths []string
	seen := map[string]bool{"": true}
	for _, c := range o.Changes {
		for _, name := range []string{c.From, c.Path} {
			if !seen[name] {
				seen[name] = true
				paths = append(paths, name)
			}
		}
	}
	return paths
}

// Tree is the tree of files, as the journal sees it. Paths are those of the
// changes. Implementations are safe for concurrent use on different paths; the
// caller holds whatever locks the paths need.
type Tree interface {
	// State returns what stands at path now; nothing there is no error.
	State(ctx context.Context, path string) (State, error)
	// Open returns the content of a regular file.
	Open(ctx context.Context, path string) (io.ReadCloser, error)
	// Restore puts path into a state. content gives a file's content and is nil
	// for other kinds. A directory to be removed is empty by then.
	Restore(ctx context.Context, path string, state State, content io.Reader) error
	// Move renames from to to, where nothing stands.
	Move(ctx context.Context, from, to string) error
}

// Options bounds a journal. Nil and zero values are safe defaults.
type Options struct {
	MaxAge        time.Duration    // operations older than that are forgotten; 0 is 30 days
	MaxBytes      int64            // content kept in all; 0 is 1 GiB
	MaxOperations int              // operations kept for each session; 0 is 1000
	MaxFile       int64            // larger old content is not kept and cannot be restored; 0 is a quarter of MaxBytes
	NoSync        bool             // faster, but a power failure may lose the latest entries
	Now           func() time.Time // the clock; nil is time.Now
}

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.MaxAge <= 0 {
		c.MaxAge = 30 * 24 * time.Hour
	}
	if c.MaxBytes <= 0 {
		c.MaxBytes = 1 << 30
	}
	if c.MaxOperations <= 0 {
		c.MaxOperations = 1000
	}
	if c.MaxFile <= 0 {
		c.MaxFile = c.MaxBytes / 4
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// store keeps blobs and logs. Its methods are safe for concurrent use.
type store interface {
	// put keeps content and returns its hash and size. known is the hash where
	// the caller has it, else "". Content that is not durable may be cut, or
	// gone, after a power failure.
	put(ctx context.Context, r io.Reader, known string, durable bool) (hash string, size int64, err error)
	// secure makes content durable that is kept already, and reports whether it
	// is: there, as its hash says, and kept for another grace.
	secure(ctx context.Context, hash string) bool
	// putReverse keeps a way back, durably.
	putReverse(key string, b []byte) error
	// get opens content by its hash, or a way back by its key; fs.ErrNotExist
	// when it is not kept.
	get(key string) (io.ReadCloser, error)
	// update gives the session's records to change, which returns those to add,
	// and keeps all others from the log meanwhile. What begins an operation is
	// durable when it returns; the rest can be told from the tree after a crash.
	update(session string, change func([]record) ([]record, error)) error
	// sweep gives all logs and the sizes of all blobs to plan, which returns the
	// logs to rewrite and the blobs to drop.
	sweep(plan sweepPlan) error
	close() error
}

// Journal records operations. It is safe for concurrent use, also by several
// processes that share a directory.
type Journal struct {
	o     Options
	store store

	mu    sync.Mutex
	since int   // commits since the last sweep
	added int64 // bytes kept since then
}

// Open returns the journal in a directory, which it makes with mode 0700 and
// which must be outside the tree. Old entries are swept.
func Open(dir string, o *Options) (*Journal, error) {
	opts := o.withDefaults()
	s, err := openDir(dir, opts)
	if err != nil {
		return nil, err
	}
	j := &Journal{o: opts, store: s}
	if err := j.Sweep(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return j, nil
}

// NewMemory returns a journal that lives as long as the process.
func NewMemory(o *Options) *Journal {
	return &Journal{o: o.withDefaults(), store: newMemory()}
}

// Close releases the journal. Entries stay.
func (j *Journal) Close() error { return j.store.close() }
