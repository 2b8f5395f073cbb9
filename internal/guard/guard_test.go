package guard

import (
	"testing"
	"unsafe"
)

// read and write touch one byte; not inlined, so that the compiler cannot drop the access.
//
//go:noinline
func read(p unsafe.Pointer) byte { return *(*byte)(p) }

//go:noinline
func write(p unsafe.Pointer) { *(*byte)(p) = 1 }

func TestFault(t *testing.T) {
	a := New(t, 5000)
	for _, n := range []int{0, 1, 3, 1000} {
		head, tail := Head[float32](a, n), Tail[float32](a, n)
		first, end := unsafe.Pointer(unsafe.SliceData(head)), unsafe.Add(unsafe.Pointer(unsafe.SliceData(tail)), 4*n)
		for _, c := range []struct {
			name string
			f    func()
			want bool
		}{
			{"first byte", func() { read(first) }, false},
			{"last byte", func() { read(unsafe.Add(end, -1)) }, false},
			{"write", func() { write(first) }, false},
			{"under-read", func() { read(unsafe.Add(first, -1)) }, true},
			{"over-read", func() { read(end) }, true},
			{"under-write", func() { write(unsafe.Add(first, -1)) }, true},
			{"over-write", func() { write(end) }, true},
		} {
			addr, got := Fault(c.f)
			if got != c.want {
				t.Errorf("n=%d %s: fault %v, want %v", n, c.name, got, c.want)
			}
			if addr != 0 && !a.Contains(addr) {
				t.Errorf("n=%d %s: fault at %#x, outside the arena", n, c.name, addr)
			}
		}
	}
}

func TestReadOnly(t *testing.T) {
	a := New(t, 1)
	a.Fill(7)
	x := Head[byte](a, 1)
	p := unsafe.Pointer(&x[0])
	a.ReadOnly(t, true)
	if _, bad := Fault(func() { write(p) }); !bad {
		t.Error("a write to a read-only arena went through")
	}
	if _, bad := Fault(func() { read(p) }); bad || x[0] != 7 {
		t.Errorf("a read-only arena: fault %v, value %d, want 7", bad, x[0])
	}
	a.ReadOnly(t, false)
	if _, bad := Fault(func() { write(p) }); bad || x[0] != 1 {
		t.Errorf("a writable arena: fault %v, value %d, want 1", bad, x[0])
	}
}

// TestOtherPanics: an error that is no fault must not be taken for one.
func TestOtherPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"index":  func() { x := make([]int, 1); _ = x[len(t.Name())] },
		"string": func() { panic("boom") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: Fault swallowed the panic", name)
				}
			}()
			Fault(f)
		}()
	}
}

func TestTooSmall(t *testing.T) {
	a := New(t, 1)
	for name, f := range map[string]func(){
		"head": func() { Head[float64](a, 1<<20) },
		"tail": func() { Tail[float64](a, 1<<20) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: more elements than the arena holds", name)
				}
			}()
			f()
		}()
	}
}
