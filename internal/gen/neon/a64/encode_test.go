package a64

import (
	"encoding/binary"
	"reflect"
	"testing"

	"golang.org/x/arch/arm64/arm64asm"
)

func disassemble(bits uint32) (string, error) {
	if text := dotProduct(bits); text != "" {
		return text, nil
	}
	inst, err := arm64asm.Decode(binary.LittleEndian.AppendUint32(nil, bits))
	if err != nil {
		return "", err
	}
	return arm64asm.GNUSyntax(inst), nil
}

// TestEncodings calls every method of File that takes an arrangement, so that none is forgotten, over a sample of
// registers and all lanes, and asks the disassembler what came out.
func TestEncodings(t *testing.T) {
	registers := [][3]V{{0, 1, 2}, {31, 16, 8}, {7, 31, 15}, {8, 15, 31}, {16, 0, 1}, {0, 0, 0}}
	typ := reflect.TypeFor[*File]()
	for i := range typ.NumMethod() {
		method := typ.Method(i)
		if method.Type.NumIn() < 2 || method.Type.In(1) != reflect.TypeFor[Arr]() {
			continue
		}
		var f File
		for arr := range Arr(len(arrs)) {
			for _, r := range registers {
				for lane := range arrs[arr].lanes {
					method.Func.Call(arguments(method.Type, &f, arr, r, lane))
				}
			}
		}
		if want := len(registers) * (2 + 4 + 2); len(f.words) != want {
			t.Errorf("%s made %d words, want %d", method.Name, len(f.words), want)
		}
		for _, w := range f.words {
			if got, err := disassemble(w.bits); err != nil || got != w.text {
				t.Errorf("%s: %08x is %q (error %v), the encoder says %q", method.Name, w.bits, got, err, w.text)
			}
		}
		t.Logf("%s: %d encodings", method.Name, len(f.words))
	}
}

// TestFixedEncodings does the same with the methods of one arrangement, which take vectors alone.
func TestFixedEncodings(t *testing.T) {
	typ, seen := reflect.TypeFor[*File](), 0
	for i := range typ.NumMethod() {
		method := typ.Method(i)
		if !vectorsAlone(method.Type) {
			continue
		}
		var f File
		for _, r := range [][3]V{{0, 1, 2}, {31, 16, 8}, {7, 31, 15}, {8, 15, 31}, {16, 0, 1}, {0, 0, 0}} {
			args := []reflect.Value{reflect.ValueOf(&f)}
			for j := range method.Type.NumIn() - 1 {
				args = append(args, reflect.ValueOf(r[j]))
			}
			method.Func.Call(args)
		}
		if len(f.words) != 6 {
			t.Errorf("%s made %d words, want 6", method.Name, len(f.words))
		}
		for _, w := range f.words {
			if got, err := disassemble(w.bits); err != nil || got != w.text {
				t.Errorf("%s: %08x is %q (error %v), the encoder says %q", method.Name, w.bits, got, err, w.text)
			}
		}
		seen++
	}
	if seen == 0 {
		t.Error("no method takes vectors alone")
	}
}

// vectorsAlone says whether a method of File takes vector registers and nothing else.
func vectorsAlone(method reflect.Type) bool {
	for i := 1; i < method.NumIn(); i++ {
		if method.In(i) != reflect.TypeFor[V]() {
			return false
		}
	}
	return method.NumIn() > 1
}

// arguments fills a method's parameters: an arrangement, vectors in turn, a lane.
func arguments(method reflect.Type, f *File, arr Arr, registers [3]V, lane int) []reflect.Value {
	args := []reflect.Value{reflect.ValueOf(f), reflect.ValueOf(arr)}
	for v := 0; len(args) < method.NumIn(); {
		if method.In(len(args)) == reflect.TypeFor[V]() {
			args = append(args, reflect.ValueOf(registers[v]))
			v++
		} else {
			args = append(args, reflect.ValueOf(lane))
		}
	}
	return args
}

func TestRefusals(t *testing.T) {
	for name, emit := range map[string]func(*File){
		"V32":               func(f *File) { f.FADD(S4, 32, 0, 0) },
		"lane 2 of float64": func(f *File) { f.FMLALane(D2, 0, 1, 2, 2) },
		"lane -1":           func(f *File) { f.FMLALane(S4, 0, 1, 2, -1) },
		"lane 2 of D2":      func(*File) { V(0).Lane(D2, 2) },
		"V0 and V2":         func(*File) { List([]V{0, 2}) },
		"R16":               func(f *File) { f.Op("ADD", X(16), X(0), X(0)) },
		"R17":               func(f *File) { f.Op("ADD", X(0), X(17), X(0)) },
		"R26":               func(f *File) { f.Op("ADD", X(0), X(0), X(26)) },
		"R18":               func(f *File) { f.Op("ADD", X(18), X(0), X(0)) },
		"R28":               func(f *File) { f.Op("MOVD", Mem(28, 8), X(0)) },
		"ZR":                func(f *File) { f.Op("MOVD", X(31), X(0)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was accepted", name)
				}
			}()
			emit(new(File))
		}()
	}
}
