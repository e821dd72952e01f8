package docs

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// window takes blocks from a position on until a reply is full: by bytes of
// JSON, or by characters of content.
type window struct {
	doc   *document.Document
	r     *renderer
	out   *facade.DocumentReadOutput
	in    facade.DocumentReadInput
	room  int
	chars int

	content strings.Builder
	before  *document.Block
	any     bool
	shown   map[int]bool
}

// fill adds what fits and returns where to go on, if there is more.
func (w *window) fill(at position) (next position, more bool) {
	w.shown = map[int]bool{}
	defer func() { w.out.Content = w.content.String() }()
	for ; at.block < len(w.doc.Blocks); at = (position{block: at.block + 1}) {
		b := &w.doc.Blocks[at.block]
		if w.in.Output != formBlocks && b.Layer != document.Body {
			continue
		}
		offset, done := w.add(b, at.offset)
		if !done {
			return position{at.block, offset}, true
		}
	}
	return at, false
}

// add adds a block from an offset on. It reports whether all of it is in, else
// from where it is not.
func (w *window) add(b *document.Block, offset int) (next int, done bool) {
	if t := w.r.tables[b.Ref]; t != nil && b.Kind == facade.BlockTable {
		return w.table(b, t, offset)
	}
	if w.in.Output == formBlocks {
		return w.blockPart(b, offset)
	}
	text := w.r.block(b)
	if text == "" || offset >= len(text) {
		return 0, true
	}
	n, done := w.text(b, text[offset:])
	if n == 0 {
		return offset, false
	}
	w.note(b)
	return offset + n, done
}

// text adds as much of a rendering as fits; the first of a reply is cut, later
// ones are left to the next.
func (w *window) text(b *document.Block, text string) (n int, done bool) {
	gap := between(w.before, b)
	if cost := jsonSize(gap + text); cost <= w.room && utf8.RuneCountInString(gap+text) <= w.chars {
		w.take(gap+text, cost)
		w.before = b
		return len(text), true
	}
	if w.any {
		return 0, false
	}
	n = cutAt(text, max(w.room, 64), w.chars)
	w.take(text[:n], jsonSize(text[:n]))
	return n, n == len(text)
}

func (w *window) take(text string, cost int) {
	w.content.WriteString(text)
	w.room -= cost
	w.chars -= utf8.RuneCountInString(text)
	w.any = true
}

// cutAt is how much of text takes at most room bytes of JSON and chars
// characters, at least one, at the end of a word if there is one.
func cutAt(text string, room, chars int) int {
	n, count := 0, 0
	for n < len(text) {
		_, size := utf8.DecodeRuneInString(text[n:])
		cost := jsonSize(text[n:n+size]) - 2
		if count > 0 && (cost > room || count >= chars) {
			break
		}
		room -= cost
		count++
		n += size
	}
	if blank := strings.LastIndexAny(text[:n], " \n"); n < len(text) && blank > n/2 {
		return blank + 1
	}
	return n
}

// blockPart adds a block itself; the text of a very long one is cut.
func (w *window) blockPart(b *document.Block, offset int) (next int, done bool) {
	block := b.DocumentBlock
	offset = min(offset, len(block.Text))
	block.Text = block.Text[offset:]
	n := len(block.Text)
	if cost := jsonSize(block); cost > w.room || utf8.RuneCountInString(block.Text) > w.chars {
		if w.any {
			return offset, false
		}
		n = cutAt(block.Text, max(w.room-300, 64), w.chars)
		block.Text = block.Text[:n]
	}
	w.room -= jsonSize(block) + 1
	w.chars -= utf8.RuneCountInString(block.Text)
	w.any = true
	w.out.Blocks = append(w.out.Blocks, block)
	w.note(b)
	return offset + n, offset+n >= len(b.Text)
}

