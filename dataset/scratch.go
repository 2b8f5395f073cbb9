package dataset

import (
	"sync"

	"github.com/dualgap/dualgap/vec"
)

// scratch holds vectors of zeros between calls, *[]float32 and *[]float64, so that a warm call allocates nothing.
var scratch32, scratch64 sync.Pool

func scratch[T vec.Float]() *sync.Pool {
	if _, is32 := any(T(0)).(float32); is32 {
		return &scratch32
	}
	return &scratch64
}

// zeros returns room for at least n numbers, all zero; they must be zero again when they are given back.
func zeros[T vec.Float](n int) *[]T {
	room, _ := scratch[T]().Get().(*[]T)
	if room == nil || len(*room) < n {
		fresh := make([]T, n)
		room = &fresh
	}
	return room
}

func giveBack[T vec.Float](room *[]T) { scratch[T]().Put(room) }
