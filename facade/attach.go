package facade

// attachments are the parts and notes of an output, kept out of its JSON form.
type attachments struct {
	parts []Part
	notes []string
}

// AddPart attaches an image or another binary part to the result.
func (a *attachments) AddPart(p Part) { a.parts = append(a.parts, p) }

// AddNote attaches a remark for the model to the result.
func (a *attachments) AddNote(note string) { a.notes = append(a.notes, note) }

// Attachments lists the attached parts.
func (a attachments) Attachments() []Part { return a.parts }

// attach hands them over to a result.
func (a attachments) attach(r *Result) {
	r.Parts = append(r.Parts, a.parts...)
	r.Notes = append(r.Notes, a.notes...)
}
