package facadetest

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/spf13/afero"
)

// Op is a kind of file system operation.
type Op string

// The operations of [FaultFs] and [CrashFs]. OpOpen is an open of something
// that exists, OpCreate one with O_CREATE.
const (
	OpOpen     Op = "open"
	OpCreate   Op = "create"
	OpRead     Op = "read"
	OpWrite    Op = "write"
	OpTruncate Op = "truncate"
	OpSync     Op = "sync"
	OpClose    Op = "close"
	OpStat     Op = "stat"
	OpLstat    Op = "lstat"
	OpReadDir  Op = "readdir"
	OpMkdir    Op = "mkdir"
	OpRemove   Op = "remove"
	OpRename   Op = "rename"
	OpChmod    Op = "chmod"
	OpChown    Op = "chown"
	OpChtimes  Op = "chtimes"
	OpSymlink  Op = "symlink"
	OpReadlink Op = "readlink"
)

// Operation is one operation that a [FaultFs] or [CrashFs] was asked for.
type Operation struct {
	// N counts the operations from 1.
	N int
	// Op is the kind.
	Op Op
	// Path is the path given, '/'-separated.
	Path string
	// To is the new path of a rename, the target of a symlink.
	To string
	// Bytes is how many bytes a write was given.
	Bytes int
	// Err is what it returned.
	Err error
}

// Fault makes operations fail.
type Fault struct {
	// Op is the kind that fails; "" is any.
	Op Op
	// Name is a [path.Match] pattern of the base name; "" is any.
	Name string
	// After is how many matching operations succeed first.
	After int
	// Times is how many fail then; 0 is all of them.
	Times int
	// Err is the error, as syscall.ENOSPC, syscall.EIO or fs.ErrPermission.
	// A write that fails with nil returns a short count and no error.
	Err error
	// Partial is how many bytes a failing write writes first, at most all.
	Partial int
}

// FaultFs is an [afero.Fs] that fails on demand and records what it is asked
// for. It is safe for concurrent use. It passes links on when the file system
// beneath has them.
type FaultFs struct {
	base afero.Fs

	mu     sync.Mutex
	faults []*armed
	log    []Operation
}

// armed is a fault with the matching operations it has seen.
type armed struct {
	Fault
	seen int
}

var (
	_ afero.Fs        = (*FaultFs)(nil)
	_ afero.Symlinker = (*FaultFs)(nil)
)

// NewFaultFs returns a file system over base with the faults armed.
func NewFaultFs(base afero.Fs, faults ...Fault) *FaultFs {
	f := &FaultFs{base: base}
	f.Arm(faults...)
	return f
}

// Arm replaces the faults, counting anew, and forgets the operations so far.
// Without faults nothing fails.
func (f *FaultFs) Arm(faults ...Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults, f.log = nil, nil
	for _, fault := range faults {
		f.faults = append(f.faults, &armed{Fault: fault})
	}
}

// Operations returns the operations so far, in their order.
func (f *FaultFs) Operations() []Operation {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.log)
}

// Count returns how many operations there were of the kinds, or of any kind
// when none is given.
func (f *FaultFs) Count(ops ...Op) int {
	n := 0
	for _, o := range f.Operations() {
		if len(ops) == 0 || slices.Contains(ops, o.Op) {
			n++
		}
	}
	return n
}

// trip returns the fault that hits an operation, or nil.
func (f *FaultFs) trip(op Op, name string) *Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	var hit *Fault
	for _, a := range f.faults {
		if a.Op != "" && a.Op != op {
			continue
		}
		if ok, err := path.Match(a.Name, path.Base(filepath.ToSlash(name))); a.Name != "" && (!ok || err != nil) {
			continue
		}
		a.seen++
		if hit == nil && a.seen > a.After && (a.Times == 0 || a.seen <= a.After+a.Times) {
			hit = &a.Fault
		}
	}
	return hit
}

func (f *FaultFs) record(o Operation) {
	f.mu.Lock()
	defer f.mu.Unlock()
	o.N, o.Path = len(f.log)+1, filepath.ToSlash(o.Path)
	f.log = append(f.log, o)
}

