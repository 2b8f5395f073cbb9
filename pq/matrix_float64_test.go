package pq

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestMatrixFloat64: products in float64 are those with the decoded rows, up to the rounding of sums of d or n terms in
// float64 and, where rows are rotated back, of the decoded numbers in float32.
func TestMatrixFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	const n, d, cols = 2*rows64 + 37, 10, 5 // parts that are whole and one that is not
	x := vec.NewMatrix[float32](n, d)
	for i := range x.Data {
		x.Data[i] = float32(rng.NormFloat64())
	}
	for _, c := range []Config{{M: 5, NBits: 4}, {M: 3, NBits: 8, Uneven: true}, {M: 5, NBits: 4, Rotations: 2}} {
		c.Iterations = 2
		q, err := Train(t.Context(), x, c)
		if err != nil {
			t.Fatal(err)
		}
		codes := make([]byte, n*q.CodeSize())
		if err := q.Encode(codes, x, 0); err != nil {
			t.Fatal(err)
		}
		m, err := NewMatrix(q, n, codes, MatrixOptions{})
		if err != nil {
			t.Fatal(err)
		}
		// by what a decoded number is off, over the largest one: d terms of R times at most root d of it
		decoding := 0.0
		if q.rotation != nil {
			decoding = 0x1p-24 * (d + 3) * d
		}
		for _, rows := range [][]int{nil, {}, {n - 1, 0, 7, 7}} {
			count := n
			if rows != nil {
				count = len(rows)
			}
			decoded := vec.NewMatrix[float32](count, d)
			m.Gather(decoded, rows)
			w, a := normals(rng, d, cols), normals(rng, count, cols)
			got, sums := vec.NewMatrix[float64](count, cols), normals(rng, d, cols)
			want := vec.NewMatrix[float64](d, cols)
			copy(want.Data, sums.Data)
			m.Scores64(got, w, rows)
			m.Accumulate64(sums, a, rows)
			for i := range count {
				for l := range cols {
					sum := 0.0
					for j, v := range decoded.Row(i) {
						sum += float64(v) * w.Row(j)[l]
						want.Row(j)[l] += float64(v) * a.Row(i)[l]
					}
					bound := (decoding + 0x1p-53*4*d) * d * size(decoded.Row(i)) * size(w.Data)
					if !(math.Abs(got.Row(i)[l]-sum) <= bound) {
						t.Fatalf("%+v: score %v of row %d, want %v", c, got.Row(i)[l], i, sum)
					}
				}
			}
			bound := (decoding+0x1p-53*float64(count+4*d))*float64(count+1)*size(decoded.Data)*size(a.Data) +
				0x1p-50*size(want.Data)
			for j := range want.Data {
				if !(math.Abs(sums.Data[j]-want.Data[j]) <= bound) {
					t.Fatalf("%+v: sum %v, want %v", c, sums.Data[j], want.Data[j])
				}
			}
		}
	}
}

func normals(rng *rand.Rand, rows, cols int) vec.Matrix[float64] {
	m := vec.NewMatrix[float64](rows, cols)
	for i := range m.Data {
		m.Data[i] = rng.NormFloat64()
	}
	return m
}

// size is the largest magnitude.
func size[T vec.Float](x []T) (most float64) {
	for _, v := range x {
		most = max(most, math.Abs(float64(v)))
	}
	return most
}
