package main

import (
	"encoding/json"
	"fmt"
	"time"

	"go.etcd.io/bbolt"

	"github.com/toolfacade/toolfacade/facade"
)

// store keeps records by kind, project and id, in one file.
type store struct{ db *bbolt.DB }

func openStore(path string) (*store, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second})
	if err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	return &store{db}, nil
}

// The kinds of records.
const (
	kindProject   = "project"
	kindContainer = "container"
	kindSession   = "session"
	kindToken     = "token"
	kindSchedule  = "schedule"
)

// global is the place of records that belong to no project. No project has such
// a name.
const global = "*"

// get reads a record; it fails as not_found.
func get[T any](s *store, kind, project, id string) (T, error) {
	var v T
	err := s.db.View(func(tx *bbolt.Tx) error {
		data := bucket(tx, kind, project).value(id)
		if data == nil {
			return facade.Errorf(facade.CodeNotFound, "there is no %s '%s'", kind, id)
		}
		return json.Unmarshal(data, &v)
	})
	return v, err
}

// list reads the records of a project in the order of their ids.
func list[T any](s *store, kind, project string) ([]T, error) {
	all := []T{}
	err := s.db.View(func(tx *bbolt.Tx) error {
		b := bucket(tx, kind, project)
		if b.Bucket == nil {
			return nil
		}
		return b.ForEach(func(_, data []byte) error {
			var v T
			if err := json.Unmarshal(data, &v); err != nil {
				return err
			}
			all = append(all, v)
			return nil
		})
	})
	return all, err
}

// change reads a record, has it changed, and writes it back, as one. A new
// record is the zero value, and fresh says so.
func change[T any](s *store, kind, project, id string, f func(v *T, fresh bool) error) (T, error) {
	var v T
	err := s.db.Update(func(tx *bbolt.Tx) error {
		outer, err := tx.CreateBucketIfNotExists([]byte(kind))
		if err != nil {
			return err
		}
		b, err := outer.CreateBucketIfNotExists([]byte(project))
		if err != nil {
			return err
		}
		data := b.Get([]byte(id))
		if data != nil {
			if err := json.Unmarshal(data, &v); err != nil {
				return err
			}
		}
		if err := f(&v, data == nil); err != nil {
			return err
		}
		if data, err = json.Marshal(v); err != nil {
			return err
		}
		return b.Put([]byte(id), data)
	})
	return v, err
}

// existing is for change: it fails as not_found for a fresh record.
func existing[T any](kind, id string, f func(v *T) error) func(*T, bool) error {
	return func(v *T, fresh bool) error {
		if fresh {
			return facade.Errorf(facade.CodeNotFound, "there is no %s '%s'", kind, id)
		}
		return f(v)
	}
}

// remove deletes a record; it fails as not_found.
func (s *store) remove(kind, project, id string) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		b := bucket(tx, kind, project)
		if b.value(id) == nil {
			return facade.Errorf(facade.CodeNotFound, "there is no %s '%s'", kind, id)
		}
		return b.Delete([]byte(id))
	})
}

// forget deletes all that belongs to a project.
func (s *store) forget(project string) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		for _, kind := range []string{kindContainer, kindSession, kindSchedule} {
			outer := tx.Bucket([]byte(kind))
			if outer == nil || outer.Bucket([]byte(project)) == nil {
				continue
			}
			if err := outer.DeleteBucket([]byte(project)); err != nil {
				return err
			}
		}
		return nil
	})
}

// records is the bucket of a kind and a project, or none.
type records struct{ *bbolt.Bucket }

func bucket(tx *bbolt.Tx, kind, project string) records {
	outer := tx.Bucket([]byte(kind))
	if outer == nil {
		return records{}
	}
	return records{outer.Bucket([]byte(project))}
}

func (r records) value(id string) []byte {
	if r.Bucket == nil || id == "" {
		return nil
	}
	return r.Get([]byte(id))
}
