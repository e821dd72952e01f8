package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
)

// columns are those that [scan] reads.
const columns = "d.path, d.format, d.version, c.no, c.body, c.heading, c.block, c.kind, c.page"

// ranked scores the chunks that match by the formula of docs.Ranking: $1 is the
// query, $2 and $3 are the terms and their weights, $4 is the mean length.
const ranked = `
SELECT ` + columns + `, s.score
FROM (
	SELECT c.document, c.no, sum(q.weight * cardinality(t.positions) * %[2]v / (cardinality(t.positions) + %[3]v * (1 - %[4]v + %[4]v * c.length / $4::float8))) AS score
	FROM %[1]s.chunks c CROSS JOIN LATERAL unnest(c.words) AS t(lexeme, positions, weights)
	JOIN unnest($2::text[], $3::float8[]) AS q(term, weight) ON q.term = t.lexeme
	WHERE c.words @@ $1::tsquery
	GROUP BY c.document, c.no
) s
JOIN %[1]s.chunks c ON c.document = s.document AND c.no = s.no
JOIN %[1]s.documents d ON d.id = s.document
ORDER BY s.score DESC, d.path, c.no`

// Search implements [docs.IndexSearcher]. Filters are checked on the ranked
// chunks, from the best on.
func (i *Index) Search(ctx context.Context, q docs.Query) ([]facade.DocumentHit, error) {
	terms, phrases := docs.ParseQuery(q.Text)
	for n := range terms {
		terms[n] = word(terms[n])
	}
	if len(terms) == 0 || q.Limit <= 0 {
		return []facade.DocumentHit{}, ctx.Err()
	}
	var hits []facade.DocumentHit
	err := pgx.BeginTxFunc(ctx, i.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		weights, mean, err := i.weigh(ctx, tx, terms)
		if err != nil || mean == 0 {
			return err
		}
		rows, err := tx.Query(ctx, fmt.Sprintf(ranked, i.schema, docs.BM25Repeat+1, docs.BM25Repeat, docs.BM25Length), tsquery(terms, phrases), terms, weights, mean)
		if err != nil {
			return err
		}
		found, err := best(rows, q)
		hits = docs.Hits(found, q)
		return err
	})
	if hits == nil {
		hits = []facade.DocumentHit{}
	}
	return hits, failure(err)
}

// weigh counts the terms, and the chunks that hold each.
func (i *Index) weigh(ctx context.Context, tx pgx.Tx, terms []string) (weights []float64, mean float64, err error) {
	var r docs.Ranking
	if err := tx.QueryRow(ctx, fmt.Sprintf("SELECT count(*), coalesce(sum(length), 0) FROM %s.chunks", i.schema)).Scan(&r.Chunks, &r.Terms); err != nil {
		return nil, 0, err
	}
	for _, t := range terms {
		var holding int
		if err := tx.QueryRow(ctx, fmt.Sprintf("SELECT count(*) FROM %s.chunks WHERE words @@ $1::tsquery", i.schema), "'"+t+"'").Scan(&holding); err != nil {
			return nil, 0, err
		}
		weights = append(weights, r.Weight(holding))
	}
	if r.Chunks > 0 {
		mean = float64(r.Terms) / float64(r.Chunks)
	}
	return weights, mean, nil
}

// tsquery asks for one of the terms and all of the phrases. Terms have letters
// and digits only.
func tsquery(terms []string, phrases [][]string) string {
	var b strings.Builder
	b.WriteString("('" + strings.Join(terms, "'|'") + "')")
	for _, p := range phrases {
		b.WriteString("&(")
		for n, t := range p {
			if n > 0 {
				b.WriteString("<->")
			}
			b.WriteString("'" + word(t) + "'")
		}
		b.WriteString(")")
	}
	return b.String()
}

// best reads chunks until there are as many as asked for that pass the filter,
// and those that are equal to the last.
func best(rows pgx.Rows, q docs.Query) ([]docs.Found, error) {
	defer rows.Close()
	var found []docs.Found
	for rows.Next() {
		var f docs.Found
		var e docs.Entry
		if err := rows.Scan(&e.Path, &e.Format, &e.Version, &f.No, &f.Text, &f.Heading, &f.Block, &f.Kind, &f.Page, &f.Score); err != nil {
			return nil, err
		}
		f.Path, f.Score = e.Path, docs.RoundScore(f.Score)
		if len(found) >= q.Limit && f.Score != found[len(found)-1].Score {
			break
		}
		if docs.Matches(q.Filter, e, f.Chunk) {
			found = append(found, f)
		}
	}
	rows.Close()
	return found, rows.Err()
}

// SearchVector implements [docs.VectorIndex] by comparing every vector: exact,
// and fast enough for some ten thousand chunks.
func (i *Index) SearchVector(ctx context.Context, vector []float32, q docs.Query) ([]facade.DocumentHit, error) {
	vector = docs.Unit(vector)
	if len(vector) == 0 || q.Limit <= 0 {
		return []facade.DocumentHit{}, ctx.Err()
	}
	rows, err := i.pool.Query(ctx, fmt.Sprintf(`SELECT `+columns+`,
			(SELECT sum(a.x::float8 * b.x) FROM unnest(c.vector) WITH ORDINALITY AS a(x, n) JOIN unnest($1::real[]) WITH ORDINALITY AS b(x, n) USING (n)) AS score
		FROM %[1]s.chunks c JOIN %[1]s.documents d ON d.id = c.document
		WHERE cardinality(c.vector) = cardinality($1::real[]) ORDER BY score DESC, d.path, c.no`, i.schema), vector)
	if err != nil {
		return nil, failure(err)
	}
	found, err := best(rows, q)
	return docs.Hits(found, q), failure(err)
}
