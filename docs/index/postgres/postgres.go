// Package postgres is a storage backend of the document tool in a PostgreSQL
// database, with its full-text search: one index for many machines.
//
// It makes its tables in a schema of its own, and needs no extension. It is
// tested with PostgreSQL 15.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
)

var _ docs.VectorIndex = (*Index)(nil)

// Options tune an [Index]. The zero value is the safe default.
type Options struct {
	// Name is what storage_backends calls the index; "" means "postgres".
	Name string
	// Schema is the schema of its tables; "" means "toolfacade_index". Indexes of
	// different roots need different ones: paths are relative to the root.
	Schema string
	// Connections is the most at once; 0 means 4.
	Connections int
}

// Index is an index in a database. It is safe for concurrent use, also by
// several processes.
type Index struct {
	name   string
	pool   *pgxpool.Pool
	schema string // quoted
}

// plain is what a schema may be called.
var plain = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,50}$`)

// Open connects to a database by its URL or its "key=value" string, and makes
// the tables when they do not exist. Errors do not show the password.
func Open(ctx context.Context, connection string, opts *Options) (*Index, error) {
	o := Options{}
	if opts != nil {
		o = *opts
	}
	if o.Name == "" {
		o.Name = "postgres"
	}
	if o.Schema == "" {
		o.Schema = "toolfacade_index"
	}
	if o.Connections <= 0 {
		o.Connections = 4
	}
	if !plain.MatchString(o.Schema) {
		return nil, fmt.Errorf("postgres: the schema %q must be a lower-case name of letters, digits and underscores", o.Schema)
	}
	config, err := pgxpool.ParseConfig(connection)
	if err != nil {
		return nil, errors.New("postgres: the connection string cannot be read")
	}
	config.MaxConns = int32(min(o.Connections, 1000))
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	i := &Index{name: o.Name, pool: pool, schema: pgx.Identifier{o.Schema}.Sanitize()}
	if err := i.migrate(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("postgres: %w", err)
	}
	return i, nil
}

// version is that of the tables.
const version = 1

// tables of a schema. The words of a chunk are cut by docs.Terms, so that every
// backend finds the same; length counts them, which a tsvector does not keep.
const tables = `
CREATE TABLE %[1]s.meta (version integer NOT NULL);
CREATE TABLE %[1]s.documents (id bigserial PRIMARY KEY, path text COLLATE "C" NOT NULL UNIQUE, format text NOT NULL, version text NOT NULL);
CREATE TABLE %[1]s.chunks (
	document bigint NOT NULL REFERENCES %[1]s.documents (id) ON DELETE CASCADE, no integer NOT NULL,
	body text NOT NULL, heading text NOT NULL, block text NOT NULL, kind text NOT NULL, page integer NOT NULL,
	length integer NOT NULL, words tsvector NOT NULL, vector real[], PRIMARY KEY (document, no));
CREATE INDEX chunks_words ON %[1]s.chunks USING gin (words);
`

// migrate makes the tables, one process after the other.
func (i *Index) migrate(ctx context.Context) error {
	return pgx.BeginFunc(ctx, i.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtext($1))", "toolfacade "+i.schema); err != nil {
			return err
		}
		var exists bool
		if err := tx.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", i.schema+".meta").Scan(&exists); err != nil {
			return err
		}
		if exists {
			var has int
			if err := tx.QueryRow(ctx, "SELECT version FROM "+i.schema+".meta").Scan(&has); err != nil {
				return err
			}
			if has != version {
				return fmt.Errorf("the index has version %d, this program knows version %d: use another schema, or drop this one", has, version)
			}
			return nil
		}
		for _, stmt := range []string{
			"CREATE SCHEMA IF NOT EXISTS " + i.schema, fmt.Sprintf(tables, i.schema),
			fmt.Sprintf("INSERT INTO %s.meta VALUES (%d)", i.schema, version),
		} {
			if _, err := tx.Exec(ctx, stmt); err != nil {
				return err
			}
		}
		return nil
	})
}

// Name implements [docs.Index].
func (i *Index) Name() string { return i.name }

// Close implements [docs.Index]. Calls afterwards fail.
func (i *Index) Close() error {
	i.pool.Close()
	return nil
}

// Stats implements [docs.IndexSearcher].
func (i *Index) Stats(ctx context.Context) (docs.IndexStats, error) {
	var s docs.IndexStats
	err := i.pool.QueryRow(ctx, fmt.Sprintf("SELECT (SELECT count(*) FROM %[1]s.documents), (SELECT count(*) FROM %[1]s.chunks)", i.schema)).
		Scan(&s.Documents, &s.Chunks)
	return s, failure(err)
}

// Documents implements [docs.IndexStore].
func (i *Index) Documents(ctx context.Context, under string) (map[string]string, error) {
	query, args := fmt.Sprintf("SELECT path, version FROM %s.documents", i.schema), []any{}
	if under != "." {
		// Paths below a directory are those from "dir/" to before "dir0".
		query += " WHERE path = $1 OR path >= $2 AND path < $3"
		args = []any{stored(under), stored(under) + "/", stored(under) + "0"}
	}
	rows, err := i.pool.Query(ctx, query, args...)
	if err != nil {
		return nil, failure(err)
	}
	all := map[string]string{}
	var path, v string
	_, err = pgx.ForEachRow(rows, []any{&path, &v}, func() error {
		all[path] = v
		return nil
	})
	return all, failure(err)
}

// failure gives an error the code by which a model can tell what to do.
func failure(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	code := facade.CodeIO
	if e, ok := errors.AsType[*pgconn.PgError](err); !ok {
		code = facade.CodeUnavailable
	} else if e.Code == "53100" { // disk_full
		code = facade.CodeNoSpace
	}
	return facade.Errorf(code, "the index in PostgreSQL: %w", err)
}
