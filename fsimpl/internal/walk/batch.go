package walk

import (
	"path"

	"github.com/spf13/afero"
)

// batchSize is how many entries a batch has at most.
const batchSize = 256

// Batch is some entries of one directory. It is valid, like its files, until
// the work on it returns.
type Batch struct {
	Entries []Entry

	tree tree
	rel  string    // the directory, relative to the start
	dir  directory // nil until needed
	err  error     // why dir could not be opened
}

// Open opens a file of the batch.
func (b *Batch) Open(e *Entry) (Readable, error) {
	if err := b.enter(); err != nil {
		return nil, err
	}
	return b.dir.open(e.Name)
}

// Stat describes an entry of the batch; nil when it is gone.
func (b *Batch) Stat(e *Entry) *Info {
	if e.Info != nil || b.enter() != nil {
		return e.Info
	}
	info, err := b.dir.stat(e.Name)
	if err != nil {
		return nil
	}
	return info
}

// enter opens the directory of the batch, once.
func (b *Batch) enter() error {
	if b.dir == nil && b.err == nil {
		b.dir, b.err = b.tree.dir(b.rel)
	}
	return b.err
}

func (b *Batch) close() {
	if b.dir != nil {
		_ = b.dir.close() // only read from
		b.dir = nil
	}
}

// fileTree stands for a start that is a file: a directory of one entry.
type fileTree struct {
	fsys  afero.Fs
	start string
}

// fileBatch returns the batch of a walk that starts at a file.
func fileBatch(fsys afero.Fs, start string) (*Batch, error) {
	info, err := fsys.Stat(start)
	if err != nil {
		return nil, err
	}
	dir, name := path.Split(start)
	e := Entry{Dir: dir, Name: name, Type: typeOf(info.Mode()), Info: infoOf(info)}
	return &Batch{Entries: []Entry{e}, tree: fileTree{fsys, start}}, nil
}

func (t fileTree) close() error                       { return nil }
func (t fileTree) dir(string) (directory, error)      { return t, nil }
func (t fileTree) read(*listing) error                { return errNotRegular }
func (t fileTree) stat(string) (*Info, error)         { return nil, errNotRegular }
func (t fileTree) open(name string) (Readable, error) { return openFile(t.fsys, t.start) }
