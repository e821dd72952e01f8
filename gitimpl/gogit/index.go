package gogit

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl"
)

// staging is the index as an action works with it.
type staging struct {
	file    *index.Index
	entries map[string]*index.Entry // merged ones
	// unmerged has the versions of files with conflicts, by stage.
	unmerged map[string][]*index.Entry
	// written is when the index was; a file changed since may look unchanged.
	written time.Time
}

// staging reads the index; a repository without one has an empty index.
func (r *repo) staging() (*staging, error) {
	s := &staging{file: &index.Index{Version: 2}, entries: map[string]*index.Entry{}, unmerged: map[string][]*index.Entry{}}
	fi, err := r.git.Stat("index")
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, broken(err)
	}
	s.written = fi.ModTime()
	f, err := r.git.Open("index")
	if err != nil {
		return nil, broken(err)
	}
	defer f.Close()
	if err := index.NewDecoder(bufio.NewReader(f)).Decode(s.file); err != nil {
		return nil, unsupported("the index cannot be read: %v", err)
	}
	for _, e := range s.file.Entries {
		if e.Stage == 0 {
			s.entries[e.Name] = e
		} else {
			s.unmerged[e.Name] = append(s.unmerged[e.Name], e)
		}
	}
	return s, nil
}

// put sets the entry of a file. A file takes the place of a directory of that
// name, and the other way round.
func (s *staging) put(e *index.Entry) {
	for name := range s.entries {
		if strings.HasPrefix(name, e.Name+"/") || strings.HasPrefix(e.Name, name+"/") {
			delete(s.entries, name)
		}
	}
	delete(s.unmerged, e.Name)
	s.entries[e.Name] = e
}

// remove drops what the index has of a file.
func (s *staging) remove(name string) {
	delete(s.entries, name)
	delete(s.unmerged, name)
}

// tree is the content of the index as a commit would have it.
func (s *staging) tree() files {
	out := make(files, len(s.entries))
	for name, e := range s.entries {
		out[name] = blob{mode: e.Mode, hash: e.Hash}
	}
	return out
}

// tracks reports whether the index has path or something below it.
func (s *staging) tracks(path string) bool {
	if _, ok := s.entries[path]; ok || path == "." {
		return true
	}
	if _, ok := s.unmerged[path]; ok {
		return true
	}
	for name := range s.entries {
		if strings.HasPrefix(name, path+"/") {
			return true
		}
	}
	return false
}

// lockIndex takes git's own lock, so that other programs keep off. What it
// returns releases the lock, unless save has put the new index in place.
func (r *repo) lockIndex() (release func(), err error) {
	f, err := r.git.OpenFile("index.lock", os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if errors.Is(err, fs.ErrExist) {
		return nil, locked()
	}
	if err != nil {
		return nil, broken(err)
	}
	if err := f.Close(); err != nil {
		return nil, broken(errors.Join(err, r.git.Remove("index.lock")))
	}
	return func() { _ = r.git.Remove("index.lock") }, nil
}

// save writes the index into the lock file, which must be held, and puts it in
// place at once.
func (r *repo) save(s *staging) error {
	out := &index.Index{Version: s.file.Version}
	for _, e := range s.entries {
		out.Entries = append(out.Entries, e)
	}
	for _, list := range s.unmerged {
		out.Entries = append(out.Entries, list...)
	}
	slices.SortFunc(out.Entries, func(a, b *index.Entry) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return int(a.Stage) - int(b.Stage)
	})
	f, err := r.git.OpenFile("index.lock", os.O_WRONLY|os.O_TRUNC, fileMode)
	if err != nil {
		return broken(err)
	}
	w := bufio.NewWriter(f)
	err = index.NewEncoder(w).Encode(out)
	if err = errors.Join(err, w.Flush(), f.Close()); err != nil {
		return broken(err)
	}
	if err := r.git.Rename("index.lock", "index"); err != nil {
		return broken(err)
	}
	return nil
}

// changing locks and reads the index, lets fn change it and saves it. After a
// failure it is as before.
func (r *repo) changing(fn func(*staging) error) error {
	release, err := r.lockIndex()
	if err != nil {
		return err
	}
	defer release()
	s, err := r.staging()
	if err != nil {
		return err
	}
	if err := fn(s); err != nil {
		return err
	}
	return r.save(s)
}

// entry describes a file of the work tree whose content is stored as hash.
func entry(name string, fi fs.FileInfo, mode filemode.FileMode, hash plumbing.Hash) *index.Entry {
	e := &index.Entry{Name: name, Mode: mode, Hash: hash}
	if fi != nil {
		e.ModifiedAt, e.Size = fi.ModTime(), uint32(fi.Size()) //nolint:gosec // git keeps 32 bits of it too
	}
	return e
}

// conflictError refuses to go on while files have conflicting versions.
func (s *staging) conflictError() error {
	for name := range s.unmerged {
		return fail(facade.CodeConflict, gitimpl.ErrConflict, "%d file(s) still have conflicts, as %s", len(s.unmerged), shown(name)).
			WithHint("write the wanted content into each and stage it")
	}
	return nil
}
