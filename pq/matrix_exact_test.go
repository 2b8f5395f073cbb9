package pq

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// smallIntegers returns a matrix of integers from -3 to 3 with a gap of numbers of 99 between its rows.
func smallIntegers(r *rand.Rand, rows, cols, gap int) vec.Matrix[float32] {
	a := vec.Matrix[float32]{Rows: rows, Cols: cols, Stride: cols + gap, Data: make([]float32, rows*(cols+gap))}
	for i := range a.Data {
		a.Data[i] = 99
	}
	for i := range rows {
		for j := range a.Row(i) {
			a.Row(i)[j] = float32(r.IntN(7) - 3)
		}
	}
	return a
}

// TestProductsExact: sums of small integers have one result in every order, so a missing or foreign number shows for
// certain. Outputs as wide as the kernels' lines and next to each other go ways of their own; there integer tables
// give the bits that they give with gaps.
func TestProductsExact(t *testing.T) {
	const d, m = 12, 5
	n := superRows + 700
	if testing.Short() {
		n = 700
	}
	r := prove.Rand(50)
	for _, nbits := range []int{4, 8} {
		q, err := New(d, m, nbits, smallIntegers(r, d, 1<<nbits, 0).Data, nil)
		if err != nil {
			t.Fatal(err)
		}
		codes := make([]byte, n*q.CodeSize())
		for i := range codes {
			codes[i] = byte(r.IntN(256))
		}
		for _, tables := range []Tables{Float32, Int16, Int8} {
			x, err := NewMatrix(q, n, codes, MatrixOptions{Tables: tables, Workers: 3})
			if err != nil {
				t.Fatal(err)
			}
			dense := rotatedRows(x)
			for _, cols := range []int{1, 2, 7, 8, 9, 16, 32, 48, 64, 128} {
				if testing.Short() && cols > 16 && cols != 64 {
					continue
				}
				w, a := smallIntegers(r, d, cols, 0), smallIntegers(r, n, cols, 0)
				product, sum := vec.NewMatrix[float64](n, cols), inFloat64(w)
				vec.Gemm(vec.NoTrans, vec.NoTrans, 1, dense, inFloat64(w), 0, product)
				vec.Gemm(vec.Transposed, vec.NoTrans, 1, dense, inFloat64(a), 1, sum)
				var tight, wide, tightSum, wideSum vec.Matrix[float64]
				for _, gap := range []int{0, 5} {
					dst, b, v := smallIntegers(r, n, cols, gap), smallIntegers(r, n, cols, gap),
						smallIntegers(r, d, cols, gap)
					for i := range n {
						copy(b.Row(i), a.Row(i))
					}
					for i := range d {
						copy(v.Row(i), w.Row(i))
					}
					x.Scores(dst, v, nil)
					x.Accumulate(v, b, nil)
					for i, c := range []vec.Matrix[float32]{dst, v} {
						if gap > 0 && slices.ContainsFunc(c.Data[cols:c.Stride],
							func(v float32) bool { return v != 99 }) {
							t.Fatalf("%d bits, tables %d, %d outputs, product %d: wrote between the rows", nbits,
								tables, cols, i)
						}
					}
					if gap == 0 {
						tight, tightSum = inFloat64(dst), inFloat64(v)
					} else {
						wide, wideSum = inFloat64(dst), inFloat64(v)
					}
				}
				if tables != Float32 {
					product, sum = wide, wideSum
				}
				if !slices.Equal(tight.Data, product.Data) || !slices.Equal(wide.Data, product.Data) {
					t.Errorf("%d bits, tables %d, %d outputs: other scores", nbits, tables, cols)
				}
				if !slices.Equal(tightSum.Data, sum.Data) || !slices.Equal(wideSum.Data, sum.Data) {
					t.Errorf("%d bits, tables %d, %d outputs: other sums", nbits, tables, cols)
				}
			}
		}
	}
}
