package fssync

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/afero"
)

// memory keeps what both sides had in common, durably where a file is given.
type memory struct {
	fs   afero.Fs // nil keeps it in this process
	file string
	base map[string]string
	// begun are the changes of the last run, while nobody knows how far it got:
	// it runs, or the process died.
	begun map[string]begun
}

// begun is a change that may have been made.
type begun struct {
	Sum    string `json:"sum"`    // what the file becomes; "" for nothing
	Target bool   `json:"target"` // the side that changes
}

type memoryFile struct {
	Version int               `json:"version"`
	Files   map[string]string `json:"files"`
	Begun   map[string]begun  `json:"begun,omitempty"`
}

// settled returns what both sides had last, after a change from base that may
// have been made: s and t are what they have now. It is "" when nobody can tell.
func (b begun) settled(base, s, t string) string {
	from, to := s, t
	if !b.Target {
		from, to = t, s
	}
	switch {
	case to == b.Sum:
		return b.Sum
	case to == base && from == b.Sum:
		return base
	}
	return ""
}

const memoryVersion = 1

// load reads the memory. One that cannot be understood is none: what differs is
// then a conflict, and nothing is lost.
func (m *memory) load() error {
	m.base = map[string]string{}
	if m.fs == nil {
		return nil
	}
	data, err := afero.ReadFile(m.fs, m.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("fssync: read the state: %w", err)
	}
	var f memoryFile
	if json.Unmarshal(data, &f) == nil && f.Version == memoryVersion && f.Files != nil {
		m.base, m.begun = f.Files, f.Begun
	}
	return nil
}

// save replaces the file as a whole.
func (m *memory) save() error {
	if m.fs == nil {
		return nil
	}
	data, err := json.Marshal(memoryFile{memoryVersion, m.base, m.begun})
	if err != nil {
		return err
	}
	if err := m.replace(data); err != nil {
		return fmt.Errorf("fssync: write the state: %w", err)
	}
	return nil
}

func (m *memory) replace(data []byte) error {
	dir := filepath.Dir(m.file)
	if err := m.fs.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temp := m.file + ".new"
	f, err := m.fs.OpenFile(temp, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := m.fs.Rename(temp, m.file); err != nil {
		return err
	}
	if d, err := m.fs.Open(dir); err == nil {
		_ = d.Sync() // some systems cannot; the rename is atomic all the same
		_ = d.Close()
	}
	return nil
}
