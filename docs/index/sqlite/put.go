package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"math"
	"strings"

	"github.com/toolfacade/toolfacade/docs"
)

// Put implements [docs.IndexStore]: a batch is a transaction.
func (i *Index) Put(ctx context.Context, batch []docs.Indexed) error {
	return i.change(ctx, func(w *writer) error {
		for _, doc := range batch {
			if err := w.remove(ctx, doc.Path); err != nil {
				return err
			}
			if err := w.add(ctx, doc); err != nil {
				return err
			}
		}
		return nil
	})
}

// Delete implements [docs.IndexStore].
func (i *Index) Delete(ctx context.Context, paths []string) error {
	return i.change(ctx, func(w *writer) error {
		for _, path := range paths {
			if err := w.remove(ctx, path); err != nil {
				return err
			}
		}
		return nil
	})
}

// change runs fn in a transaction.
func (i *Index) change(ctx context.Context, fn func(w *writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	tx, err := i.write.BeginTx(ctx, nil)
	if err != nil {
		return failure(err)
	}
	defer tx.Rollback() //nolint:errcheck // fails after Commit, as it should
	w, err := prepare(ctx, tx)
	if err != nil {
		return failure(err)
	}
	if err := fn(w); err != nil {
		return failure(err)
	}
	return failure(tx.Commit())
}

// writer holds the statements of a transaction, which end with it.
type writer struct {
	find, document, chunk, terms          *sql.Stmt
	noDocument, noChunks, noTerms, chunks *sql.Stmt
}

func prepare(ctx context.Context, tx *sql.Tx) (*writer, error) {
	w := &writer{}
	for _, s := range []struct {
		to  **sql.Stmt
		sql string
	}{
		{&w.find, "SELECT id FROM documents WHERE path = ?"},
		{&w.document, "INSERT INTO documents (path, format, version) VALUES (?, ?, ?)"},
		{&w.chunk, "INSERT INTO chunks (id, text, heading, block, kind, page, vector) VALUES (?, ?, ?, ?, ?, ?, ?)"},
		{&w.terms, "INSERT INTO terms (rowid, words) VALUES (?, ?)"},
		{&w.noDocument, "DELETE FROM documents WHERE id = ?"},
		{&w.noTerms, "INSERT INTO terms (terms, rowid, words) VALUES ('delete', ?, ?)"},
		{&w.noChunks, "DELETE FROM chunks WHERE id >= ? AND id < ?"},
		{&w.chunks, "SELECT heading, text FROM chunks WHERE id >= ? AND id < ? ORDER BY id"},
	} {
		var err error
		if *s.to, err = tx.PrepareContext(ctx, s.sql); err != nil {
			return nil, err
		}
	}
	return w, nil
}

func (w *writer) add(ctx context.Context, doc docs.Indexed) error {
	r, err := w.document.ExecContext(ctx, doc.Path, doc.Format, doc.Version)
	if err != nil {
		return err
	}
	id, err := r.LastInsertId()
	if err != nil {
		return err
	}
	for n, c := range doc.Chunks[:min(len(doc.Chunks), maxChunks)] {
		row := id*maxChunks + int64(n)
		if _, err := w.chunk.ExecContext(ctx, row, c.Text, c.Heading, c.Block, string(c.Kind), c.Page, blob(docs.Unit(c.Vector))); err != nil {
			return err
		}
		if _, err := w.terms.ExecContext(ctx, row, words(c)); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) remove(ctx context.Context, path string) error {
	var id int64
	if err := w.find.QueryRowContext(ctx, path).Scan(&id); errors.Is(err, sql.ErrNoRows) {
		return nil
	} else if err != nil {
		return err
	}
	from, to := id*maxChunks, (id+1)*maxChunks
	old, err := w.stored(ctx, from, to)
	if err != nil {
		return err
	}
	for row, words := range old {
		if _, err := w.noTerms.ExecContext(ctx, from+int64(row), words); err != nil {
			return err
		}
	}
	if _, err := w.noChunks.ExecContext(ctx, from, to); err != nil {
		return err
	}
	_, err = w.noDocument.ExecContext(ctx, id)
	return err
}

// stored lists the words of the chunks in a range, which has no gaps.
func (w *writer) stored(ctx context.Context, from, to int64) ([]string, error) {
	rows, err := w.chunks.QueryContext(ctx, from, to)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var c docs.Chunk
		if err := rows.Scan(&c.Heading, &c.Text); err != nil {
			return nil, err
		}
		all = append(all, words(c))
	}
	return all, rows.Err()
}

// words are what FTS5 gets of a chunk.
func words(c docs.Chunk) string { return strings.Join(docs.Terms(docs.SearchedText(c)), " ") }

// blob is a vector as SQLite stores it; nil is NULL.
func blob(v []float32) []byte {
	if len(v) == 0 {
		return nil
	}
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func vector(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}
