package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf16"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// scratchSize is the size of the buffer that results are written to.
const scratchSize = 64 << 10

// vm is one instance of the module. After a failed call it is dead: every
// further call returns zero, and err says why.
type vm struct {
	ctx     context.Context
	mod     api.Module
	fns     map[string]api.Function
	stack   [10]uint64
	scratch uint32
	err     error
}

func (e *Engine) newVM(ctx context.Context) (*vm, error) {
	config := wazero.NewModuleConfig().WithStartFunctions("_initialize").WithName("").WithFSConfig(wazero.NewFSConfig())
	mod, err := e.runtime.InstantiateModule(ctx, e.code, config)
	if err != nil {
		return nil, fmt.Errorf("starting PDFium: %w", err)
	}
	v := &vm{ctx: ctx, mod: mod, fns: map[string]api.Function{}}
	v.call("FPDF_InitLibrary")
	if v.scratch = v.alloc(scratchSize); v.err != nil {
		return nil, errors.Join(v.err, v.close())
	}
	return v, nil
}

func (v *vm) close() error { return v.mod.Close(context.Background()) }

// call calls an exported function.
func (v *vm) call(name string, args ...uint64) uint64 {
	if v.err != nil {
		return 0
	}
	f := v.fns[name]
	if f == nil {
		if f = v.mod.ExportedFunction(name); f == nil {
			v.err = fmt.Errorf("PDFium lacks %s", name)
			return 0
		}
		v.fns[name] = f
	}
	copy(v.stack[:], args)
	if err := f.CallWithStack(v.ctx, v.stack[:]); err != nil {
		v.fail(name, err)
		return 0
	}
	return v.stack[0]
}

// fail records why the instance is dead, without the stack of the guest.
func (v *vm) fail(name string, err error) {
	if v.ctx.Err() != nil {
		v.err = context.Cause(v.ctx)
		return
	}
	v.err = &CrashError{Function: name, Err: err}
}

// CrashError reports that PDFium failed inside of its sandbox.
type CrashError struct {
	// Function is what was called.
	Function string
	// Err is the runtime's error with the guest's stack.
	Err error
}

// Error implements error; it is one line.
func (c *CrashError) Error() string { return "PDFium failed in " + c.Function }

// Unwrap returns the runtime's error.
func (c *CrashError) Unwrap() error { return c.Err }

// ok calls a function that returns a truth value.
func (v *vm) ok(name string, args ...uint64) bool { return uint32(v.call(name, args...)) != 0 }

// n calls a function that returns a number.
func (v *vm) n(name string, args ...uint64) int { return int(int32(uint32(v.call(name, args...)))) }

// f32 calls a function that returns a float.
func (v *vm) f32(name string, args ...uint64) float64 {
	return float64(api.DecodeF32(v.call(name, args...)))
}

// alloc reserves memory; that there is none left kills the instance.
func (v *vm) alloc(n int) uint32 {
	p := uint32(v.call("malloc", uint64(n)))
	if p == 0 && v.err == nil {
		v.err = ErrMemory
	}
	return p
}

func (v *vm) free(p uint32) {
	if p != 0 {
		v.call("free", uint64(p))
	}
}

// ErrMemory reports that a document needs more memory than it may use.
var ErrMemory = errors.New("the document needs more memory than it may use")

// bytes is a view of n bytes at p, nil when they are not there.
func (v *vm) bytes(p uint32, n int) []byte {
	if v.err != nil || n < 0 {
		return nil
	}
	b, _ := v.mod.Memory().Read(p, uint32(n))
	return b
}

// put copies data into new memory.
func (v *vm) put(data []byte) uint32 {
	p := v.alloc(max(len(data), 1))
	if v.err == nil && !v.mod.Memory().Write(p, data) {
		v.err = ErrMemory
	}
	return p
}

// f32s reads n floats of the scratch buffer.
func (v *vm) f32s(n int) [6]float64 {
	var out [6]float64
	b := v.bytes(v.scratch, 4*n)
	for i := 0; i < n && len(b) == 4*n; i++ {
		out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	return out
}

// i32s reads n numbers of the scratch buffer.
func (v *vm) i32s(n int) [4]int {
	var out [4]int
	b := v.bytes(v.scratch, 4*n)
	for i := 0; i < n && len(b) == 4*n; i++ {
		out[i] = int(int32(binary.LittleEndian.Uint32(b[4*i:])))
	}
	return out
}

// ascii reads the string that a function writes into the buffer at the end of
// its arguments; it returns the size with the final zero.
func (v *vm) ascii(name string, args ...uint64) string {
	n := v.n(name, append(args, uint64(v.scratch), scratchSize)...)
	if n <= 1 || n > scratchSize {
		return ""
	}
	return string(v.bytes(v.scratch, n-1))
}

// text is as ascii, for UTF-16.
func (v *vm) text(name string, args ...uint64) string {
	n := v.n(name, append(args, uint64(v.scratch), scratchSize)...)
	if n <= 2 || n > scratchSize {
		return ""
	}
	b := v.bytes(v.scratch, n-2)
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}
