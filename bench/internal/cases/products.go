package cases

import (
	"slices"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// A Product is C = op(A) op(B), or the lower triangle of A Aᵀ; C is M by N, and K the terms of its sums.
type Product struct {
	TA, TB  vec.Trans
	Half    bool
	Pass    bool // over all examples of a dataset.Dense, A: C = A B are their scores, C = Aᵀ B what they add to W
	workers int  // 0: one
}

func productRows[T vec.Float]() []Kernel[T] {
	cubes := [][]int{{16, 16, 16}, {32, 32, 32}, {64, 64, 64}, {128, 128, 128}, {256, 256, 256}, {512, 512, 512},
		{1024, 1024, 1024}}
	few := [][]int{{64, 64, 64}, {512, 512, 512}}
	skinny := [][]int{{8, 10, 784}, {8, 100, 784}, {64, 10, 784}, {64, 100, 4096}, {8000, 10, 784}}
	skinnyT := [][]int{{784, 10, 8}, {784, 100, 8}, {784, 10, 64}, {4096, 100, 64}, {784, 10, 8000}}
	rows := []Kernel[T]{
		{Name: "Gemm", bench: [][]int{{64, 64, 64}, {256, 256, 256}}},
		{Name: "GemmNN", peers: slices.Concat(cubes, skinny)},
		{Name: "GemmTN", peers: slices.Concat(few, skinnyT), Product: &Product{TA: true}},
		{Name: "GemmNT", peers: slices.Concat(few, skinny), Product: &Product{TB: true}},
		{Name: "GemmTT", peers: append(few, []int{10, 64, 784}), Product: &Product{TA: true, TB: true}},
		{Name: "GemmTwoWorkers", peers: [][]int{{256, 256, 256}, {1024, 1024, 1024}}, Product: &Product{workers: 2}},
		{Name: "Scores", peers: [][]int{{8000, 10, 784}, {16384, 1, 4096}, {16384, 10, 4096}, {16384, 100, 4096}},
			Product: &Product{Pass: true}},
		{Name: "Accumulate", peers: [][]int{{784, 10, 8000}, {4096, 1, 16384}, {4096, 10, 16384}, {4096, 100, 16384}},
			Product: &Product{Pass: true, TA: true}},
		{Name: "Syrk", peers: [][]int{{100, 100, 784}, {1000, 1000, 784}}, Product: &Product{TB: true, Half: true}},
	}
	for i := range rows {
		k := &rows[i]
		if k.Product == nil {
			k.Product = new(Product)
		}
		q := *k.Product
		k.shape, k.alpha, k.costs = q.shape, 1, costs{moved: matrices, flops: mnk2}
		if q.Half {
			k.flops = triangle
		}
		k.Ours, k.Plain, k.Gonum = product[T](q), plainProduct[T](q), pick[T](gonumProduct32(q), gonumProduct64(q))
	}
	return rows
}

// shape returns the operands' sizes as they are stored.
func (q Product) shape(c Case) shape {
	s := shape{a: [2]int{c.M, c.K}, b: [2]int{c.K, c.N}, c: [2]int{c.M, c.N}}
	if q.TA {
		s.a = [2]int{c.K, c.M}
	}
	if q.TB {
		s.b = [2]int{c.N, c.K}
	}
	if q.Half {
		s.b = [2]int{}
	}
	return s
}

// Sizes returns the rows and columns of C, and the terms of its sums, from the sizes of C and of A as it is stored.
func (q Product) Sizes(rowsC, colsC, rowsA, colsA int) (m, n, k int) {
	if q.TA {
		return rowsC, colsC, rowsA
	}
	return rowsC, colsC, colsA
}

// product calls the functions of package vec, or of dataset.Dense.
func product[T vec.Float](q Product) Loop[T] {
	return func(p *Operands[T], iters int) {
		for range iters {
			switch {
			case q.Pass && bool(q.TA):
				clear(p.C.Data)
				(&dataset.Dense[T]{Matrix: p.A}).Accumulate(p.C, p.B, nil)
			case q.Pass:
				(&dataset.Dense[T]{Matrix: p.A}).Scores(p.C, p.B, nil)
			case q.Half:
				vec.Syrk(vec.Lower, vec.NoTrans, 1, p.A, 0, p.C)
			case q.workers > 1:
				vec.GemmWorkers(q.TA, q.TB, 1, p.A, p.B, 0, p.C, q.workers)
			default:
				vec.Gemm(q.TA, q.TB, 1, p.A, p.B, 0, p.C)
			}
		}
	}
}

func plainProduct[T vec.Float](q Product) Loop[T] {
	return each(func(p *Operands[T]) {
		b := p.B
		if q.Half {
			b = p.A
		}
		m, n, k := q.Sizes(p.C.Rows, p.C.Cols, p.A.Rows, p.A.Cols)
		clear(p.C.Data)
		for i := range m {
			to := p.C.Row(i)
			if q.Half {
				to = to[:i+1]
			}
			for l := range k {
				a := at(p.A, q.TA, i, l)
				if !q.TB {
					axpy(a, b.Row(l)[:n], to)
					continue
				}
				for j := range to {
					to[j] += a * b.At(j, l)
				}
			}
		}
	})
}

// at returns element i, j of op(A).
func at[T vec.Float](a vec.Matrix[T], trans vec.Trans, i, j int) T {
	if trans {
		return a.At(j, i)
	}
	return a.At(i, j)
}
