package ints

import (
	"encoding/binary"
	"sync"
	"unsafe"

	"github.com/dualgap/dualgap/internal/parallel"
)

const (
	panelColumns = 48      // of a packed panel
	fewRows      = 8       // a tile's; with fewer there are no tiles
	blockRows    = 1024    // rows of x that meet a panel before the next is packed
	blockBytes   = 1 << 18 // of rows of y that meet one row of x after the other, without tiles
	pieceWork    = 1 << 21 // multiplications below which a goroutine costs more than it saves
)

// Product is a product of the m rows of X and the n rows of Y, of k bytes each, to m rows of n sums.
type Product[T element] struct {
	M, N, K int
	X       *T
	LDX     int // from one row to the next, in elements
	Y       *T
	LDY     int
	C       *int32
	LDC     int
}

// workspace is memory for a packed panel, for the sums of rows, and for a row of ones.
type workspace struct {
	panel []uint64
	ones  []byte
	start []int32
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// Workers returns how many of a number of goroutines are worth their cost.
func (p *Product[T]) Workers(workers int) int {
	return max(1, min(workers, int(float64(p.M)*float64(p.N)*float64(p.K)/pieceWork)))
}

// Run sets C[i*LDC+j] = Σ_l X[i*LDX+l] Y[j*LDY+l], by up to workers goroutines, at least 1. The sums are taken modulo
// 2³². K is below 2²⁸.
func (p *Product[T]) Run(workers int) {
	if p.M <= 0 || p.N <= 0 {
		return
	}
	workers = p.Workers(workers)
	if !tiled() || p.M < fewRows || p.N < fewRows || p.K < 4 {
		p.byRows(workers)
		return
	}
	w := workspaces.Get().(*workspace)
	start := p.starts(w)
	panels := (p.N + panelColumns - 1) / panelColumns
	pieces := panels * ((p.M + blockRows - 1) / blockRows)
	if workers == 1 {
		for i := range pieces {
			p.panel(w, start, i%panels, i/panels)
		}
	} else {
		p.shared(workers, panels, pieces, start)
	}
	workspaces.Put(w)
}

// shared takes the pieces by several goroutines.
func (p *Product[T]) shared(workers, panels, pieces int, start *int32) {
	q := *p
	parallel.Do(workers, pieces, func(_, i int) {
		w := workspaces.Get().(*workspace)
		q.panel(w, start, i%panels, i/panels)
		workspaces.Put(w)
	})
}

// panel multiplies block i of the rows of X with panel j of the rows of Y.
func (p *Product[T]) panel(w *workspace, start *int32, j, i int) {
	j, i = j*panelColumns, i*blockRows
	rows := min(blockRows, p.M-i)
	if left := p.M - i - rows; left > 0 && left < fewRows {
		rows = p.M - i // the last block takes what is less than a tile
	} else if rows < fewRows {
		return // taken by the block before
	}
	b := pack(w, min(panelColumns, p.N-j), p.K, at(p.Y, j*p.LDY), p.LDY)
	c, x, n := at(p.C, i*p.LDC+j), unsafe.Pointer(at(p.X, i*p.LDX)), min(panelColumns, p.N-j)
	if signed[T]() {
		TilesInt8(rows, n, p.K, (*int8)(x), p.LDX, b, at(start, i), c, p.LDC)
	} else {
		TilesUint8(rows, n, p.K, (*uint8)(x), p.LDX, b, at(start, i), c, p.LDC)
	}
}

// starts returns what 128 added to, or taken from, the bytes of Y adds to the sums of each row of X, to start from its
// opposite.
func (p *Product[T]) starts(w *workspace) *int32 {
	if len(w.start) < p.M {
		w.start = make([]int32, p.M+p.M/4)
	}
	if len(w.ones) < p.K {
		w.ones = make([]byte, p.K+p.K/4)
		for i := range w.ones {
			w.ones[i] = 1
		}
	}
	start, factor := w.start[:p.M], int32(128)
	if signed[T]() {
		factor = -128
	}
	mulVec(p.M, p.K, p.X, p.LDX, (*T)(unsafe.Pointer(&w.ones[0])), &start[0])
	for i := range start {
		start[i] *= factor
	}
	return &start[0]
}

// pack copies n rows of k bytes to a panel, their top bits flipped.
func pack[T element](w *workspace, n, k int, y *T, ldy int) *uint8 {
	const words = 4 * panelColumns / 8 // of a group
	groups := (k + 3) / 4
	if len(w.panel) < groups*words {
		w.panel = make([]uint64, groups*words)
	}
	room := w.panel[:groups*words]
	panel := unsafe.Slice((*byte)(unsafe.Pointer(&room[0])), 8*len(room))
	if ldy%4 == 0 {
		turn(n, k/4, unsafe.Pointer(y), ldy/4, unsafe.Pointer(&room[0]))
	} else {
		for j := range n {
			to := 4 * j
			for row := unsafe.Slice((*byte)(unsafe.Pointer(at(y, j*ldy))), k); len(row) >= 4; row = row[4:] {
				binary.NativeEndian.PutUint32(panel[to:to+4], binary.NativeEndian.Uint32(row))
				to += 4 * panelColumns
			}
		}
	}
	for i := range room[:k/4*words] {
		room[i] ^= 0x8080808080808080
	}
	if left := k % 4; left > 0 { // the end of the last four bytes, zeros before it
		last := panel[k/4*4*panelColumns:]
		clear(last)
		for j := range n {
			for t, v := range unsafe.Slice(at(y, j*ldy+k-left), left) {
				last[4*j+4-left+t] = byte(v) ^ 0x80
			}
		}
	}
	return &panel[0]
}

// byRows multiplies one row of X after the other with rows of Y that stay in the cache.
func (p *Product[T]) byRows(workers int) {
	rows := min(p.N, max(16, blockBytes/max(1, p.K)))
	if workers == 1 {
		p.rows(rows, 0, p.M)
		return
	}
	q := *p
	parallel.Ranges(workers, p.M, func(_, from, to int) { q.rows(rows, from, to) })
}

func (p *Product[T]) rows(rows, from, to int) {
	for j := 0; j < p.N; j += rows {
		for i := from; i < to; i++ {
			mulVec(min(rows, p.N-j), p.K, at(p.Y, j*p.LDY), p.LDY, at(p.X, i*p.LDX), at(p.C, i*p.LDC+j))
		}
	}
}

// mulVec is MulVecInt8 or MulVecUint8.
func mulVec[T element](m, n int, x *T, ldx int, q *T, dst *int32) {
	if signed[T]() {
		MulVecInt8(m, n, (*int8)(unsafe.Pointer(x)), ldx, (*int8)(unsafe.Pointer(q)), dst)
	} else {
		MulVecUint8(m, n, (*uint8)(unsafe.Pointer(x)), ldx, (*uint8)(unsafe.Pointer(q)), dst)
	}
}

// signed is a constant in each instance.
func signed[T element]() bool { return ^T(0) < 0 }

// at is the element i behind p.
func at[T any](p *T, i int) *T { return (*T)(unsafe.Add(unsafe.Pointer(p), i*int(unsafe.Sizeof(*p)))) }
