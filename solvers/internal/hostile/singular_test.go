package hostile

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestSingular: matrices between two rotations by the angle of 3, 4 and 5, whose singular values are known, of sizes
// that differ by 300 decades, and of rank 1.
func TestSingular(t *testing.T) {
	for _, values := range [][]float64{{5, 3}, {1e150, 1e-150}, {7, 0}, {1, 1}, {0, 0}} {
		rows := make([][]*big.Float, 3) // 25 Q1 diag(values) Q2, with a row of 0 between
		for i, left := range [][]float64{{3, -4}, {0, 0}, {4, 3}} {
			for j := range 2 {
				right := [][]float64{{3, 4}, {-4, 3}}
				sum := Exact(0)
				for q, v := range values {
					Plus(sum, Exact(left[q]*right[q][j]), Exact(v))
				}
				rows[i] = append(rows[i], sum)
			}
		}
		transposed := make([][]*big.Float, 2)
		for _, row := range rows {
			for j, v := range row {
				transposed[j] = append(transposed[j], v)
			}
		}
		for _, rows := range [][][]*big.Float{rows, transposed} {
			got := Singular(rows)
			for q, v := range got {
				want := new(big.Float).Mul(Exact(values[q]), Exact(25))
				off := new(big.Float).Sub(v, want) // of 0 it is a part of the largest
				limit := new(big.Float).Mul(Exact(25*values[0]), Exact(0x1p-200))
				if values[q] > 0 && values[q] > 1e-100 {
					limit.Mul(want, Exact(0x1p-300))
				}
				if off.Abs(off).Cmp(limit) > 0 {
					t.Errorf("singular values of %v times 25: %.40g", values, got)
				}
			}
		}
	}
}

// TestSingularSums: of random matrices the squares of the singular values have the sum of all squares, and of square
// ones the product is the determinant, for features of 20 decades.
func TestSingularSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 20 {
		rows, squares := make([][]*big.Float, 2), Exact(0)
		scales := []float64{math.Pow(10, 20*rng.Float64()), 1}
		for i := range rows {
			for j := range scales {
				v := Exact(scales[j] * rng.NormFloat64())
				rows[i] = append(rows[i], v)
				Plus(squares, v, v)
			}
		}
		determinant := new(big.Float).Mul(rows[0][0], rows[1][1])
		determinant.Sub(determinant, new(big.Float).Mul(rows[0][1], rows[1][0]))
		got := Singular(rows)
		sum := new(big.Float).Mul(got[0], got[0])
		Plus(sum, got[1], got[1])
		within(t, "sum of squares", sum, squares, 0x1p-300)
		within(t, "determinant", new(big.Float).Mul(got[0], got[1]), determinant.Abs(determinant), 0x1p-300)
	}
}
