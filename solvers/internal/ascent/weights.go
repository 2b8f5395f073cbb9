package ascent

import (
	"unsafe"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// weights is W in the layout that visits want: d-by-m with columns of 0 up to a multiple of lanes, for single rows and
// small blocks; or by classes, m-by-d: in large blocks every example moves, but few of its dual variables, and W
// changes by some rows of X for each class instead of by a product. One output visited by single rows is a vector,
// d-by-1 without anything between its numbers: a vector register then has weights of many features.
type weights[T vec.Float] struct {
	vec.Matrix[T]
	byClass bool
}

func newWeights[T vec.Float](d, m, size int) weights[T] {
	switch {
	case byClass(size):
		return weights[T]{vec.NewMatrix[T](m, d), true}
	case m == 1 && size == 1:
		return weights[T]{vec.NewMatrix[T](d, 1), false}
	}
	return weights[T]{vec.NewMatrix[T](d, padded[T](m)), false}
}

// padded rounds m up so that rows of W begin at vector registers' boundaries, and are whole ones.
func padded[T vec.Float](m int) int {
	lanes := 16
	if is64[T]() {
		lanes = 8
	}
	return shape.Padded(m, lanes)
}

// scores sets dst = X W for gathered rows; dst is padded.
func (w *weights[T]) scores(dst, x vec.Matrix[T]) {
	if w.byClass {
		vec.Gemm(vec.NoTrans, vec.Transposed, 1, x, w.Matrix, 0, dst.Slice(0, dst.Rows, 0, w.Rows))
	} else {
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, x, w.Matrix, 0, dst)
	}
}

// copyTo sets to, d-by-m, to W.
func (w *weights[T]) copyTo(to vec.Matrix[T]) {
	if w.Stride == 1 && to.Stride == 1 && !w.byClass {
		copy(to.Data, w.Data)
		return
	}
	if !w.byClass {
		for j := range w.Rows {
			copy(to.Row(j), w.Row(j))
		}
		return
	}
	for c := range to.Cols {
		for j, v := range w.Row(c) {
			to.Data[j*to.Stride+c] = v
		}
	}
}

// spread sets row[c] to the weight of feature j for each c of classes, which are W's own, in order.
func (w *weights[T]) spread(row []T, j int, classes []int) {
	if w.byClass {
		for p, c := range classes {
			row[c] = w.Data[p*w.Stride+j]
		}
		return
	}
	own := w.Data[j*w.Stride:][:len(classes)]
	for p, c := range classes {
		row[c] = own[p]
	}
}

// round sets W to the first m columns of exact, rounded to T, and these to the rounded numbers if back is true.
func (w *weights[T]) round(exact vec.Matrix[float64], m int, back bool) {
	if w.Stride == 1 && exact.Stride == 1 && !w.byClass {
		vec.Convert(w.Data, exact.Data)
		if back && !is64[T]() {
			vec.Convert(exact.Data, w.Data)
		}
		return
	}
	for j := range exact.Rows {
		row := exact.Row(j)[:m]
		if !w.byClass {
			own := w.Data[j*w.Stride:][:m]
			vec.Convert(own, row)
			if back && !is64[T]() {
				vec.Convert(row, own)
			}
			continue
		}
		at := j
		for c, v := range row {
			rounded := T(v)
			w.Data[at] = rounded
			at += w.Stride
			if back {
				row[c] = float64(rounded)
			}
		}
	}
}

func is64[T vec.Float]() bool { return unsafe.Sizeof(T(0)) == 8 }