// table adds the rows of a table that fit, from a row on.
func (w *window) table(b *document.Block, t *facade.DocumentTable, from int) (next int, done bool) {
	cells := w.in.ExtractTables == nil || *w.in.ExtractTables
	part := facade.DocumentTable{ID: t.ID, Caption: t.Caption, Rows: t.Rows, Cols: t.Cols, Prov: t.Prov, Cells: []facade.DocumentCell{}}
	gap := between(w.before, b)
	if from == 0 {
		if mark := w.r.marks[b.ID]; mark != "" {
			gap += mark + "\n\n"
		}
		gap += w.r.caption(t)
	}
	cost := jsonSize(part) + jsonSize(gap)
	if w.in.Output == formBlocks {
		cost += jsonSize(b.DocumentBlock)
	}
	rows := rowsOf(t)
	to := from
	var text strings.Builder
	for ; to < t.Rows; to++ {
		line := ""
		if w.in.Output != formBlocks {
			line = w.r.rows(&facade.DocumentTable{Cols: t.Cols, Rows: t.Rows, Cells: rows.covering(to)}, to, to+1) + "\n"
		}
		more := jsonSize(line)
		if cells {
			for _, c := range rows.starting(to) {
				more += jsonSize(c) + 1
			}
		}
		if cost+more > w.room || utf8.RuneCountInString(line) > w.chars {
			if w.any || to > from {
				break
			}
			cells = false // one row above the budget: its text is cut, its cells are left out
			line = line[:cutAt(line, max(w.room-cost, 64), w.chars)]
			more = jsonSize(line)
		}
		cost += more
		w.chars -= utf8.RuneCountInString(line)
		text.WriteString(line)
		if cells {
			part.Cells = append(part.Cells, rows.starting(to)...)
		}
		w.any = true
	}
	if to == from && from < t.Rows {
		return from, false
	}
	w.room -= cost
	if w.in.Output == formBlocks {
		w.out.Blocks = append(w.out.Blocks, b.DocumentBlock)
	} else {
		w.content.WriteString(gap + strings.TrimSuffix(text.String(), "\n"))
		w.before = b
	}
	if cells {
		w.out.Tables = append(w.out.Tables, part)
	}
	w.note(b)
	return to, to >= t.Rows
}

// note lists the image of a block, and remembers its page.
func (w *window) note(b *document.Block) {
	for _, p := range b.Prov {
		w.shown[max(p.Page, p.Slide)] = true
	}
	img := w.r.images[b.Ref]
	if img == nil || b.Kind != facade.BlockImage {
		return
	}
	listed := img.DocumentImage
	if img.Data != nil {
		listed.Attached = w.out.Source.Path + "#" + img.ID
		w.out.AddPart(facade.Part{MIME: img.MIME, Path: listed.Attached, Data: img.Data})
	}
	w.room -= jsonSize(listed)
	w.out.Images = append(w.out.Images, listed)
}

// pages lists the pages that the reply shows.
func (w *window) pages() {
	for _, p := range w.doc.Pages {
		if w.shown[p.Number] {
			w.out.Pages = append(w.out.Pages, p)
		}
	}
}

// rowIndex finds the cells of a row.
type rowIndex struct {
	cells []facade.DocumentCell
	first map[int][2]int // row to its cells
	tall  []facade.DocumentCell
}

func rowsOf(t *facade.DocumentTable) rowIndex {
	r := rowIndex{cells: t.Cells, first: map[int][2]int{}}
	for i, c := range t.Cells {
		s, ok := r.first[c.Row]
		if !ok {
			s[0] = i
		}
		s[1] = i + 1
		r.first[c.Row] = s
		if c.RowSpan > 1 {
			r.tall = append(r.tall, c)
		}
	}
	return r
}

func (r rowIndex) starting(row int) []facade.DocumentCell {
	s := r.first[row]
	return r.cells[s[0]:s[1]]
}

// covering lists the cells of a row and those that reach into it.
func (r rowIndex) covering(row int) []facade.DocumentCell {
	var all []facade.DocumentCell
	for _, c := range r.tall {
		if c.Row < row && c.Row+c.RowSpan > row {
			all = append(all, c)
		}
	}
	return append(all, r.starting(row)...)
}

// jsonSize is the number of bytes that a value takes in a reply.
func jsonSize(v any) int {
	data, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return len(data)
}
