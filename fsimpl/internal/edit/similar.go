package edit

import (
	"bytes"
	"context"
	"math/bits"
	"slices"
	"unicode/utf8"
)

const (
	maxProfiled = 200_000    // lines of a file that are compared
	maxWork     = 10_000_000 // comparisons of line profiles
	maxLine     = 400        // bytes of a line that count; fewer in a long block
	maxBlock    = 1 << 20    // bytes of a block that is compared
	finalists   = 6          // blocks that are compared exactly
)

// near is a block of the text like old text.
type near struct {
	start, end int      // offsets, without the last line's end
	line       int64    // number of the first line
	lines      []string // without ends
	similarity float64  // 0 to 1
}

// profile is a set of the pairs of characters in a line, as a Bloom filter.
type profile struct {
	bits  [4]uint64
	count int
}

func profileOf(line []byte) profile {
	line = bytes.TrimSpace(line[:min(len(line), maxLine)])
	var p profile
	last := byte(0)
	for _, c := range line {
		h := (uint32(last)<<8 | uint32(c)) * 2654435761 >> 24
		p.bits[h>>6] |= 1 << (h & 63)
		last = c
	}
	for _, w := range p.bits {
		p.count += bits.OnesCount64(w)
	}
	return p
}

// like estimates how alike two lines are, from 0 to 1.
func (p profile) like(q profile) float64 {
	if p.count+q.count == 0 {
		return 1
	}
	return 2 * float64(p.sharedWith(q)) / float64(p.count+q.count)
}

func (p profile) sharedWith(q profile) int {
	shared := 0
	for i, w := range p.bits {
		shared += bits.OnesCount64(w & q.bits[i])
	}
	return shared
}

// closest returns the block of as many lines as old text that is most like it.
func closest(ctx context.Context, text []byte, old string) (near, bool) {
	blocks := ranked(ctx, text, old)
	if len(blocks) == 0 || blocks[0].similarity < 0.3 {
		return near{}, false
	}
	return blocks[0], true
}

// ranked returns the blocks most like old text, the best first.
func ranked(ctx context.Context, text []byte, old string) []near {
	wanted, _ := splitLines(old)
	starts := []int{0}
	for at := 0; at < len(text) && len(starts) <= maxProfiled; {
		at = lineStart(text, at, 1)
		starts = append(starts, at)
	}
	count := len(starts) - 1
	if count == 0 || len(wanted) > count {
		wanted = wanted[:min(len(wanted), count)]
	}
	if len(wanted) == 0 {
		return nil
	}
	var out []near
	for _, at := range windows(ctx, text, starts, wanted) {
		end := starts[at+len(wanted)]
		if end > starts[at] && text[end-1] == '\n' {
			end--
		}
		if end-starts[at] > maxBlock || ctx.Err() != nil {
			continue
		}
		lines, _ := splitLines(string(text[starts[at]:end]) + "\n")
		out = append(out, near{starts[at], end, int64(at) + 1, lines, similarity(wanted, lines)})
	}
	slices.SortStableFunc(out, func(a, b near) int {
		switch {
		case a.similarity > b.similarity:
			return -1
		case a.similarity < b.similarity:
			return 1
		}
		return a.start - b.start
	})
	return out
}

// windows returns the first lines of the blocks that promise most.
func windows(ctx context.Context, text []byte, starts []int, wanted []string) []int {
	count := len(starts) - 1
	profiles := make([]profile, count)
	for i := range profiles {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil
		}
		profiles[i] = profileOf(text[starts[i]:starts[i+1]])
	}
	sample := sampled(wanted, maxWork/count)
	type scored struct {
		at    int
		score float64
	}
	var best []scored
	for at := 0; at+len(wanted) <= count; at++ {
		if at%1024 == 0 && ctx.Err() != nil {
			break
		}
		score := 0.0
		for _, s := range sample {
			score += s.profile.like(profiles[at+s.line])
		}
		if len(best) == finalists && score <= best[len(best)-1].score {
			continue
		}
		i, _ := slices.BinarySearchFunc(best, score, func(b scored, s float64) int {
			if b.score >= s {
				return -1
			}
			return 1
		})
		best = slices.Insert(best, i, scored{at, score})
		best = best[:min(len(best), finalists)]
	}
	out := make([]int, len(best))
	for i, b := range best {
		out[i] = b.at
	}
	return out
}

type sampledLine struct {
	line    int
	profile profile
}

// sampled returns the lines of a block with most in them, at most so many.
func sampled(wanted []string, limit int) []sampledLine {
	all := make([]sampledLine, len(wanted))
	for i, line := range wanted {
		all[i] = sampledLine{i, profileOf([]byte(line))}
	}
	slices.SortStableFunc(all, func(a, b sampledLine) int { return b.profile.count - a.profile.count })
	return all[:min(len(all), max(limit, 4))]
}

// similarity is one less the share of characters that differ, line by line. The
// blocks have as many lines.
func similarity(a, b []string) float64 {
	var total, different int
	limit := max(32, min(maxLine, 100*maxLine/max(len(a), 1)))
	for i, x := range a {
		y := b[i]
		total += max(len(x), len(y)) + 1
		if x != y {
			different += lineDistance(x, y, limit)
		}
	}
	return 1 - float64(different)/float64(max(total, 1))
}

// lineDistance is the number of bytes to change in a line; of long lines only
// the start that differs is compared byte by byte.
func lineDistance(a, b string, limit int) int {
	p, s := narrow(a, b)
	a, b = a[p:len(a)-s], b[p:len(b)-s]
	if len(a) > limit || len(b) > limit {
		x, y := a[:min(len(a), limit)], b[:min(len(b), limit)]
		d := lineDistance(x, y, limit)
		return d * max(len(a), len(b)) / max(len(x), len(y))
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

// similar is the last rung: the one block at least as alike as asked for. It
// is nil when there is none, or more than one.
func (m *matcher) similar(ctx context.Context) (*candidate, float64, error) {
	blocks := ranked(ctx, m.text, m.old)
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	wanted, ended := splitLines(m.old)
	if len(blocks) == 0 || blocks[0].similarity < m.t.Confidence || len(blocks[0].lines) != len(wanted) {
		return nil, 0, nil
	}
	best := blocks[0]
	for _, other := range blocks[1:] {
		apart := other.start >= best.end || other.end <= best.start
		if other.similarity >= m.t.Confidence && apart {
			return nil, 0, nil
		}
	}
	if !utf8.Valid(m.text[best.start:best.end]) {
		return nil, 0, nil
	}
	closed := best.end < len(m.text)
	text := m.newBlock(best.lines, ended && !closed)
	end := best.end
	if ended && closed {
		end++
	}
	return &candidate{best.start, []Span{{best.start, end, text}}}, best.similarity, nil
}
