package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
)

// Why a document cannot be opened.
var (
	// ErrPassword reports that the document is encrypted and the password is
	// missing or wrong.
	ErrPassword = errors.New("the document is encrypted, and the password is missing or wrong")
	// ErrFormat reports that the file is no PDF, or damaged beyond repair.
	ErrFormat = errors.New("the file is no PDF or damaged")
	// ErrSecurity reports an encryption that PDFium does not know.
	ErrSecurity = errors.New("the document is encrypted in an unknown way")
)

// The codes of FPDF_GetLastError.
const (
	lastPassword = 4
	lastSecurity = 5
)

// Document is an open document. It is for one goroutine.
type Document struct {
	e     *Engine
	vm    *vm
	ctx   context.Context
	data  uint32
	doc   uint64
	pages int
	fonts map[uint32]*Font
}

// Open opens a document. The calls on it and its pages end with ctx or the
// context given to [Document.Page].
func (e *Engine) Open(ctx context.Context, data []byte, password string) (*Document, error) {
	if err := e.acquire(ctx); err != nil {
		return nil, err
	}
	v, err := e.newVM(ctx)
	if err != nil {
		e.release()
		return nil, err
	}
	d := &Document{e: e, vm: v, ctx: ctx, fonts: map[uint32]*Font{}}
	if err := d.load(data, password); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func (d *Document) load(data []byte, password string) error {
	v := d.vm
	d.data = v.put(data)
	secret := v.put(append([]byte(password), 0))
	d.doc = v.call("FPDF_LoadMemDocument", uint64(d.data), uint64(len(data)), uint64(secret))
	v.free(secret)
	if v.err != nil {
		return v.err
	}
	if d.doc == 0 {
		switch code := v.n("FPDF_GetLastError"); code {
		case lastPassword:
			return ErrPassword
		case lastSecurity:
			return ErrSecurity
		default:
			return fmt.Errorf("%w (code %d)", ErrFormat, code)
		}
	}
	d.pages = v.n("FPDF_GetPageCount", d.doc)
	return v.err
}

// Pages counts the pages.
func (d *Document) Pages() int { return d.pages }

// Err says why the document cannot be used any more; nil while it can.
func (d *Document) Err() error { return d.vm.err }

// Close frees the document.
func (d *Document) Close() error {
	if d.vm == nil {
		return nil
	}
	err := d.vm.close()
	d.vm = nil
	d.e.release()
	return err
}

// Meta returns an entry of the document's description, as "Title".
func (d *Document) Meta(key string) string {
	p := d.vm.put(append([]byte(key), 0))
	defer d.vm.free(p)
	return d.vm.text("FPDF_GetMetaText", d.doc, uint64(p))
}

// Language is the language of the document as it says itself.
func (d *Document) Language() string { return d.vm.text("FPDFCatalog_GetLanguage", d.doc) }

// Label is the number that is printed on page i, from 0, when it differs from
// the page's own.
func (d *Document) Label(i int) string {
	label := d.vm.text("FPDF_GetPageLabel", d.doc, uint64(i))
	if label == strconv.Itoa(i+1) {
		return ""
	}
	return label
}

// Bookmark is an entry of the outline.
type Bookmark struct {
	// Title is what it says.
	Title string
	// Level is its depth, from 1.
	Level int
	// Page is where it leads, from 1; 0 when that is nowhere.
	Page int
}

// Bounds of an outline. Hostile ones are circular.
const (
	maxBookmarks = 5000
	maxDepth     = 16
)

// Outline lists the bookmarks in their order.
func (d *Document) Outline() []Bookmark {
	var all []Bookmark
	seen := map[uint64]bool{}
	var walk func(parent uint64, level int)
	walk = func(parent uint64, level int) {
		for b := d.vm.call("FPDFBookmark_GetFirstChild", d.doc, parent); b != 0; b = d.vm.call("FPDFBookmark_GetNextSibling", d.doc, b) {
			if seen[b] || len(all) >= maxBookmarks || level > maxDepth {
				return
			}
			seen[b] = true
			mark := Bookmark{Title: d.vm.text("FPDFBookmark_GetTitle", b), Level: level}
			if dest := d.vm.call("FPDFBookmark_GetDest", d.doc, b); dest != 0 {
				mark.Page = d.vm.n("FPDFDest_GetDestPageIndex", d.doc, dest) + 1
			}
			all = append(all, mark)
			walk(b, level+1)
		}
	}
	walk(0, 1)
	return all
}
