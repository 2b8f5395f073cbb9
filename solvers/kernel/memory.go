package kernel

import (
	"unsafe"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
)

// KeptBytes is what the rows that the budget keeps take, and the copy of dense examples that is laid out for products:
// both are taken when they are needed.
func (m *Matrix[T]) KeptBytes() float64 {
	rows, panels := 0.0, 0.0
	if m.k != nil {
		rows = float64(min(m.n, m.Room())) * float64(rowBytes[T](m.n))
		panels = panelBytes[T](m.panels.keep, m.d)
	}
	return rows + panels
}

// RowsBytes is what computing rows takes besides: of dense examples a batch of them, their panels and products, for
// each goroutine. 0 for a matrix that is given.
func (m *Matrix[T]) RowsBytes(workers int) float64 {
	if m.k == nil || m.thin {
		return 0
	}
	number, cols := float64(unsafe.Sizeof(T(0))), unchecked.PanelCols[T]()
	chunk := min(chunkCols[T](batchRows, m.n, workers), m.n+64)
	batch := float64(m.copies()*min(batchRows, m.n)) * float64(m.d)
	return number * (batch + float64(workers)*(float64(2*cols)*float64(m.d)+float64(batchRows*(chunk+64))))
}

// copies is how many copies a batch has of its examples: as they are, laid out for products, and without their mean.
func (m *Matrix[T]) copies() int {
	if _, products := looksAt(m.k); products {
		return 2
	}
	return 3
}

// MultiplyBytes is what a product with n-by-outputs numbers in float64 takes while it runs, K being in float64:
// Multiply of Float64, or Multiply64 of a matrix that is given. It is, in numbers,
//
//	2 n outputs                   the rows that are not 0, and sums
//	1024 min(64, n/128) outputs   sums of each group of columns
//	3*1024 d                      dense examples, twice where the kernel is one of inner products
//
// and for each goroutine 128-by-128 tiles and the examples of one: see Matrix.Multiply.
func (m *Matrix[T]) MultiplyBytes(outputs, workers int) float64 {
	n, edge := m.n, edge
	if m.d > 1<<13 {
		edge /= 2
	}
	cols := float64(outputs)
	sums := 2 * float64(n) * cols
	if m.thin {
		return 8 * (sums + float64(min(n, batchRows))*2*float64(n))
	}
	blocks := shape.Pieces(n, edge)
	size := shape.Pieces(blocks, groups)
	parts := shape.Pieces(blocks, size)
	some := min(n, stripe*edge) // examples of a stripe
	workers = max(1, min(workers, parts))
	numbers := sums + float64(parts*some)*cols
	tile := float64(edge * (edge + 144))
	if m.k == nil {
		return 8 * (numbers + float64(workers)*float64(2*edge*edge))
	}
	copies := m.copies() - 1
	if unsafe.Sizeof(T(0)) == 4 { // products that are exact in float32 take as much as examples without their mean
		copies = 2
	}
	aligned := core.Stride[float64](m.d)
	laid := float64(shape.Pieces(some, edge)) * float64(unchecked.LeftRoom[float64](min(edge, n), m.d))
	panel := float64(edge+unchecked.PanelCols[float64]()) * float64(aligned)
	numbers += float64(some)*float64(copies*aligned+4) + laid + float64(workers)*(panel+tile) + 4*float64(n)
	return 8 * numbers
}
