package engine

// Link is an area that leads to an address.
type Link struct {
	Rect
	// URI is the address.
	URI string
}

const maxLinks = 2000

// Links lists the links that lead out of the document.
func (p *Page) Links() []Link {
	v := p.d.vm
	var all []Link
	at, out, box := uint64(v.scratch)+scratchSize-64, uint64(v.scratch)+scratchSize-32, uint64(v.scratch)
	v.zero(uint32(at))
	for range maxLinks {
		if !v.ok("FPDFLink_Enumerate", p.handle, at, out) {
			break
		}
		link := v.pointer(uint32(out))
		if !v.ok("FPDFLink_GetAnnotRect", link, box) {
			continue
		}
		r := v.f32s(4) // left, top, right, bottom
		action := v.call("FPDFLink_GetAction", link)
		if action == 0 {
			continue
		}
		if uri := v.within("FPDFAction_GetURIPath", p.d.doc, action); uri != "" {
			all = append(all, Link{Rect: p.toShown.rect(r[0], r[1], r[2], r[3]), URI: uri})
		}
	}
	return all
}

// within is as ascii, but leaves the end of the scratch buffer alone.
func (v *vm) within(name string, args ...uint64) string {
	const most = scratchSize / 2
	n := v.n(name, append(args, uint64(v.scratch), most)...)
	if n <= 1 || n > most {
		return ""
	}
	return string(v.bytes(v.scratch, n-1))
}

func (v *vm) zero(p uint32) {
	if b := v.bytes(p, 4); b != nil {
		clear(b)
	}
}

func (v *vm) pointer(p uint32) uint64 {
	b := v.bytes(p, 4)
	if b == nil {
		return 0
	}
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
}
