package journal

import (
	"fmt"
	"slices"
	"time"
)

// blobGrace is how long content that no entry names is kept: an operation of
// another process may be about to name it.
const blobGrace = 5 * time.Minute

// blob is what a store tells of kept content.
type blob struct {
	size int64
	kept time.Time
}

// sweepPlan decides what a sweep changes: the logs to rewrite, and the blobs to
// drop.
type sweepPlan func(logs map[string][]record, blobs map[string]blob) (rewrite map[string][]record, drop []string)

// Sweep forgets operations above the limits of age, number and bytes, the
// oldest first, and drops content that nothing needs any more.
func (j *Journal) Sweep() error {
	if err := j.store.sweep(j.sweepPlan); err != nil {
		return fmt.Errorf("sweep the journal: %w", err)
	}
	return nil
}

// held is an operation of some log.
type held struct {
	log string
	op  Operation
}

func (j *Journal) sweepPlan(logs map[string][]record, blobs map[string]blob) (map[string][]record, []string) {
	now := j.o.Now()
	var all []held
	for log, records := range logs {
		ops := operations(records)
		ops = ops[max(0, len(ops)-j.o.MaxOperations):]
		for _, op := range ops {
			if now.Sub(op.Time) <= j.o.MaxAge {
				all = append(all, held{log, op})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b held) int { return b.op.Time.Compare(a.op.Time) })
	kept, needed := j.fit(all, blobs)
	rewrite := map[string][]record{}
	for log, records := range logs {
		if out := rewritten(records, kept[log]); len(out) < len(records) {
			rewrite[log] = out
		}
	}
	var drop []string
	for hash, b := range blobs {
		if !needed[hash] && now.Sub(b.kept) > blobGrace {
			drop = append(drop, hash)
		}
	}
	return rewrite, drop
}

// fit keeps the latest operations whose contents fit the limit.
func (j *Journal) fit(all []held, blobs map[string]blob) (kept map[string]map[int64]bool, needed map[string]bool) {
	kept, needed = map[string]map[int64]bool{}, map[string]bool{}
	var total int64
	for _, h := range all {
		var added []string
		for _, c := range h.op.Changes {
			for _, key := range contents(c) {
				if !needed[key] {
					needed[key] = true
					added = append(added, key)
					total += blobs[key].size
				}
			}
		}
		if total > j.o.MaxBytes && !h.op.open {
			for _, hash := range added {
				delete(needed, hash)
			}
			return kept, needed
		}
		if kept[h.log] == nil {
			kept[h.log] = map[int64]bool{}
		}
		kept[h.log][h.op.seq] = true
	}
	return kept, needed
}

// contents lists the keys of all that a store may hold for a change.
func contents(c Change) []string {
	var keys []string
	for _, s := range []State{c.Before, c.After} {
		if s.Kind == Regular && s.Hash != "" {
			keys = append(keys, s.Hash)
		}
	}
	if hasReverse(c.Before, c.After) {
		keys = append(keys, reverseKey(c.Before, c.After))
	}
	return keys
}

// rewritten drops the records of operations that are not kept, but for one that
// keeps the numbering.
func rewritten(records []record, kept map[int64]bool) []record {
	var out []record
	last := nextSeq(records) - 1
	numbered := kept[last]
	for _, r := range records {
		if kept[r.Seq] {
			out = append(out, r)
		}
	}
	if !numbered && last > 0 {
		out = append(out, record{Kind: recordAbort, Seq: last, Time: records[len(records)-1].Time})
	}
	return out
}
