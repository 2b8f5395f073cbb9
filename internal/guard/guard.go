// Package guard gives tests memory that faults when it is touched outside its bounds: data between two pages without
// any rights. Assembly that reads or writes one byte too far faults, where an ordinary slice would hide the error.
//
//	a := guard.New(t, 4096)
//	x := guard.Tail[float32](a, n) // the byte after x[n-1] faults
//	if addr, bad := guard.Fault(func() { kernel(&x[0], n) }); bad { ... }
//
// Where such memory cannot be had (see Supported) New skips the test.
package guard

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"
)

// Arena is a mapping of guard page, data, guard page. It is no Go heap: store no pointers in it.
type Arena struct {
	mem, data []byte
}

// New maps an arena of at least size bytes, all zero, which is unmapped when the test ends.
func New(tb testing.TB, size int) *Arena {
	tb.Helper()
	if !Supported {
		tb.Skip("guard: no guard pages on " + runtime.GOOS + "/" + runtime.GOARCH)
	}
	a, err := newArena(size)
	if err != nil {
		tb.Fatalf("guard: mapping %d bytes: %v", size, err)
	}
	tb.Cleanup(func() {
		if err := a.unmap(); err != nil {
			tb.Errorf("guard: unmapping: %v", err)
		}
	})
	return a
}

// Fill sets every byte of the data to v; 0xff makes every float a NaN.
func (a *Arena) Fill(v byte) {
	for i := range a.data {
		a.data[i] = v
	}
}

// ReadOnly takes away (true) or gives back (false) the right to write, so that a kernel that writes to its input
// faults.
func (a *Arena) ReadOnly(tb testing.TB, on bool) {
	tb.Helper()
	if err := a.protect(on); err != nil {
		tb.Fatalf("guard: protecting: %v", err)
	}
}

// Contains reports whether addr lies in the arena, guard pages included.
func (a *Arena) Contains(addr uintptr) bool {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(a.mem)))
	return addr-start < uintptr(len(a.mem))
}

// Head returns n elements, the first of which follows the lower guard page.
func Head[T any](a *Arena, n int) []T { return at[T](a, 0, n) }

// Tail returns n elements, the last of which borders on the upper guard page. With n = 0 its pointer is the guard page.
func Tail[T any](a *Arena, n int) []T { return at[T](a, len(a.data)-n*int(unsafe.Sizeof(*new(T))), n) }

func at[T any](a *Arena, offset, n int) []T {
	if size := int(unsafe.Sizeof(*new(T))); n < 0 || offset < 0 || n > (len(a.data)-offset)/size {
		panic("guard: the arena is too small")
	}
	// Not a.data[offset:], which for an offset of len(a.data) keeps the old pointer.
	return unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(a.data)), offset)), n)
}

// Fault runs f and reports whether it touched memory that it must not, and where (0 when the system does not say). A
// panic of any other kind goes on.
func Fault(f func()) (addr uintptr, faulted bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch r := recover().(type) {
		case nil:
		case interface {
			runtime.Error
			Addr() uintptr
		}:
			addr, faulted = r.Addr(), true
		case runtime.Error:
			// A fault whose address the emulator reports as 0 comes as a nil dereference.
			if !strings.Contains(r.Error(), "nil pointer dereference") {
				panic(r)
			}
			faulted = true
		default:
			panic(r)
		}
	}()
	f()
	return 0, false
}
