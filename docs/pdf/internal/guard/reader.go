package guard

import (
	"errors"
	"fmt"
)

// Instructions and types that are read or written.
const (
	typeI32    = 0x7f
	mutable    = 0x01
	blockEmpty = 0x40

	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opCall         = 0x10
	opCallIndirect = 0x11
	opSelectTyped  = 0x1c
	opLocalGet     = 0x20
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opTableSet     = 0x26
	opLoad         = 0x28
	opStoreLast    = 0x3e
	opMemorySize   = 0x3f
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opF32Const     = 0x43
	opF64Const     = 0x44
	opI32Eqz       = 0x45
	opI32Sub       = 0x6b
	opNumericLast  = 0xc4
	opRefNull      = 0xd0
	opRefIsNull    = 0xd1
	opRefFunc      = 0xd2
	opMisc         = 0xfc
)

var errShort = errors.New("the module ends too early")

// reader reads a module. After an error it returns zeros.
type reader struct {
	data []byte
	at   int
	err  error
}

func (r *reader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) bytes(n int) []byte {
	if r.err != nil || n < 0 || n > len(r.data)-r.at {
		if r.err == nil {
			r.err = errShort
		}
		return nil
	}
	r.at += n
	return r.data[r.at-n : r.at]
}

// u32 reads a number in LEB128. Signed ones have the same length.
func (r *reader) u32() uint32 {
	n := uint32(0)
	for shift := 0; ; shift += 7 {
		b := r.byte()
		if shift > 63 {
			r.err = errors.New("a number is too long")
		}
		if r.err != nil {
			return 0
		}
		if shift < 32 {
			n |= uint32(b&0x7f) << shift
		}
		if b < 0x80 {
			return n
		}
	}
}

// immediates steps over what follows an instruction's code.
func (r *reader) immediates(op byte) error {
	switch {
	case op == opBlock || op == opLoop || op == opIf, op == opBr || op == opBrIf, op == opCall, op == opRefFunc, op == opRefNull,
		op >= opLocalGet && op <= opTableSet, op == opI32Const || op == opI64Const, op == opMemorySize || op == opMemoryGrow:
		r.u32()
	case op == opBrTable:
		for range r.u32() {
			if r.u32(); r.err != nil {
				return r.err
			}
		}
		r.u32()
	case op == opCallIndirect, op >= opLoad && op <= opStoreLast:
		r.u32()
		r.u32()
	case op == opSelectTyped:
		r.bytes(int(r.u32()))
	case op == opF32Const:
		r.bytes(4)
	case op == opF64Const:
		r.bytes(8)
	case op == opMisc:
		return r.misc()
	case op <= opCallIndirect, op == 0x1a || op == 0x1b, op >= opI32Eqz && op <= opNumericLast, op == opRefIsNull:
	default:
		return fmt.Errorf("unknown instruction %#x", op)
	}
	return r.err
}

// misc steps over the rest of an instruction of two bytes: conversions, bulk
// memory and tables.
func (r *reader) misc() error {
	switch sub := r.u32(); {
	case sub <= 7:
	case sub == 8, sub == 10, sub == 12, sub == 14:
		r.u32()
		r.u32()
	case sub <= 17:
		r.u32()
	default:
		return fmt.Errorf("unknown instruction %#x %d", opMisc, sub)
	}
	return r.err
}

func appendU32(b []byte, n uint32) []byte {
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}

func appendS32(b []byte, n int32) []byte {
	for n < -64 || n > 63 {
		b = append(b, byte(n)&0x7f|0x80)
		n >>= 7
	}
	return append(b, byte(n)&0x7f)
}
