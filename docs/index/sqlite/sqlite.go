// Package sqlite is a storage backend of the document tool in one SQLite file,
// with its full-text search FTS5. It needs no cgo and no server.
//
// The file is a cache of what the documents say: deleting it loses nothing but
// the time to index again. Several processes may use it at once. What a call
// has stored survives the end of the process at any moment; after a failure of
// the power the last batches may be missing, and the next index call adds them.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	_ "modernc.org/sqlite" // the driver

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
)

var _ docs.VectorIndex = (*Index)(nil)

// Options tune an [Index]. The zero value is the safe default.
type Options struct {
	// Name is what storage_backends calls the index; "" means "sqlite".
	Name string
	// Readers is how many searches run at once; 0 means 4. Each has a cache of
	// up to 8 MiB.
	Readers int
}

// Index is an index in a file. It is safe for concurrent use.
type Index struct {
	name  string
	write *sql.DB    // one connection
	read  *sql.DB    // several, which see what is committed
	mu    sync.Mutex // held while writing, so that waiting obeys contexts of others
}

// Open opens the index in a file, which is created with its directory when it
// does not exist, readable by the user only. A file of a newer version of this
// package, or one that is no index, is an error; one of an older version is
// emptied.
func Open(ctx context.Context, path string, opts *Options) (*Index, error) {
	o := Options{}
	if opts != nil {
		o = *opts
	}
	if o.Name == "" {
		o.Name = "sqlite"
	}
	if o.Readers <= 0 {
		o.Readers = 4
	}
	if err := private(path); err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	i := &Index{name: o.Name}
	var err error
	if i.write, err = sql.Open("sqlite", dsn(path, true)); err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	i.write.SetMaxOpenConns(1)
	if i.read, err = sql.Open("sqlite", dsn(path, false)); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: %w", err), i.write.Close())
	}
	i.read.SetMaxOpenConns(o.Readers)
	i.read.SetMaxIdleConns(o.Readers)
	if err := i.migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: cannot use %s as an index: %w", path, err), i.Close())
	}
	return i, nil
}

// private creates the file for the user only; SQLite gives the files beside it
// the same mode.
func private(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

func dsn(path string, write bool) string {
	q := url.Values{"_pragma": {"busy_timeout(10000)", "journal_mode(wal)", "synchronous(normal)", "cache_size(-8192)", "temp_store(memory)"}}
	if write {
		q.Set("_txlock", "immediate")
		q.Add("_pragma", "journal_size_limit(67108864)")
	} else {
		q.Add("_pragma", "query_only(1)")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = path
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: q.Encode()}
	if u.Path != "" && u.Path[0] != '/' { // a drive of Windows
		u.Path = "/" + u.Path
	}
	return u.String()
}

// Name implements [docs.Index].
func (i *Index) Name() string { return i.name }

// Close implements [docs.Index]. Calls afterwards fail.
func (i *Index) Close() error {
	return errors.Join(i.read.Close(), i.write.Close())
}

// Stats implements [docs.IndexSearcher].
func (i *Index) Stats(ctx context.Context) (docs.IndexStats, error) {
	var s docs.IndexStats
	err := i.read.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM documents), (SELECT count(*) FROM terms_docsize)").Scan(&s.Documents, &s.Chunks)
	return s, failure(err)
}

// Documents implements [docs.IndexStore].
func (i *Index) Documents(ctx context.Context, under string) (map[string]string, error) {
	// Paths below a directory are those from "dir/" to before "dir0", the
	// character after the slash.
	query, args := "SELECT path, version FROM documents WHERE path = ? OR path >= ? AND path < ?", []any{under, under + "/", under + "0"}
	if under == "." {
		query, args = "SELECT path, version FROM documents", nil
	}
	rows, err := i.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, failure(err)
	}
	defer rows.Close()
	all := map[string]string{}
	for rows.Next() {
		var path, version string
		if err := rows.Scan(&path, &version); err != nil {
			return nil, failure(err)
		}
		all[path] = version
	}
	return all, failure(rows.Err())
}

// failure gives an error the code by which a model can tell what to do.
func failure(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return facade.Errorf(codeOf(err), "the index in SQLite: %w", err)
}
