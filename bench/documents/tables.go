package main

import (
	"regexp"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// grid is the texts of a table's cells, row by row.
type grid [][]string

var ruleRow = regexp.MustCompile(`^\s*\|?[\s:|-]+\|?\s*$`)

// truthTables reads the tables of Markdown.
func truthTables(s string) []grid {
	var out []grid
	var cur grid
	flush := func() {
		if len(cur) > 1 {
			out = append(out, cur)
		}
		cur = nil
	}
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			flush()
			continue
		}
		if ruleRow.MatchString(line) && strings.Contains(line, "-") {
			continue
		}
		var row []string
		for cell := range strings.SplitSeq(strings.Trim(strings.ReplaceAll(line, `\|`, "¦"), "|"), "|") {
			row = append(row, strings.Join(tokens(cell), " "))
		}
		cur = append(cur, row)
	}
	flush()
	return out
}

// readTables are the tables of a document as Markdown shows them: what a span
// covers repeats its text.
func readTables(all []facade.DocumentTable) []grid {
	var out []grid
	for _, t := range all {
		g := make(grid, t.Rows)
		for i := range g {
			g[i] = make([]string, t.Cols)
		}
		for _, c := range t.Cells {
			for r := c.Row; r < min(c.Row+max(c.RowSpan, 1), t.Rows); r++ {
				for k := c.Col; k < min(c.Col+max(c.ColSpan, 1), t.Cols); k++ {
					g[r][k] = strings.Join(tokens(c.Text), " ")
				}
			}
		}
		out = append(out, g)
	}
	return out
}

// tableScore pairs the tables of a document with those of the reference, the
// most similar first, and sums the similarity of the pairs. n counts the tables
// of the reference, extra those without a partner.
func tableScore(got, want []grid) (sum float64, n, extra int) {
	n = len(want)
	used := make([]bool, len(got))
	done := make([]bool, len(want))
	for range want {
		best, bi, bj := 0.0, -1, -1
		for i, w := range want {
			for j, g := range got {
				if done[i] || used[j] {
					continue
				}
				if s := similarity(g, w); s > best {
					best, bi, bj = s, i, j
				}
			}
		}
		if bi < 0 {
			break
		}
		done[bi], used[bj] = true, true
		sum += best
	}
	for _, u := range used {
		if !u {
			extra++
		}
	}
	return sum, n, extra
}

// similarity is that of TEDS: one minus the edit distance of the trees of
// table, rows and cells in parts of the larger tree, where rows and cells keep
// their level and order.
func similarity(a, b grid) float64 {
	size := func(g grid) float64 {
		n := 1
		for _, r := range g {
			n += 1 + len(r)
		}
		return float64(n)
	}
	row := func(r []string) float64 { return float64(1 + len(r)) }
	d := align(len(a), len(b),
		func(i int) float64 { return row(a[i]) }, func(j int) float64 { return row(b[j]) },
		func(i, j int) float64 {
			return align(len(a[i]), len(b[j]),
				func(int) float64 { return 1 }, func(int) float64 { return 1 },
				func(k, l int) float64 { return 1 - alike(a[i][k], b[j][l]) })
		})
	return 1 - d/max(size(a), size(b))
}

// align is the least cost of turning one list into another.
func align(n, m int, drop, add func(i int) float64, change func(i, j int) float64) float64 {
	row := make([]float64, m+1)
	for j := range m {
		row[j+1] = row[j] + add(j)
	}
	for i := range n {
		diagonal := row[0]
		row[0] += drop(i)
		for j := range m {
			diagonal, row[j+1] = row[j+1], min(diagonal+change(i, j), row[j]+add(j), row[j+1]+drop(i))
		}
	}
	return row[m]
}
