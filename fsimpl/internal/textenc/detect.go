package textenc

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// SampleSize is how many bytes from the start of a file decide whether it is
// text and whether its characters take two bytes.
const SampleSize = 64 << 10

// Detection is what the bytes of a file tell about its text.
type Detection struct {
	Encoding   Encoding   // meaningless when Binary
	Binary     bool       // not text
	BOM        int        // length of the byte order mark; 0 when there is none
	LineEnding LineEnding // None when Binary
	Invalid    int64      // bytes of a UTF-8 text that are not valid UTF-8; they are kept as they are
	Lines      int64      // lines, a last one without an end included
}

// Name returns the encoding's name, or [Binary].
func (d Detection) Name() string {
	if d.Binary {
		return Binary
	}
	return d.Encoding.Name()
}

// Detect inspects content, the whole of a file or its start.
func Detect(content []byte) Detection {
	n := min(SampleSize, len(content))
	d := Detector{sample: content[:n:n]}
	d.begin()
	d.feed(content[n:])
	return d.Result()
}

// Detector is a [Detect] for content that arrives in pieces, as through an
// io.TeeReader beside a hash. It holds at most [SampleSize] bytes. The zero
// value is ready for use.
type Detector struct {
	sample []byte
	begun  bool
	wide   kind // kindUTF16 and kindUTF32 count wide units
	enc    Encoding
	binary bool
	bom    int

	utf8 utf8Counter
	high bool // a byte of 0x80 to 0x9F that Windows-1252 defines was seen
	odd  bool // one that it does not define
	ends endCounter
}

// Write implements io.Writer and never fails.
func (d *Detector) Write(p []byte) (int, error) {
	n := len(p)
	if !d.begun {
		take := min(SampleSize-len(d.sample), len(p))
		d.sample, p = append(d.sample, p[:take]...), p[take:]
		if len(d.sample) < SampleSize {
			return n, nil
		}
		d.begin()
	}
	d.feed(p)
	return n, nil
}

// begin decides on the sample and counts it.
func (d *Detector) begin() {
	d.begun = true
	d.enc, d.bom, d.binary = classify(d.sample)
	d.wide = d.enc.kind
	d.ends = endCounter{width: unitWidth(d.enc), bigEndian: d.enc.bigEndian}
	d.feed(d.sample[d.bom:])
}

func (d *Detector) feed(p []byte) {
	if d.binary || len(p) == 0 {
		return
	}
	d.ends.feed(p)
	if d.wide != kindUTF8 {
		return
	}
	if isASCII(p) {
		d.utf8.flush(p)
		return
	}
	for _, c := range p {
		if c >= 0x80 && c <= 0x9F {
			switch c {
			case 0x81, 0x8D, 0x8F, 0x90, 0x9D:
				d.odd = true
			default:
				d.high = true
			}
		}
	}
	d.utf8.feed(p)
}

// Result returns what the bytes written so far tell.
func (d *Detector) Result() Detection {
	if !d.begun {
		d.begin()
	}
	if d.binary {
		return Detection{Binary: true, LineEnding: None}
	}
	r := Detection{Encoding: d.enc, BOM: d.bom}
	r.LineEnding, r.Lines = d.ends.result()
	if d.wide != kindUTF8 {
		return r
	}
	valid, invalid := d.utf8.result()
	if invalid > 0 && d.bom == 0 && invalid > valid {
		r.Encoding = single("iso-8859-1", charmap.ISO8859_1)
		if d.high && !d.odd {
			r.Encoding = single("windows-1252", charmap.Windows1252)
		}
		if suspicious(d.sample, 50) {
			return Detection{Binary: true, LineEnding: None}
		}
		return r
	}
	r.Invalid = invalid
	return r
}

// classify tells the kind of text from its start: a byte order mark, NUL bytes
// and control characters decide.
func classify(sample []byte) (enc Encoding, bom int, isBinary bool) {
	if e, n := marked(sample); n > 0 {
		return e, n, false
	}
	if magic(sample) != "" {
		return Encoding{}, 0, true
	}
	if bytes.IndexByte(sample, 0) >= 0 {
		if e, ok := looksUTF16(sample); ok {
			return e, 0, false
		}
		return Encoding{}, 0, true
	}
	return Encoding{}, 0, suspicious(sample, 10)
}

// marked returns the encoding that a byte order mark names, and its length.
func marked(sample []byte) (Encoding, int) {
	if len(sample) < 2 || sample[0] > 0 && sample[0] < 0xEF {
		return Encoding{}, 0
	}
	for _, e := range []Encoding{UTF8(), utf32Encoding(false), utf32Encoding(true), utf16(false), utf16(true)} {
		if bytes.HasPrefix(sample, e.BOM()) {
			return e, len(e.BOM())
		}
	}
	return Encoding{}, 0
}

// suspicious reports whether more than one byte in so many is a control
// character that texts do not hold.
func suspicious(sample []byte, oneIn int) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	n := 0
	for rest := sample; len(rest) > 0; {
		if len(rest) >= 8 {
			// A byte below a blank, or DEL, shows as a high bit; so do a few others.
			word := binary.NativeEndian.Uint64(rest)
			if ((word-0x20*ones)|((word^0x7F*ones)-ones))&^word&high == 0 {
				rest = rest[8:]
				continue
			}
		}
		k := min(8, len(rest))
		for _, c := range rest[:k] {
			if isControl(c) {
				n++
			}
		}
		rest = rest[k:]
	}
	return n*oneIn > len(sample)
}

func isControl(c byte) bool {
	switch c {
	case '\t', '\n', '\r', '\f', '\b', 0x1B:
		return false
	}
	return c < ' ' || c == 0x7F
}

// looksUTF16 recognises UTF-16 without a byte order mark: NUL bytes at one
// side of the pairs only, and nothing but characters of texts.
func looksUTF16(sample []byte) (Encoding, bool) {
	var nul [2]int
	for i, c := range sample {
		if c == 0 {
			nul[i%2]++
		}
	}
	even := sample[:len(sample)/2*2]
	little := nul[1] > 0 && nul[0] == 0
	big := nul[0] > 0 && nul[1] == 0
	if len(even) < 4 || !little && !big || (nul[0]+nul[1])*20 < len(even) {
		return Encoding{}, false
	}
	e := utf16(big)
	for len(even) > 0 {
		r, n, ok := e.decode(even)
		if !ok && len(even) > 2 || r < 0x80 && isControl(byte(r)) || r == 0xFFFE || r == 0xFFFF {
			return Encoding{}, false
		}
		even = even[n:]
	}
	return e, true
}

// isASCII reports whether no byte of p has its high bit set.
func isASCII(p []byte) bool {
	const high = 0x8080808080808080
	for len(p) >= 32 {
		if (binary.NativeEndian.Uint64(p)|binary.NativeEndian.Uint64(p[8:])|
			binary.NativeEndian.Uint64(p[16:])|binary.NativeEndian.Uint64(p[24:]))&high != 0 {
			return false
		}
		p = p[32:]
	}
	for len(p) >= 8 {
		if binary.NativeEndian.Uint64(p)&high != 0 {
			return false
		}
		p = p[8:]
	}
	for _, c := range p {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
