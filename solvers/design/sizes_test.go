package design_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// TestSizesRefused: every wrapper refuses sizes that do not fit, and rows out of range, in words: not as an index out
// of range somewhere below, and not by doing nothing.
func TestSizesRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	csr := sparse(rng, 5, 6)
	plain := vec.NewMatrix[float32](5, 6)
	csr.Gather(plain, nil)
	for i := range plain.Data {
		if i%3 > 0 {
			plain.Data[i] = 0
		}
	}
	dense := &dataset.Dense[float32]{Matrix: plain}
	thin := design.Sparse[float32](dense)
	if thin == design.Matrix[float32](dense) {
		t.Fatal("no sparse copy")
	}
	for name, x := range map[string]design.Matrix[float32]{
		"bias": design.WithBias(csr, 1), "bias of dense": design.WithBias(dense, 1),
		"subset":          design.Subset(csr, []int{4, 0, 2}),
		"subset of dense": design.Subset(dense, []int{4, 0, 2}), "subset of bias": design.Subset(
			design.WithBias(csr, 1), []int{1, 1}),
		"sparse copy": thin, "bias of a sparse copy": design.WithBias(thin, 2),
	} {
		sizesRefused(t, name, x)
		sizesRefused(t, name+" in float64", design.Float64(x))
	}
	sizesRefused(t, "dense in float64", design.Float64(design.Matrix[float32](dense)))
	sizesRefused(t, "dense copied", design.CopiedFloat64(design.Matrix[float32](dense)))
	sizesRefused(t, "written out", design.DenseFloat64(design.Matrix[float32](dense)))
	sizesRefused(t, "sparse in float64", design.Float64(design.Matrix[float32](csr)))
}

func sizesRefused[T vec.Float](t *testing.T, name string, x design.Matrix[T]) {
	t.Helper()
	n, d := x.Dims()
	const m = 2
	refuse := func(what string, call func()) {
		t.Helper()
		defer func() {
			t.Helper()
			switch e := recover().(type) {
			case nil:
				t.Errorf("%s: %s is taken", name, what)
			case vec.ShapeError:
			default:
				t.Errorf("%s: %s ends in %v, not in a ShapeError", name, what, e)
			}
		}()
		call()
	}
	mat := func(rows, cols int) vec.Matrix[T] { return vec.NewMatrix[T](rows, cols) }
	for _, off := range []int{-1, 1} {
		refuse(fmt.Sprintf("SquaredNorms of %+d", off), func() { x.SquaredNorms(make([]T, n+off)) })
		for _, rows := range [][]int{nil, {0, n - 1, 0}} {
			k := n
			if rows != nil {
				k = len(rows)
			}
			for what, call := range map[string]func(){
				"Gather, rows of dst":                 func() { x.Gather(mat(k+off, d), rows) },
				"Gather, columns of dst":              func() { x.Gather(mat(k, d+off), rows) },
				"Scores, rows of dst":                 func() { x.Scores(mat(k+off, m), mat(d, m), rows) },
				"Scores, columns of dst":              func() { x.Scores(mat(k, m+off), mat(d, m), rows) },
				"Scores, rows of W":                   func() { x.Scores(mat(k, m), mat(d+off, m), rows) },
				"Accumulate, rows of A":               func() { x.Accumulate(mat(d, m), mat(k+off, m), rows) },
				"Accumulate, columns of A":            func() { x.Accumulate(mat(d, m), mat(k, m+off), rows) },
				"Accumulate, rows of W":               func() { x.Accumulate(mat(d+off, m), mat(k, m), rows) },
				"Gram, rows of dst":                   func() { x.Gram(mat(k+off, 2), rows, []int{0, 1}) },
				"Gram, columns of dst":                func() { x.Gram(mat(k, 2+off), rows, []int{0, 1}) },
				"Gram, columns of dst, all of them":   func() { x.Gram(mat(k, n+off), rows, nil) },
				"Gram, rows of dst, all of the other": func() { x.Gram(mat(k+off, n), rows, nil) },
			} {
				refuse(fmt.Sprintf("%s by %+d, rows %v", what, off, rows), call)
			}
		}
	}
	for _, i := range []int{-1, n, n + 7} {
		rows := []int{0, i}
		for what, call := range map[string]func(){
			"Gather": func() { x.Gather(mat(2, d), rows) }, "Scores": func() { x.Scores(mat(2, m), mat(d, m), rows) },
			"Accumulate":    func() { x.Accumulate(mat(d, m), mat(2, m), rows) },
			"Gram, rows":    func() { x.Gram(mat(2, n), rows, nil) },
			"Gram, columns": func() { x.Gram(mat(n, 2), nil, rows) },
		} {
			refuse(fmt.Sprintf("%s of row %d", what, i), call)
		}
	}
}
