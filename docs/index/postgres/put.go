package postgres

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/toolfacade/toolfacade/docs"
)

// Put implements [docs.IndexStore]: a batch is a transaction.
func (i *Index) Put(ctx context.Context, batch []docs.Indexed) error {
	// Two processes that put the same documents would wait for each other if
	// they came in different orders.
	batch = slices.Clone(batch)
	slices.SortStableFunc(batch, func(a, b docs.Indexed) int { return strings.Compare(a.Path, b.Path) })
	return failure(pgx.BeginFunc(ctx, i.pool, func(tx pgx.Tx) error {
		ids := make([]int64, len(batch))
		for n, doc := range batch {
			if err := tx.QueryRow(ctx, fmt.Sprintf(`INSERT INTO %s.documents (path, format, version) VALUES ($1, $2, $3)
				ON CONFLICT (path) DO UPDATE SET format = excluded.format, version = excluded.version RETURNING id`, i.schema),
				stored(doc.Path), doc.Format, doc.Version).Scan(&ids[n]); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, fmt.Sprintf("DELETE FROM %s.chunks WHERE document = ANY ($1)", i.schema), ids); err != nil {
			return err
		}
		last := map[int64]int{} // of a document twice in a batch the last counts
		for n, id := range ids {
			last[id] = n
		}
		var rows [][]any
		for n, doc := range batch {
			if last[ids[n]] == n {
				rows = appendRows(rows, ids[n], doc)
			}
		}
		_, err := tx.CopyFrom(ctx, pgx.Identifier{strings.Trim(i.schema, `"`), "chunks"},
			[]string{"document", "no", "body", "heading", "block", "kind", "page", "length", "words", "vector"}, pgx.CopyFromRows(rows))
		return err
	}))
}

func appendRows(rows [][]any, id int64, doc docs.Indexed) [][]any {
	for n, c := range doc.Chunks {
		terms := docs.Terms(docs.SearchedText(c))
		var vector any
		if v := docs.Unit(c.Vector); v != nil {
			vector = v
		}
		rows = append(rows, []any{id, n, stored(c.Text), stored(c.Heading), stored(c.Block), string(c.Kind), c.Page, len(terms), tsvector(terms), vector})
	}
	return rows
}

// Delete implements [docs.IndexStore].
func (i *Index) Delete(ctx context.Context, paths []string) error {
	clean := make([]string, len(paths))
	for n, p := range paths {
		clean[n] = stored(p)
	}
	_, err := i.pool.Exec(ctx, fmt.Sprintf("DELETE FROM %s.documents WHERE path = ANY ($1)", i.schema), clean)
	return failure(err)
}

// stored is text as PostgreSQL takes it: without NUL, and valid.
func stored(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// Bounds of a tsvector: it cannot hold longer words, nor more places, nor more
// of one word.
const (
	maxWord   = 2000
	maxPlace  = 16383
	maxPlaces = 255
)

// tsvector writes terms, which have letters and digits only, with their places
// in the form of the type's input.
func tsvector(terms []string) string {
	places := map[string][]int{}
	for n, t := range terms {
		t = word(t)
		if p := places[t]; len(p) < maxPlaces {
			places[t] = append(p, min(n+1, maxPlace))
		}
	}
	var b strings.Builder
	for t, all := range places {
		b.WriteString(" '" + t + "':")
		for n, p := range slices.Compact(all) {
			if n > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.Itoa(p))
		}
	}
	return b.String()
}

// word cuts a term to what a tsvector holds, at a character.
func word(t string) string {
	if len(t) <= maxWord {
		return t
	}
	return strings.ToValidUTF8(t[:maxWord], "")
}
