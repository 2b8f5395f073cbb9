package topk

import (
	"fmt"
	"unsafe"

	"github.com/dualgap/dualgap/asm/blas"
	kernel "github.com/dualgap/dualgap/asm/sparse"
	"github.com/dualgap/dualgap/vec"
)

// scores sets dst = Wᵀ x_i. Rows that lie in memory are multiplied at once: the checks of a call for blocks of rows would
// take as long as the product of a short one.
func (w *worker[T]) scores(i int, dst []T) {
	switch {
	case w.sparse != nil:
		columns, values := w.sparse.Row(i)
		sparseGemvT(&w.w, columns, values, dst)
	case w.dense != nil:
		gemvT(&w.w, w.dense.Row(i), dst)
	default:
		w.one[0] = i
		w.x.Scores(vec.MatrixOf(1, len(dst), dst), w.w, w.one[:])
	}
}

// add adds x_i deltaᵀ to W.
func (w *worker[T]) add(i int, delta []T) {
	switch {
	case w.sparse != nil:
		columns, values := w.sparse.Row(i)
		sparseGer(columns, values, delta, &w.w)
	case w.dense != nil:
		ger(w.c.Loss.allMove(), w.dense.Row(i), delta, &w.w)
	default:
		w.one[0] = i
		w.x.Accumulate(w.w, vec.MatrixOf(1, len(delta), delta), w.one[:])
	}
}

// duals returns the dual variables of example i: a.Row(i), without its checks.
func (s *solver[T]) duals(i int) []T { return s.a.Data[i*s.m : (i+1)*s.m : (i+1)*s.m] }

// ahead asks for what the visit of example i needs, which is next, while another one has its own.
func (w *worker[T]) ahead(i int) {
	fetch(w.duals(i))
	kernel.PrefetchF64(&w.ex[i].r, int(unsafe.Sizeof(w.ex[i])/8))
	switch {
	case w.sparse != nil:
		columns, values := w.sparse.Row(i)
		kernel.PrefetchF32((*float32)(unsafe.Pointer(unsafe.SliceData(columns))), len(columns))
		fetch(values)
	case w.dense != nil && (w.d <= 512 || w.block.size() > 1): // the processor fetches the rest of a long row by itself
		fetch(w.dense.Row(i)[:min(w.d, 1024)])
	}
}

func fetch[T vec.Float](x []T) {
	if is64[T]() {
		kernel.PrefetchF64(pointer[float64](x), len(x))
	} else {
		kernel.PrefetchF32(pointer[float32](x), len(x))
	}
}

// checkRows returns an error where a row that lies in memory does not fit d features. It is what allows the products below to
// go without the checks of vec, which would take up to a third of their time, at each of many visits.
func (s *solver[T]) checkRows() error {
	for i := range s.n {
		if s.dense != nil {
			if row := s.dense.Row(i); len(row) != s.d {
				return fmt.Errorf("topk: row %d has %d numbers for %d features", i, len(row), s.d)
			}
		}
		if s.sparse == nil {
			continue
		}
		columns, values := s.sparse.Row(i)
		if len(columns) != len(values) {
			return fmt.Errorf("topk: row %d has %d columns for %d values", i, len(columns), len(values))
		}
		if uint(kernel.MaxIndex(unsafe.SliceData(columns), len(columns))) < uint(s.d) {
			continue
		}
		for k, j := range columns {
			if uint(j) >= uint(s.d) {
				return fmt.Errorf("topk: row %d, value %v: column %d, need one in 0..%d", i, values[k], j, s.d-1)
			}
		}
	}
	return nil
}

// gemvT is vec.GemvT with alpha = 1 and beta = 0.
func gemvT[T vec.Float](a *vec.Matrix[T], x, y []T) {
	if is64[T]() {
		blas.GemvTF64(len(x), len(y), 1, pointer[float64](a.Data), a.Stride, pointer[float64](x), 0, pointer[float64](y))
	} else {
		blas.GemvTF32(len(x), len(y), 1, pointer[float32](a.Data), a.Stride, pointer[float32](x), 0, pointer[float32](y))
	}
}

// ger is vec.Ger with alpha = 1 and a y that is a move, padded: 0 for most classes unless all of them move.
func ger[T vec.Float](all bool, x, y []T, a *vec.Matrix[T]) {
	switch {
	case all && is64[T]():
		blas.GerF64(len(x), len(y), 1, pointer[float64](x), pointer[float64](y), pointer[float64](a.Data), a.Stride)
	case all:
		blas.GerF32(len(x), len(y), 1, pointer[float32](x), pointer[float32](y), pointer[float32](a.Data), a.Stride)
	case is64[T]():
		blas.GerSomeF64(len(x), len(y), pointer[float64](x), pointer[float64](y), pointer[float64](a.Data), a.Stride)
	default:
		blas.GerSomeF32(len(x), len(y), pointer[float32](x), pointer[float32](y), pointer[float32](a.Data), a.Stride)
	}
}

// sparseGemvT is vec.SparseGemvT with alpha = 1 and beta = 0.
func sparseGemvT[T vec.Float](a *vec.Matrix[T], idx []int32, val, y []T) {
	if is64[T]() {
		kernel.GemvTF64(len(y), 1, pointer[float64](a.Data), a.Stride, unsafe.SliceData(idx), pointer[float64](val), len(idx), 0, pointer[float64](y))
	} else {
		kernel.GemvTF32(len(y), 1, pointer[float32](a.Data), a.Stride, unsafe.SliceData(idx), pointer[float32](val), len(idx), 0, pointer[float32](y))
	}
}

// sparseGer is vec.SparseGer with alpha = 1.
func sparseGer[T vec.Float](idx []int32, val, y []T, a *vec.Matrix[T]) {
	if is64[T]() {
		kernel.GerF64(1, unsafe.SliceData(idx), pointer[float64](val), len(idx), pointer[float64](y), len(y), pointer[float64](a.Data), a.Stride)
	} else {
		kernel.GerF32(1, unsafe.SliceData(idx), pointer[float32](val), len(idx), pointer[float32](y), len(y), pointer[float32](a.Data), a.Stride)
	}
}

func pointer[U, T vec.Float](x []T) *U { return (*U)(unsafe.Pointer(unsafe.SliceData(x))) }
