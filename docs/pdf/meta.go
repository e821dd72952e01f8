package pdf

import (
	"fmt"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/docs/pdf/internal/layout"
)

// meta reads the document's description.
func (r *reading) meta() {
	m := r.b.Meta()
	m.PageCount = r.doc.Pages()
	m.Title = strings.TrimSpace(r.doc.Meta("Title"))
	if author := strings.TrimSpace(r.doc.Meta("Author")); author != "" {
		m.Authors = []string{author}
	}
	m.Created, m.Modified = date(r.doc.Meta("CreationDate")), date(r.doc.Meta("ModDate"))
	m.Language = r.doc.Language()
	for _, key := range []string{"Subject", "Keywords", "Creator", "Producer"} {
		r.b.SetCustom(strings.ToLower(key), strings.TrimSpace(r.doc.Meta(key)))
	}
}

// date reads a date such as D:20240131235959+01'00', of which the end may be
// missing.
func date(s string) *time.Time {
	s = strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(s), "D:"), "'", "")
	for _, form := range []string{"20060102150405-0700", "20060102150405Z0000", "20060102150405Z", "20060102150405", "200601021504", "20060102", "200601", "2006"} {
		if t, err := time.Parse(form, s); err == nil {
			return &t
		}
	}
	return nil
}

// maxShownTitles bounds the outline in the description.
const maxShownTitles = 200

// outline reads the bookmarks, which tell headings apart, and notes them in the
// description.
func (r *reading) outline() []layout.Title {
	var titles []layout.Title
	var b strings.Builder
	for i, mark := range r.doc.Outline() {
		titles = append(titles, layout.Title{Text: mark.Title, Level: mark.Level, Page: mark.Page})
		if i >= maxShownTitles {
			continue
		}
		fmt.Fprintf(&b, "%s%s", strings.Repeat("  ", mark.Level-1), strings.TrimSpace(mark.Title))
		if mark.Page > 0 {
			fmt.Fprintf(&b, " (page %d)", mark.Page)
		}
		b.WriteByte('\n')
	}
	r.b.SetCustom("outline", strings.TrimRight(b.String(), "\n"))
	return titles
}
