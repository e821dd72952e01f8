package engine

// Note is the text of an annotation or a form field.
type Note struct {
	Rect
	// Name is that of the form field; "" for a comment.
	Name string
	// Text is the content or the value.
	Text string
}

// The subtypes of annotations with text of their own.
const (
	annotText     = 1
	annotFreeText = 3
	annotWidget   = 20
)

const maxNotes = 2000

// Notes lists comments and filled form fields.
func (p *Page) Notes() []Note {
	v := p.d.vm
	var all []Note
	for i := range min(max(v.n("FPDFPage_GetAnnotCount", p.handle), 0), maxNotes) {
		a := v.call("FPDFPage_GetAnnot", p.handle, uint64(i))
		if a == 0 {
			continue
		}
		if n := p.note(a); n.Text != "" {
			all = append(all, n)
		}
		v.call("FPDFPage_CloseAnnot", a)
	}
	return all
}

func (p *Page) note(annot uint64) Note {
	v := p.d.vm
	var n Note
	switch v.n("FPDFAnnot_GetSubtype", annot) {
	case annotText, annotFreeText:
		n.Text = v.entry(annot, "Contents")
	case annotWidget:
		if n.Text = v.entry(annot, "V"); n.Text == "" || n.Text == "Off" {
			return Note{}
		}
		n.Name = v.entry(annot, "T")
	default:
		return n
	}
	if v.ok("FPDFAnnot_GetRect", annot, uint64(v.scratch)) {
		r := v.f32s(4)
		n.Rect = p.toShown.rect(r[0], r[1], r[2], r[3])
	}
	return n
}

func (v *vm) entry(annot uint64, key string) string {
	k := v.put(append([]byte(key), 0))
	defer v.free(k)
	return v.text("FPDFAnnot_GetStringValue", annot, uint64(k))
}
