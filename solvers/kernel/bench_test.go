package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// normal returns n examples of d features of mean 0 and variance 1/d.
func normal[T vec.Float](n, d int) vec.Matrix[T] {
	rng := rand.New(rand.NewPCG(21, 22))
	x := vec.NewMatrix[T](n, d)
	for i := range x.Data {
		x.Data[i] = T(rng.NormFloat64() / math.Sqrt(float64(d)))
	}
	return x
}

// rcv1 returns n examples with the shape of RCV1: 47236 features, 75 of which an example has, frequent ones more often:
// feature j has a share of about 1/(j+17) of them, so that two examples have 5 features in common, as in RCV1.
func rcv1[T vec.Float](n int) *dataset.CSR[T] {
	const d, nnz, head = 47236, 75, 17
	rng := rand.New(rand.NewPCG(23, 24))
	x := &dataset.CSR[T]{Rows: n, Cols: d, Ptr: []int{0}}
	for range n {
		row := make([]int32, 0, nnz)
		for len(row) < nnz {
			j := int32(head * (math.Pow(1+d/head, rng.Float64()) - 1))
			if j < d && !slices.Contains(row, j) {
				row = append(row, j)
			}
		}
		slices.Sort(row)
		for _, j := range row {
			x.Idx, x.Val = append(x.Idx, j), append(x.Val, T(rng.Float64()/5))
		}
		x.Ptr = append(x.Ptr, len(x.Val))
	}
	return x
}

// BenchmarkRows is the time of some rows that no cache holds, 1 or 64 at a time; impl=gemm computes their inner
// products alone by vec.Gemm, impl=sum reads the examples from memory by vec.Sum.
func BenchmarkRows(b *testing.B) {
	for _, c := range []struct {
		name string
		k    Kernel
		n, d int
	}{
		{"gaussian", Gaussian{Gamma: .5}, 50000, 34}, {"gaussian", Gaussian{Gamma: .5}, 50000, 784},
		{"quintic", Polynomial{Degree: 5, Offset: 1}, 50000, 196},
	} {
		x := normal[float32](c.n, c.d)
		m, err := New(design.Matrix[float32](&dataset.Dense[float32]{Matrix: x}), c.k, int64(16*c.n*c.d+1<<25))
		if err != nil {
			b.Fatal(err)
		}
		m.cache = newCache[float32](c.n, 0)
		m.prepare(1)
		if m.panels.kept == nil {
			b.Fatal("no panels kept")
		}
		for _, size := range []int{1, 64} {
			dst, rows := vec.NewMatrix[float32](size, c.n), make([]int, size)
			for p := range rows {
				rows[p] = p * 777 % c.n
			}
			name := fmt.Sprintf("kernel=%s/n=%d/d=%d/rows=%d/", c.name, c.n, c.d, size)
			b.Run(name+"impl=dualgap", func(b *testing.B) {
				for b.Loop() {
					m.Rows(dst, rows, 1)
				}
			})
			if size == 1 {
				b.Run(name+"impl=sum", func(b *testing.B) {
					for b.Loop() {
						vec.Sum(x.Data)
					}
				})
				continue
			}
			chosen := vec.NewMatrix[float32](size, c.d)
			m.x.Gather(chosen, rows)
			b.Run(name+"impl=gemm", func(b *testing.B) {
				for b.Loop() {
					vec.Gemm(vec.NoTrans, vec.Transposed, 1, chosen, x, 0, dst)
				}
			})
		}
	}
}

// BenchmarkSparseRows is the time of a row of sparse examples with the shape of RCV1.
func BenchmarkSparseRows(b *testing.B) {
	x := rcv1[float32](20242)
	m, err := New(design.Matrix[float32](x), Gaussian{Gamma: .5}, 0)
	if err != nil {
		b.Fatal(err)
	}
	dst, i := vec.NewMatrix[float32](1, x.Rows), 0
	b.Run(fmt.Sprintf("n=%d/d=%d", x.Rows, x.Cols), func(b *testing.B) {
		for b.Loop() {
			m.Rows(dst, []int{i}, 1)
			i = (i + 7919) % x.Rows
		}
	})
}
