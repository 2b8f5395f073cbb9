package low

import (
	"sync"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/asm/gemm"
	"github.com/dualgap/dualgap/asm/half"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
	"github.com/klauspost/cpuid/v2"
)

// DotsBFloat16 sets dst = X Yᵀ: element (i, j) is the inner product of row i of X with row j of Y, in float32. dst has
// x.Rows rows and y.Rows columns and must overlap neither x nor y. It panics unless the sizes agree. An m-by-k and an
// n-by-k matrix take O(m n k). Distances of rows are inner products and norms: |x - y|² = |x|² + |y|² - 2 x y.
//
// The error of an element is [DotBFloat16]'s. CPUs that multiply bfloat16 faster than float32 do so; on others blocks
// of rows are converted, and the product is float32's. Memory for copies of blocks is kept for later calls.
func DotsBFloat16(dst vec.Matrix[float32], x, y vec.Matrix[BFloat16]) {
	dots(bfloat16, "DotsBFloat16", &dst, &x, &y, 1)
}

// DotsBFloat16Workers is [DotsBFloat16] by up to workers goroutines, all cores for 0. The bits of dst are the same for
// any number.
func DotsBFloat16Workers(dst vec.Matrix[float32], x, y vec.Matrix[BFloat16], workers int) {
	dots(bfloat16, "DotsBFloat16Workers", &dst, &x, &y, workers)
}

// DotsFloat16 is [DotsBFloat16] for float16, with [DotFloat16]'s error: blocks of rows are converted, and the product
// is float32's.
func DotsFloat16(dst vec.Matrix[float32], x, y vec.Matrix[Float16]) {
	dots(float16, "DotsFloat16", &dst, &x, &y, 1)
}

// DotsFloat16Workers is [DotsFloat16] by up to workers goroutines, all cores for 0. The bits of dst are the same for
// any number.
func DotsFloat16Workers(dst vec.Matrix[float32], x, y vec.Matrix[Float16], workers int) {
	dots(float16, "DotsFloat16Workers", &dst, &x, &y, workers)
}

// format is what the product needs to know of numbers of 16 bits.
type format struct {
	widen func(x *uint16, y *float32, n int)
	rows  func(m, n int, a *uint16, lda int, x *uint16, y *float32)
	pairs bool // TilesB16 multiplies them
}

var (
	bfloat16 = &format{half.WidenB16, half.RowsB16, true}
	float16  = &format{half.WidenH16, half.RowsH16, false}
)

// pairsPay says that VDPBF16PS multiplies pairs as fast as fused multiply-adds take single numbers, as it does on AMD's
// CPUs. Intel's take four times as long for one: there float32 is faster, conversion included.
var pairsPay = cpuid.CPU.VendorID == cpuid.AMD

// The product is cut into pieces of dst, whatever the number of goroutines, and sums into parts, so that what is copied
// of X and Y stays in the cache.
const (
	pieceRows, pieceCols = 252, 240 // at most, whole numbers of tiles
	tileRows, tileCols   = 9, 48    // of TilesB16
	depth, pairDepth     = 256, 160 // most numbers, or pairs, of a sum at a time
	few                  = 4        // rows of X that do not pay for copies of Y
)

