package dfa

import (
	"errors"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// maxNodes bounds the size of a program. Expressions with large Unicode
// classes exceed it.
const maxNodes = 4000

// ErrTooLarge says that an expression is not worth an automaton.
var ErrTooLarge = errors.New("dfa: the expression is too large")

// op is what a node does.
type op uint8

const (
	opFail   op = iota
	opMatch     // the expression has matched
	opByte      // consumes a byte from lo to hi, then goes to outs[0]
	opEmpty     // goes to outs[0] where cond holds
	opBranch    // goes to all outs
)

// node is a state of the nondeterministic automaton on bytes.
type node struct {
	op     op
	lo, hi byte
	cond   syntax.EmptyOp
	outs   []int32
}

// Program is a compiled expression. It may be used by several goroutines at
// once.
type Program struct {
	nodes   []node
	start   int32
	words   bool       // some node asks for a word boundary
	classes [256]uint8 // bytes the program does not tell apart share a class
	example []byte     // a byte of each class
	newline int        // the class of '\n'
}

// Compile translates an expression. Within it, '\n' never matches.
func Compile(re *syntax.Regexp) (*Program, error) {
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, err
	}
	if len(prog.Inst) > maxNodes {
		return nil, ErrTooLarge
	}
	p := &Program{nodes: make([]node, len(prog.Inst)), start: int32(prog.Start)}
	for i := range prog.Inst {
		p.translate(i, &prog.Inst[i])
		if len(p.nodes) > maxNodes {
			return nil, ErrTooLarge
		}
	}
	p.classify()
	return p, nil
}

// translate fills in the node of an instruction; it has the same number.
func (p *Program) translate(i int, inst *syntax.Inst) {
	out := int32(inst.Out)
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		p.nodes[i] = node{op: opBranch, outs: []int32{out, int32(inst.Arg)}}
	case syntax.InstCapture, syntax.InstNop:
		p.nodes[i] = node{op: opBranch, outs: []int32{out}}
	case syntax.InstEmptyWidth:
		cond := syntax.EmptyOp(inst.Arg)
		p.words = p.words || cond&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) != 0
		p.nodes[i] = node{op: opEmpty, cond: cond, outs: []int32{out}}
	case syntax.InstMatch:
		p.nodes[i] = node{op: opMatch}
	case syntax.InstFail:
		p.nodes[i] = node{op: opFail}
	default:
		p.nodes[i] = node{op: opBranch, outs: p.runes(ranges(inst), out)}
	}
}

// ranges returns the pairs of runes that an instruction matches.
func ranges(inst *syntax.Inst) []rune {
	switch {
	case inst.Op == syntax.InstRuneAny:
		return []rune{0, utf8.MaxRune}
	case inst.Op == syntax.InstRuneAnyNotNL:
		return []rune{0, '\n' - 1, '\n' + 1, utf8.MaxRune}
	case len(inst.Rune) > 1:
		return inst.Rune
	}
	r := inst.Rune[0]
	pairs := []rune{r, r}
	if inst.Op == syntax.InstRune && syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			pairs = append(pairs, f, f)
		}
	}
	return pairs
}

// add appends a node and returns its number.
func (p *Program) add(n node) int32 {
	p.nodes = append(p.nodes, n)
	return int32(len(p.nodes) - 1)
}

// addBytes adds a node for a range of bytes.
func (p *Program) addBytes(lo, hi byte, out int32) int32 {
	return p.add(node{op: opByte, lo: lo, hi: hi, outs: []int32{out}})
}

// runes adds nodes for the UTF-8 of ranges of runes.
func (p *Program) runes(pairs []rune, out int32) []int32 {
	var outs []int32
	for i := 0; i+1 < len(pairs) && len(p.nodes) <= maxNodes; i += 2 {
		lo, hi := pairs[i], pairs[i+1]
		if lo < utf8.RuneSelf {
			outs = append(outs, p.addBytes(byte(lo), byte(min(hi, utf8.RuneSelf-1)), out))
			lo = utf8.RuneSelf
		}
		if lo <= utf8.RuneError && utf8.RuneError <= hi {
			// Package regexp takes each invalid byte for this rune.
			outs = append(outs, p.addBytes(0x80, 0xff, out))
		}
		if lo <= hi {
			outs = p.wide(lo, hi, out, outs)
		}
	}
	return outs
}

// wide adds nodes for runes beyond ASCII: one chain for each range of
// sequences that have the same length and differ as little as a product of
// byte ranges can say.
func (p *Program) wide(lo, hi rune, out int32, outs []int32) []int32 {
	for _, last := range []rune{0x7ff, 0xffff} { // of a length
		if lo <= last && last < hi {
			outs = p.wide(lo, last, out, outs)
			lo = last + 1
		}
	}
	for shift := 6; shift <= 18; shift += 6 {
		mask := rune(1)<<shift - 1
		if lo&^mask == hi&^mask {
			break // all but the last bytes are the same
		}
		if lo&mask != 0 {
			outs = p.wide(lo, lo|mask, out, outs)
			return p.wide((lo|mask)+1, hi, out, outs)
		}
		if hi&mask != mask {
			outs = p.wide(lo, hi&^mask-1, out, outs)
			return p.wide(hi&^mask, hi, out, outs)
		}
	}
	var first, last [utf8.UTFMax]byte
	n := encode(first[:], lo)
	encode(last[:], hi)
	for i := n - 1; i >= 0; i-- {
		out = p.addBytes(first[i], last[i], out)
	}
	return append(outs, out)
}

// encode is utf8.EncodeRune that takes surrogates too; no text has them.
func encode(b []byte, r rune) int {
	if r >= 0xd800 && r <= 0xdfff {
		b[0], b[1], b[2] = 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f
		return 3
	}
	return utf8.EncodeRune(b, r)
}

// classify finds which bytes the program tells apart.
func (p *Program) classify() {
	var starts [257]bool // where a new class starts
	mark := func(lo, hi byte) { starts[lo], starts[int(hi)+1] = true, true }
	mark('\n', '\n')
	mark('\r', '\r')
	if p.words {
		mark('0', '9')
		mark('A', 'Z')
		mark('_', '_')
		mark('a', 'z')
	}
	for i := range p.nodes {
		if n := &p.nodes[i]; n.op == opByte {
			mark(n.lo, n.hi)
		}
	}
	class := -1
	for c := range 256 {
		if c == 0 || starts[c] {
			class++
			p.example = append(p.example, byte(c))
		}
		p.classes[c] = uint8(class)
	}
	p.newline = int(p.classes['\n'])
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}
