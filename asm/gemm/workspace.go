package gemm

import (
	"sync"
	"unsafe"
)

// workspace is memory for packed operands. It is handed on from product to product, so that a warm program allocates
// none.
type workspace struct{ memory []byte }

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

const (
	alignment = 64
	spread    = 128 // between the two, so that they do not share places in the cache
)

// room returns room for a and b elements, at the start of a cache line.
func room[T float](w *workspace, a, b int) (*T, *T) {
	size := int(unsafe.Sizeof(*new(T)))
	atB := (a*size+alignment-1)/alignment*alignment + spread
	if need := atB + b*size + alignment; len(w.memory) < need {
		w.memory = make([]byte, need+need/8)
	}
	p := unsafe.Pointer(unsafe.SliceData(w.memory))
	p = unsafe.Add(p, -uintptr(p)%alignment)
	return (*T)(p), (*T)(unsafe.Add(p, atB))
}

// Loan is room for numbers that lasts until it is returned.
type Loan[T float] struct {
	w *workspace
	n int
	p *T
}

// Borrow returns room for n numbers, which hold anything.
func Borrow[T float](n int) Loan[T] {
	w := workspaces.Get().(*workspace)
	p, _ := room[T](w, n, 0)
	return Loan[T]{w, n, p}
}

// Slice is the room.
func (l Loan[T]) Slice() []T { return unsafe.Slice(l.p, l.n) }

// Return gives the room back.
func (l Loan[T]) Return() { workspaces.Put(l.w) }