// room is memory for the copies of a piece.
type room struct {
	x      [pieceRows * depth]float32
	y      [pieceCols * depth]float32
	packed [pieceCols * pairDepth]float32
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// dots checks the arguments and sets dst = X Yᵀ.
func dots[T BFloat16 | Float16](f *format, function string, dst *vec.Matrix[float32], x, y *vec.Matrix[T],
	workers int) {
	paired(function, dst, x, y)
	cut := cutting{rows: evenly(x.Rows, pieceRows, tileRows), cols: evenly(y.Rows, pieceCols, tileCols)}
	cut.wide = shape.Pieces(y.Rows, cut.cols)
	cut.pieces = cut.wide * shape.Pieces(x.Rows, cut.rows)
	goroutines, err := parallel.Cores(workers, max(1, cut.pieces))
	if err != nil {
		panic(unfit(function, "%v", err))
	}
	p := product{f, cut, *dst, *(*vec.Matrix[uint16])(unsafe.Pointer(x)), *(*vec.Matrix[uint16])(unsafe.Pointer(y))}
	if goroutines = min(goroutines, gemm.Workers(goroutines, x.Rows, y.Rows, x.Cols)); goroutines > 1 {
		p.share(goroutines)
		return
	}
	for i := range cut.pieces {
		p.piece(i)
	}
}

// cutting is how dst is cut: the most rows and columns of a piece, the number of pieces beside each other, and of all.
type cutting struct{ rows, cols, wide, pieces int }

// evenly is the size of the pieces when n is cut into the fewest of at most limit, a multiple of unit as limit is.
func evenly(n, limit, unit int) int {
	pieces := max(1, shape.Pieces(n, limit))
	return max(unit, shape.Padded(shape.Pieces(n, pieces), unit))
}

// product is dst = X Yᵀ of bits of numbers.
type product struct {
	*format
	cutting
	dst  vec.Matrix[float32]
	x, y vec.Matrix[uint16]
}

// share has goroutines compute the pieces. p is a copy: only here it has to be on the heap.
func (p product) share(goroutines int) {
	parallel.Do(goroutines, p.pieces, func(_, i int) { p.piece(i) })
}

// piece computes a piece of dst.
func (p *product) piece(number int) {
	i, j := number/p.wide*p.cutting.rows, number%p.wide*p.cols
	rows, cols, k := min(p.cutting.rows, p.x.Rows-i), min(p.cols, p.y.Rows-j), p.x.Cols
	if rows < few || k == 0 {
		for r := range rows {
			to := p.dst.Data[(i+r)*p.dst.Stride+j:][:cols]
			p.format.rows(cols, k, at(&p.y, j, 0), p.y.Stride, at(&p.x, i+r, 0), &to[0])
		}
		return
	}
	w := rooms.Get().(*room)
	defer rooms.Put(w)
	if p.pairs && pairsPay && cpu.Level == cpu.AVX512 && cpu.BF16 {
		for from := 0; from < k; from += 2 * pairDepth {
			p.pairPart(w, i, j, rows, cols, from)
		}
		return
	}
	for from := 0; from < k; from += depth {
		p.floatPart(w, i, j, rows, cols, from)
	}
}

// floatPart adds the products of up to depth columns, by way of float32.
func (p *product) floatPart(w *room, i, j, rows, cols, from int) {
	k := min(depth, p.x.Cols-from)
	for r := range rows {
		p.widen(at(&p.x, i+r, from), &w.x[r*k], k)
	}
	for r := range cols {
		p.widen(at(&p.y, j+r, from), &w.y[r*k], k)
	}
	part := gemm.Product[float32]{M: rows, N: cols, K: k, Alpha: 1, A: &w.x[0], ARow: k, ACol: 1, B: &w.y[0], BRow: 1,
		BCol: k, Beta: beta(from), C: &p.dst.Data[i*p.dst.Stride+j], LDC: p.dst.Stride}
	part.Run()
}

// pairPart adds the products of up to pairDepth pairs of columns.
func (p *product) pairPart(w *room, i, j, rows, cols, from int) {
	k := min(pairDepth, shape.Pieces(p.x.Cols-from, 2))
	x, ldx := pairsOf(&p.x, i, rows, from, k, w.x[:])
	y, ldy := pairsOf(&p.y, j, cols, from, k, w.y[:])
	for c := 0; c < cols; c += tileCols {
		gemm.PackColumnsF32(min(tileCols, cols-c), k, (*float32)(unsafe.Add(y, 4*c*ldy)), ldy, &w.packed[c*k], tileCols)
	}
	tiles := shape.Pieces(rows, tileRows)
	high := shape.Pieces(rows, tiles)
	half.TilesB16(rows, cols, k, 1, (*uint32)(x), ldx, 1, high, high*ldx, (*uint32)(unsafe.Pointer(&w.packed[0])),
		tileCols, tileCols, tileCols*k, beta(from), &p.dst.Data[i*p.dst.Stride+j], p.dst.Stride)
}

// pairsOf returns where pairs of the columns from on lie, of a number of rows, and the distance of rows in pairs. Where
// the stride is odd, or a last number has no other beside it, that is a copy in room.
func pairsOf(a *vec.Matrix[uint16], row, rows, from, pairs int, room []float32) (p unsafe.Pointer, ld int) {
	if a.Stride%2 == 0 && from+2*pairs <= a.Cols {
		return unsafe.Pointer(at(a, row, from)), a.Stride / 2
	}
	p = unsafe.Pointer(&room[0])
	to := unsafe.Slice((*uint16)(p), 2*pairs*rows)
	for r := range rows {
		n := copy(to[2*pairs*r:][:2*pairs], a.Data[(row+r)*a.Stride:][from:a.Cols])
		clear(to[2*pairs*r+n:][:2*pairs-n])
	}
	return p, pairs
}

// at is element (i, j), or nil where rows are empty.
func at(a *vec.Matrix[uint16], i, j int) *uint16 {
	if a.Cols == 0 {
		return nil
	}
	return &a.Data[i*a.Stride+j]
}

// beta is 0 for the first part of sums, which overwrites.
func beta(from int) float32 {
	if from == 0 {
		return 0
	}
	return 1
}
