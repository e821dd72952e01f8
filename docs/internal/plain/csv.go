package plain

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// CSV parses separated values; the separator is found out.
type CSV struct{}

var _ document.Format = CSV{}

// Name implements [document.Format].
func (CSV) Name() string { return "csv" }

// Accepts implements [document.Format].
func (CSV) Accepts(mime string) bool {
	return mime == "text/csv" || mime == "text/tab-separated-values"
}

// Parse implements [document.Format].
func (CSV) Parse(ctx context.Context, src document.Source, req document.Request) (*document.Document, error) {
	b := document.NewBuilder(req)
	data, err := document.ReadAll(src)
	if err != nil {
		return nil, err
	}
	text, name, guessed := document.DecodeText(data)
	if guessed {
		if japanese := document.DecodeCharset(data, "shift_jis"); !strings.ContainsRune(japanese, '\uFFFD') {
			text, name = japanese, "shift_jis"
		}
		b.Warn(document.WarnEncoding, 0, "the encoding is not stated and was guessed to be %s", name)
	}
	t, err := table(ctx, b, text)
	if err != nil {
		return b.Finish(err)
	}
	return b.Finish(b.Table(t, ""))
}

func table(ctx context.Context, b *document.Builder, text string) (*document.Table, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = separator(text)
	r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = -1, true, true
	t := b.NewTable()
	for row := 0; !t.Full(); row++ {
		if row%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			b.Warn(document.WarnTruncated, 0, "row %d cannot be read: %v", row+1, err)
			break
		}
		for col, field := range record {
			c := facade.DocumentCell{Row: row, Col: col, Text: field, Header: row == 0}
			if n, err := strconv.ParseFloat(strings.TrimSpace(field), 64); err == nil && row > 0 && n-n == 0 {
				c.Value = n
			}
			t.Put(c)
		}
	}
	return t, nil
}

// separator is the candidate that cuts the first lines into the most equal
// numbers of fields.
func separator(text string) rune {
	lines := bytes.SplitN([]byte(text[:min(len(text), 64<<10)]), []byte("\n"), 21)
	best, most := ',', 0
	for _, sep := range []rune{',', ';', '\t', '|'} {
		counts := map[int]int{}
		for _, l := range lines[:min(len(lines), 20)] {
			if n := unquotedCount(l, byte(sep)); n > 0 {
				counts[n]++
			}
		}
		for n, c := range counts {
			if score := c*1000 + min(n, 999); score > most {
				best, most = sep, score
			}
		}
	}
	return best
}

func unquotedCount(line []byte, sep byte) int {
	n, quoted := 0, false
	for _, c := range line {
		switch {
		case c == '"':
			quoted = !quoted
		case c == sep && !quoted:
			n++
		}
	}
	return n
}
