package vec

import (
	"math/bits"
	"sync"
	"unsafe"
)

// room is memory that a call borrows.
type room struct{ words []int64 }

var rooms = sync.Pool{New: func() any { return new(room) }}

// borrow returns room for at least n words. Its size is rounded up to a power of two, so that slowly growing calls
// rarely allocate.
func borrow(n int) *room {
	r := rooms.Get().(*room)
	if len(r.words) < n {
		r.words = make([]int64, 1<<bits.Len(uint(n-1)))
	}
	return r
}

func (r *room) giveBack() { rooms.Put(r) }

// int32s and int64s point to the memory of x.

func int32s[T any](x []T) *int32 { return (*int32)(unsafe.Pointer(unsafe.SliceData(x))) }
func int64s[T any](x []T) *int64 { return (*int64)(unsafe.Pointer(unsafe.SliceData(x))) }