// run does an operation, unless a fault hits it, and records it.
func (f *FaultFs) run(op Op, name, to string, do func() error) error {
	var err error
	if hit := f.trip(op, name); hit != nil && hit.Err != nil {
		err = &os.PathError{Op: string(op), Path: name, Err: hit.Err}
	} else {
		err = do()
	}
	f.record(Operation{Op: op, Path: name, To: to, Err: err})
	return err
}

// Name implements [afero.Fs].
func (f *FaultFs) Name() string { return "FaultFs over " + f.base.Name() }

// Create implements [afero.Fs].
func (f *FaultFs) Create(name string) (afero.File, error) {
	return f.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

// Open implements [afero.Fs].
func (f *FaultFs) Open(name string) (afero.File, error) { return f.OpenFile(name, os.O_RDONLY, 0) }

// OpenFile implements [afero.Fs].
func (f *FaultFs) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	op := OpOpen
	if flag&os.O_CREATE != 0 {
		op = OpCreate
	}
	var file afero.File
	err := f.run(op, name, "", func() (err error) {
		file, err = f.base.OpenFile(name, flag, perm)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &faultFile{File: file, fs: f, path: name}, nil
}

// Mkdir implements [afero.Fs].
func (f *FaultFs) Mkdir(name string, perm os.FileMode) error {
	return f.run(OpMkdir, name, "", func() error { return f.base.Mkdir(name, perm) })
}

// MkdirAll implements [afero.Fs].
func (f *FaultFs) MkdirAll(name string, perm os.FileMode) error {
	return f.run(OpMkdir, name, "", func() error { return f.base.MkdirAll(name, perm) })
}

// Remove implements [afero.Fs].
func (f *FaultFs) Remove(name string) error {
	return f.run(OpRemove, name, "", func() error { return f.base.Remove(name) })
}

// RemoveAll implements [afero.Fs].
func (f *FaultFs) RemoveAll(name string) error {
	return f.run(OpRemove, name, "", func() error { return f.base.RemoveAll(name) })
}

// Rename implements [afero.Fs].
func (f *FaultFs) Rename(from, to string) error {
	return f.run(OpRename, from, to, func() error { return f.base.Rename(from, to) })
}

// Stat implements [afero.Fs].
func (f *FaultFs) Stat(name string) (info os.FileInfo, err error) {
	err = f.run(OpStat, name, "", func() error { info, err = f.base.Stat(name); return err })
	return info, err
}

// LstatIfPossible implements [afero.Lstater].
func (f *FaultFs) LstatIfPossible(name string) (info os.FileInfo, lstat bool, err error) {
	err = f.run(OpLstat, name, "", func() error {
		if l, ok := f.base.(afero.Lstater); ok {
			info, lstat, err = l.LstatIfPossible(name)
		} else {
			info, err = f.base.Stat(name)
		}
		return err
	})
	return info, lstat, err
}

// SymlinkIfPossible implements [afero.Linker].
func (f *FaultFs) SymlinkIfPossible(target, name string) error {
	return f.run(OpSymlink, name, target, func() error {
		if l, ok := f.base.(afero.Linker); ok {
			return l.SymlinkIfPossible(target, name)
		}
		return &os.LinkError{Op: "symlink", Old: target, New: name, Err: afero.ErrNoSymlink}
	})
}

// ReadlinkIfPossible implements [afero.LinkReader].
func (f *FaultFs) ReadlinkIfPossible(name string) (target string, err error) {
	err = f.run(OpReadlink, name, "", func() error {
		if l, ok := f.base.(afero.LinkReader); ok {
			target, err = l.ReadlinkIfPossible(name)
			return err
		}
		return &os.PathError{Op: "readlink", Path: name, Err: afero.ErrNoReadlink}
	})
	return target, err
}

// Chmod implements [afero.Fs].
func (f *FaultFs) Chmod(name string, mode os.FileMode) error {
	return f.run(OpChmod, name, "", func() error { return f.base.Chmod(name, mode) })
}

// Chown implements [afero.Fs].
func (f *FaultFs) Chown(name string, uid, gid int) error {
	return f.run(OpChown, name, "", func() error { return f.base.Chown(name, uid, gid) })
}

// Chtimes implements [afero.Fs].
func (f *FaultFs) Chtimes(name string, accessed, modified time.Time) error {
	return f.run(OpChtimes, name, "", func() error { return f.base.Chtimes(name, accessed, modified) })
}
