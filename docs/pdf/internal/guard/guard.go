// Package guard rewrites a WebAssembly module so that its host can interrupt
// it: every loop counts down, and when the count is used up it calls a function
// of the host, which may refuse to return.
//
// The runtime's own way leaves the machine code at every turn of every loop,
// which makes a PDF three times slower; a count in a global costs little.
package guard

import (
	"bytes"
	"errors"
	"fmt"
)

// Tick is the argument of the host's function when a count is used up. The
// function is one that the module imports already, so that no index changes.
const Tick = -1

// Interval is how many turns of loops lie between two calls.
const Interval = 1 << 18

// The sections of a module that are read or written.
const (
	sectionImport = 2
	sectionGlobal = 6
	sectionCode   = 10
)

var magic = []byte("\x00asm\x01\x00\x00\x00")

// Instrument returns a copy of a module whose loops call the imported function
// module.name, of type (i32) -> (), with [Tick] every [Interval] turns.
func Instrument(wasm []byte, module, name string) ([]byte, error) {
	if !bytes.HasPrefix(wasm, magic) {
		return nil, errors.New("guard: not a WebAssembly module")
	}
	in := &reader{data: wasm, at: len(magic)}
	g := &rewriter{out: make([]byte, 0, len(wasm)+len(wasm)/8), module: module, name: name, hook: -1}
	g.out = append(g.out, magic...)
	for in.at < len(in.data) && in.err == nil {
		id := in.byte()
		body := in.bytes(int(in.u32()))
		if in.err != nil {
			break
		}
		if err := g.section(id, body); err != nil {
			return nil, fmt.Errorf("guard: section %d: %w", id, err)
		}
	}
	if in.err != nil {
		return nil, fmt.Errorf("guard: %w", in.err)
	}
	return g.out, nil
}

// rewriter writes the sections one by one.
type rewriter struct {
	out          []byte
	module, name string
	hook         int // index of the host's function
	check        []byte
}

func (g *rewriter) section(id byte, body []byte) error {
	var err error
	switch id {
	case sectionImport:
		err = g.imports(body)
	case sectionGlobal:
		body, err = g.globals(body)
	case sectionCode:
		body, err = g.code(body)
	}
	g.out = append(g.out, id)
	g.out = appendU32(g.out, uint32(len(body)))
	g.out = append(g.out, body...)
	return err
}

// imports finds the host's function.
func (g *rewriter) imports(body []byte) error {
	r := &reader{data: body}
	functions := 0
	for range r.u32() {
		module, name := string(r.bytes(int(r.u32()))), string(r.bytes(int(r.u32())))
		if kind := r.byte(); kind != 0 || r.err != nil {
			return errors.Join(errors.New("only functions may be imported"), r.err)
		}
		if r.u32(); module == g.module && name == g.name {
			g.hook = functions
		}
		functions++
	}
	if g.hook < 0 {
		return errors.Join(fmt.Errorf("%s.%s is not imported", g.module, g.name), r.err)
	}
	return r.err
}

// globals adds the count.
func (g *rewriter) globals(body []byte) ([]byte, error) {
	r := &reader{data: body}
	count := r.u32()
	out := appendU32(nil, count+1)
	out = append(out, body[r.at:]...)
	out = append(out, typeI32, mutable, opI32Const)
	out = appendS32(out, Interval)
	out = append(out, opEnd)
	g.prepare(count)
	return out, r.err
}

// prepare assembles what every loop begins with.
func (g *rewriter) prepare(count uint32) {
	c := appendU32([]byte{opGlobalGet}, count)
	c = append(c, opI32Const, 1, opI32Sub, opGlobalSet)
	c = appendU32(c, count)
	c = appendU32(append(c, opGlobalGet), count)
	c = append(c, opI32Eqz, opIf, blockEmpty, opI32Const)
	c = appendS32(c, Interval)
	c = appendU32(append(c, opGlobalSet), count)
	c = appendS32(append(c, opI32Const), Tick)
	c = appendU32(append(c, opCall), uint32(g.hook))
	g.check = append(c, opEnd)
}

// code adds the check to the functions.
func (g *rewriter) code(body []byte) ([]byte, error) {
	if g.check == nil || g.hook < 0 {
		return nil, errors.New("the module has no import or no global section before its code")
	}
	r := &reader{data: body}
	count := r.u32()
	out := appendU32(make([]byte, 0, len(body)+len(body)/8), count)
	var function []byte
	for i := range count {
		var err error
		if function, err = g.function(function[:0], r.bytes(int(r.u32()))); err != nil {
			return nil, fmt.Errorf("function %d: %w", i, err)
		}
		if r.err != nil {
			return nil, r.err
		}
		out = appendU32(out, uint32(len(function)))
		out = append(out, function...)
	}
	return out, r.err
}

// function copies one body and puts the check behind each loop instruction.
func (g *rewriter) function(out, body []byte) ([]byte, error) {
	r := &reader{data: body}
	for range r.u32() { // locals
		r.u32()
		r.byte()
	}
	copied := 0
	for r.at < len(body) && r.err == nil {
		op := r.byte()
		if err := r.immediates(op); err != nil {
			return nil, err
		}
		if op == opLoop {
			out = append(out, body[copied:r.at]...)
			out = append(out, g.check...)
			copied = r.at
		}
	}
	return append(out, body[copied:]...), r.err
}
