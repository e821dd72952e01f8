package textenc

import (
	"encoding/binary"
	"unicode/utf8"
)

// opaque stands in a view for bytes that are no character of the file's
// encoding. It never occurs in UTF-8, so no text can match it.
const opaque = 0xFF

// decode returns the first character of p and the bytes it takes. Bytes that
// are none give ok false and the least number of them to skip. p is not empty.
func (e Encoding) decode(p []byte) (r rune, n int, ok bool) {
	switch e.kind {
	case kindUTF8:
		r, n = utf8.DecodeRune(p)
		return r, n, r != utf8.RuneError || n > 1
	case kindUTF16:
		return e.decode16(p)
	case kindUTF32:
		if len(p) < 4 {
			return 0, len(p), false
		}
		r = rune(e.order().Uint32(p))
		return r, 4, utf8.ValidRune(r)
	case kindSingle:
		r = e.charmap.DecodeByte(p[0])
		return r, 1, r != utf8.RuneError
	case kindMulti, kindStateful:
	}
	return e.decodeMulti(p)
}

func (e Encoding) order() binary.ByteOrder {
	if e.bigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func (e Encoding) decode16(p []byte) (r rune, n int, ok bool) {
	if len(p) < 2 {
		return 0, len(p), false
	}
	r = rune(e.order().Uint16(p))
	switch {
	case r < 0xD800 || r > 0xDFFF:
		return r, 2, true
	case r > 0xDBFF || len(p) < 4:
		return r, 2, false
	}
	low := rune(e.order().Uint16(p[2:]))
	if low < 0xDC00 || low > 0xDFFF {
		return r, 2, false
	}
	return (r-0xD800)<<10 + (low - 0xDC00) + 0x10000, 4, true
}

// decodeMulti asks the codec with ever more bytes until it gives a character.
func (e Encoding) decodeMulti(p []byte) (r rune, n int, ok bool) {
	if p[0] < utf8.RuneSelf {
		return rune(p[0]), 1, true
	}
	var dst [16]byte
	decoder := e.other.NewDecoder()
	for n = 1; n <= 4 && n <= len(p); n++ {
		decoder.Reset()
		written, read, err := decoder.Transform(dst[:], p[:n], false)
		if err == nil && read == n && written > 0 {
			r, size := utf8.DecodeRune(dst[:written])
			if r == utf8.RuneError || size != written || !e.holds(r, p[:n]) {
				return 0, 1, false
			}
			return r, n, true
		}
	}
	return 0, 1, false
}

// holds reports whether r encodes to exactly these bytes: a character that
// would be written otherwise must not pass for the original.
func (e Encoding) holds(r rune, p []byte) bool {
	b, err := e.appendRune(nil, r)
	return err == nil && string(b) == string(p)
}

// appendRune appends r in the encoding.
func (e Encoding) appendRune(dst []byte, r rune) ([]byte, error) {
	switch e.kind {
	case kindUTF8:
		return utf8.AppendRune(dst, r), nil
	case kindUTF16:
		return e.append16(dst, r), nil
	case kindUTF32:
		return e.appendOrder().AppendUint32(dst, uint32(r)), nil
	case kindSingle:
		if b, ok := e.charmap.EncodeRune(r); ok {
			return append(dst, b), nil
		}
		return dst, errNotHeld
	case kindMulti, kindStateful:
	}
	b, err := e.other.NewEncoder().Bytes(utf8.AppendRune(nil, r))
	if err != nil {
		return dst, errNotHeld
	}
	return append(dst, b...), nil
}

func (e Encoding) appendOrder() binary.AppendByteOrder {
	if e.bigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func (e Encoding) append16(dst []byte, r rune) []byte {
	o := e.appendOrder()
	if r < 0x10000 {
		return o.AppendUint16(dst, uint16(r))
	}
	r -= 0x10000
	dst = o.AppendUint16(dst, uint16(0xD800+r>>10))
	return o.AppendUint16(dst, uint16(0xDC00+r&0x3FF))
}
