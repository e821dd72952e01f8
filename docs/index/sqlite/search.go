package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
)

// Search implements [docs.IndexSearcher]. FTS5 ranks by the same formula as
// docs.Ranking; filters are checked on the ranked chunks, from the best on.
func (i *Index) Search(ctx context.Context, q docs.Query) ([]facade.DocumentHit, error) {
	terms, phrases := docs.ParseQuery(q.Text)
	if len(terms) == 0 || q.Limit <= 0 {
		return []facade.DocumentHit{}, ctx.Err()
	}
	tx, err := i.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, failure(err)
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	ranked, err := quick(ctx, tx, terms, phrases, firstFew(q))
	if err != nil {
		return nil, failure(err)
	}
	if len(ranked) > 0 {
		if hits, done, err := best(ctx, tx, ranked, q); err != nil || done {
			return hits, failure(err)
		}
	}
	// Most searches are content with the first few; filters and ties may not be.
	for most := firstFew(q); ; most *= 16 {
		ranked, err := rank(ctx, tx, terms, nil, phrases, most)
		if err != nil {
			return nil, failure(err)
		}
		hits, done, err := best(ctx, tx, ranked, q)
		if err != nil || done || len(ranked) < most {
			return hits, failure(err)
		}
	}
}

// firstFew is how many chunks are ranked first.
func firstFew(q docs.Query) int { return 4*q.Limit + 32 }

// scored is a chunk with its score.
type scored struct {
	id    int64
	score float64
}

// rank lists the best chunks that have one of the terms, one of those that are
// needed, and all of the phrases, the best first. Phrases and needed terms do
// not add to the score.
func rank(ctx context.Context, tx *sql.Tx, terms, needed []string, phrases [][]string, most int) ([]scored, error) {
	// Ordered by its hidden column rank, FTS5 would sort all that match; by the
	// function, SQLite keeps the best few. The plus keeps the list from being
	// looked up row by row.
	query := "SELECT rowid, -bm25(terms) AS score FROM terms WHERE terms MATCH ?"
	args := []any{quoted(terms, " OR ")}
	const also = " AND +rowid IN (SELECT rowid FROM terms WHERE terms MATCH ?)"
	if len(needed) > 0 {
		query += also
		args = append(args, quoted(needed, " OR "))
	}
	for _, p := range phrases {
		query += also
		args = append(args, quoted(p, " + "))
	}
	rows, err := tx.QueryContext(ctx, query+" ORDER BY score DESC LIMIT ?", append(args, most)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []scored
	for rows.Next() {
		var s scored
		if err := rows.Scan(&s.id, &s.score); err != nil {
			return nil, err
		}
		s.score = docs.RoundScore(s.score)
		all = append(all, s)
	}
	return all, rows.Err()
}

// quoted joins terms, which have letters and digits only, as strings of FTS5.
func quoted(terms []string, by string) string {
	return `"` + strings.Join(terms, `"`+by+`"`) + `"`
}

// best loads chunks from the best on until there are as many as asked for that
// pass the filter, and those that are equal to the last. done says that the
// end of the list was not reached.
func best(ctx context.Context, tx *sql.Tx, ranked []scored, q docs.Query) (hits []facade.DocumentHit, done bool, err error) {
	load, err := tx.PrepareContext(ctx, chunkByID)
	if err != nil {
		return nil, false, err
	}
	defer load.Close()
	var found []docs.Found
	for _, s := range ranked {
		if len(found) >= q.Limit && s.score != found[len(found)-1].Score {
			done = true
			break
		}
		f, entry, err := loaded(ctx, load, s)
		if err != nil {
			return nil, false, err
		}
		if docs.Matches(q.Filter, entry, f.Chunk) {
			found = append(found, f)
		}
	}
	return docs.Hits(found, q), done, nil
}

const chunkByID = `SELECT d.path, d.format, d.version, c.text, c.heading, c.block, c.kind, c.page
	FROM chunks c JOIN documents d ON d.id = ? WHERE c.id = ?`

// loaded is a chunk as it is stored.
func loaded(ctx context.Context, load *sql.Stmt, s scored) (docs.Found, docs.Entry, error) {
	f := docs.Found{Score: s.score}
	var e docs.Entry
	err := load.QueryRowContext(ctx, s.id/maxChunks, s.id).
		Scan(&e.Path, &e.Format, &e.Version, &f.Text, &f.Heading, &f.Block, &f.Kind, &f.Page)
	f.Path, f.No = e.Path, int(s.id%maxChunks)
	return f, e, err
}

// SearchVector implements [docs.VectorIndex] by comparing every vector: exact,
// and fast enough for some hundred thousand chunks.
func (i *Index) SearchVector(ctx context.Context, v []float32, q docs.Query) ([]facade.DocumentHit, error) {
	v = docs.Unit(v)
	if len(v) == 0 || q.Limit <= 0 {
		return []facade.DocumentHit{}, ctx.Err()
	}
	tx, err := i.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, failure(err)
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	ranked, err := nearest(ctx, tx, v)
	if err != nil {
		return nil, failure(err)
	}
	hits, _, err := best(ctx, tx, ranked, q)
	return hits, failure(err)
}

// nearest lists the chunks with a vector of the same length by their cosines,
// the greatest first.
func nearest(ctx context.Context, tx *sql.Tx, v []float32) ([]scored, error) {
	rows, err := tx.QueryContext(ctx, "SELECT id, vector FROM chunks WHERE length(vector) = ?", 4*len(v))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []scored
	for rows.Next() {
		var id int64
		var b sql.RawBytes
		if err := rows.Scan(&id, &b); err != nil {
			return nil, err
		}
		if score, ok := docs.Cosine(v, vector(b)); ok {
			all = append(all, scored{id, docs.RoundScore(score)})
		}
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id)) })
	return all, rows.Err()
}
