package unchecked

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/gemm"
	"github.com/dualgap/dualgap/vec"
)

// Panels hold a large matrix Z of n rows for products A Zᵀ with small matrices A, one after the other, in pieces of
// PanelCols rows, transposed: see package gemm.

// PanelCols is the number of rows of Z in a panel.
func PanelCols[T vec.Float]() int { return gemm.PanelCols[T]() }

// PackPanel makes a panel, z.Cols*PanelCols numbers, of at most PanelCols rows z.
func PackPanel[T vec.Float](panel []T, z *vec.Matrix[T]) {
	gemm.PackPanel(z.Rows, z.Cols, unsafe.SliceData(z.Data), z.Stride, unsafe.SliceData(panel))
}

// Left is A, made ready for products with panels.
type Left[T vec.Float] struct{ left gemm.Left[T] }

// LeftRoom returns how many numbers of memory Lay needs for a matrix of that size in the tier in use.
func LeftRoom[T vec.Float](rows, cols int) int { return gemm.LeftRoom[T](rows, cols) }

// Lay makes a, which is not empty, the A of products. room has LeftRoom numbers. Neither may change before the last
// product.
func (l *Left[T]) Lay(a *vec.Matrix[T], room []T) {
	l.left.Lay(a.Rows, a.Cols, unsafe.SliceData(a.Data), a.Stride, unsafe.SliceData(room))
}

// Times sets dst = A Zᵀ for the first dst.Cols rows Z of the panels that lie one after the other. The bits of a product
// depend on its two rows, the tier and the size of the first-level cache alone. Panels behind these are fetched for the
// next call.
func (l *Left[T]) Times(dst *vec.Matrix[T], panels []T) {
	l.left.Times(dst.Cols, unsafe.SliceData(panels), len(panels), unsafe.SliceData(dst.Data), dst.Stride)
}
