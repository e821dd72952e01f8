package guard_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/toolfacade/toolfacade/docs/pdf/internal/guard"
)

// section is one of a module.
func section(id byte, body ...byte) []byte { return append([]byte{id, byte(len(body))}, body...) }

// module imports env.tick and exports forever, which loops for ever, and sum,
// which adds the numbers up to its argument.
func module() []byte {
	var m []byte
	for _, part := range [][]byte{
		[]byte("\x00asm\x01\x00\x00\x00"),
		section(1, 3, 0x60, 1, 0x7f, 0, 0x60, 0, 0, 0x60, 1, 0x7f, 1, 0x7f), // (i32) -> (), () -> (), (i32) -> (i32)
		section(2, append([]byte{1, 3, 'e', 'n', 'v', 4, 't', 'i', 'c', 'k'}, 0, 0)...),
		section(3, 2, 1, 2),
		section(6, 1, 0x7f, 1, 0x41, 7, 0x0b),
		section(7, append(append([]byte{2, 7}, "forever\x00\x01\x03"...), "sum\x00\x02"...)...),
		section(10, 2,
			7, 0, 0x03, 0x40, 0x0c, 0, 0x0b, 0x0b, // loop br 0 end
			28, 1, 1, 0x7f, // local 1: the sum
			0x03, 0x40, // loop
			0x20, 1, 0x20, 0, 0x6a, 0x21, 1, // sum += n
			0x20, 0, 0x41, 1, 0x6b, 0x22, 0, // n--
			0x0d, 0, // br_if 0
			0x0b, 0x20, 1, 0x1a, 0x20, 1, 0x0b),
	} {
		m = append(m, part...)
	}
	return m
}

var errStop = errors.New("stop")

// run instantiates a module whose ticks are answered by tick.
func run(t *testing.T, wasm []byte, tick func(n int)) api.Module {
	t.Helper()
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	t.Cleanup(func() {
		if err := r.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	n := 0
	_, err := r.NewHostModuleBuilder("env").NewFunctionBuilder().WithFunc(func(x int32) {
		if x != guard.Tick {
			t.Errorf("called with %d", x)
		}
		n++
		tick(n)
	}).Export("tick").Instantiate(ctx)
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Instantiate(ctx, wasm)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestInstrumentedLoops(t *testing.T) {
	wasm, err := guard.Instrument(module(), "env", "tick")
	if err != nil {
		t.Fatal(err)
	}
	m := run(t, wasm, func(n int) {
		if n == 3 {
			panic(errStop)
		}
	})
	out, err := m.ExportedFunction("sum").Call(context.Background(), 100)
	if err != nil || out[0] != 5050 {
		t.Errorf("sum is %v, %v", out, err)
	}
	if _, err := m.ExportedFunction("forever").Call(context.Background()); !errors.Is(err, errStop) {
		t.Errorf("the loop ended with %v", err)
	}
}

func TestCannotInstrument(t *testing.T) {
	good := string(module())
	for name, wasm := range map[string]string{
		"empty":               "",
		"no module":           "PK\x03\x04",
		"cut":                 good[:len(good)-3],
		"cut section":         good[:20],
		"other import":        strings.Replace(good, "tick", "tock", 1),
		"unknown instruction": strings.Replace(good, "\x20\x01\x1a", "\x20\x01\xff", 1),
		"import of a memory":  strings.Replace(good, "tick\x00\x00", "tick\x02\x00", 1),
	} {
		if _, err := guard.Instrument([]byte(wasm), "env", "tick"); err == nil {
			t.Errorf("%s is instrumented", name)
		}
	}
}

func FuzzInstrument(f *testing.F) {
	f.Add(module())
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x02\xff\xff\xff\xff\x0f"))
	f.Fuzz(func(_ *testing.T, wasm []byte) {
		_, _ = guard.Instrument(wasm, "env", "tick") // it must return
	})
}
