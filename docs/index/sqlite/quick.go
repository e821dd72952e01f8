package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/toolfacade/toolfacade/docs"
)

// margin is how far a score has to be above a bound, for the digits that
// depend on the order in which numbers are added up. Scores that small do not
// matter.
const margin = 1e-4

// quick ranks only the chunks that have one of the rarer terms: scoring takes
// most of the time of a search, and common words are in most chunks. It
// returns nil when that saves nothing, or when chunks with common words only
// could be among the best; else the list is that of [rank].
func quick(ctx context.Context, tx *sql.Tx, terms []string, phrases [][]string, most int) ([]scored, error) {
	if len(phrases) > 0 || len(terms) < 2 {
		return nil, nil
	}
	rare, bound, err := rarer(ctx, tx, terms, most)
	if err != nil || len(rare) == 0 {
		return nil, err
	}
	ranked, err := rank(ctx, tx, terms, rare, nil, most)
	if err != nil || len(ranked) < most || ranked[most-1].score <= bound+margin {
		return nil, err
	}
	return ranked, nil
}

// term is one of a query that is in some chunk.
type term struct {
	word    string
	holding int // chunks that have it
	weight  float64
}

// rarer returns the terms of which each of the best chunks probably has one,
// and the most that a chunk with none of them can score; nil when too many
// chunks have one.
func rarer(ctx context.Context, tx *sql.Tx, words []string, most int) (rare []string, bound float64, err error) {
	known, chunks, err := weigh(ctx, tx, words)
	if err != nil {
		return nil, 0, err
	}
	slices.SortFunc(known, func(a, b term) int { return cmp.Compare(b.weight, a.weight) })
	for _, t := range known {
		// A term counts about its weight where it occurs once, and never more than
		// the parameter's multiple of it.
		bound += t.weight * (docs.BM25Repeat + 1)
	}
	holding := 0
	for _, t := range known {
		if holding >= 2*most && bound < known[0].weight {
			return rare, bound, nil
		}
		rare = append(rare, t.word)
		bound -= t.weight * (docs.BM25Repeat + 1)
		if holding += t.holding; 2*holding > chunks {
			break
		}
	}
	return nil, 0, nil
}

// weigh counts the chunks, and those that have each of the words.
func weigh(ctx context.Context, tx *sql.Tx, words []string) (known []term, chunks int, err error) {
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM terms_docsize").Scan(&chunks); err != nil {
		return nil, 0, err
	}
	count, err := tx.PrepareContext(ctx, "SELECT doc FROM vocabulary WHERE term = ?")
	if err != nil {
		return nil, 0, err
	}
	defer count.Close()
	for _, w := range words {
		t := term{word: w}
		switch err := count.QueryRowContext(ctx, w).Scan(&t.holding); {
		case errors.Is(err, sql.ErrNoRows): // in no chunk
		case err != nil:
			return nil, 0, err
		default:
			t.weight = docs.Ranking{Chunks: chunks}.Weight(t.holding)
			known = append(known, t)
		}
	}
	return known, chunks, nil
}
