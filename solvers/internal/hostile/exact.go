package hostile

import "math/big"

// bits is the precision of exact sums: a double-double has 106. Numbers of a sum may be 1e300 times as large as others.
const bits = 2200

// Exact returns v with these bits: sums and products of a few hundred float64 numbers lose nothing that matters.
func Exact(v float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(v) }

// Inner returns <x, y>.
func Inner(x, y []float64) *big.Float {
	sum := Exact(0)
	for i, v := range x {
		sum.Add(sum, new(big.Float).Mul(Exact(v), Exact(y[i])))
	}
	return sum
}

// HalfSquares returns |W|²/2 of W = Xᵀ A, for the rows of X and of A.
func HalfSquares(x, a [][]float64) *big.Float {
	sum := Exact(0)
	for j := range x[0] {
		for c := range a[0] {
			w := Inner(Column(x, j), Column(a, c))
			sum.Add(sum, w.Mul(w, w))
		}
	}
	return sum.Mul(sum, Exact(.5))
}

// Column returns a column of a matrix in rows.
func Column(rows [][]float64, j int) (column []float64) {
	for _, row := range rows {
		column = append(column, row[j])
	}
	return column
}
