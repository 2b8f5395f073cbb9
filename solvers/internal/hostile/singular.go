package hostile

import (
	"math/big"
	"slices"

	"github.com/dualgap/dualgap/internal/shape"
)

// rotations is the precision that Singular rotates with, aligned the number of bits to which columns are orthogonal in
// the end, and nothing the bits by which columns are shorter than all of the matrix that count as 0: rounding has made
// them of columns that depend on each other.
const (
	rotations = 512
	aligned   = 320
	nothing   = 400
)

// Singular returns the singular values of a matrix in rows, descending, min(rows, columns) of them, by Hestenes'
// one-sided Jacobi method: columns are rotated until |<b_p, b_q>| <= 2^-320 |b_p| |b_q| for all pairs. Then their
// lengths are the singular values up to a part of 2^-320 times their number (Demmel and Veselić, "Jacobi's method is
// more accurate than QR", 1992), and 2^-400 of the largest; roundings of the rotations, 2^-512 of a column each, are
// far below that.
func Singular(rows [][]*big.Float) []*big.Float {
	columns := make([][]*big.Float, len(rows[0]))
	for j := range columns {
		for _, row := range rows {
			columns[j] = append(columns[j], new(big.Float).SetPrec(rotations).Set(row[j]))
		}
	}
	if len(rows) < len(columns) { // its transpose has the same
		for i, row := range rows {
			columns[i] = nil
			for _, v := range row {
				columns[i] = append(columns[i], new(big.Float).SetPrec(rotations).Set(v))
			}
		}
		columns = columns[:len(rows)]
	}
	least := new(big.Float).SetPrec(rotations)
	for _, b := range columns {
		least.Add(least, product(b, b))
	}
	least.SetMantExp(least, -2*nothing)
	for sweep, moved := 0, true; moved; sweep++ {
		if sweep == 200 {
			panic(shape.Errorf("hostile: Singular", "%d sweeps of rotations, and no end", sweep))
		}
		moved = false
		for q := range columns {
			for p := range q {
				moved = rotate(columns[p], columns[q], least) || moved
			}
		}
	}
	values := make([]*big.Float, len(columns))
	for j, b := range columns {
		square := product(b, b)
		values[j] = wide(square.Sqrt(square))
	}
	slices.SortFunc(values, func(a, b *big.Float) int { return b.Cmp(a) })
	return values
}

// rotate makes two columns orthogonal, and reports false where they are, or one is no longer than the root of least.
func rotate(p, q []*big.Float, least *big.Float) bool {
	a, b, c := product(p, p), product(q, q), product(p, q)
	if a.Cmp(least) <= 0 || b.Cmp(least) <= 0 {
		return false
	}
	limit := new(big.Float).Mul(a, b)
	limit.SetMantExp(limit, -2*aligned)
	if new(big.Float).Mul(c, c).Cmp(limit) <= 0 {
		return false
	}
	// tan, the smaller root of t² + 2 z t - 1 = 0, with z = (|q|² - |p|²)/(2 <p, q>)
	one := new(big.Float).SetPrec(rotations).SetInt64(1)
	z := new(big.Float).Sub(b, a)
	z.Quo(z, c.SetMantExp(c, 1))
	root := new(big.Float).Mul(z, z)
	root.Sqrt(root.Add(root, one))
	t := new(big.Float).Abs(z)
	t.Quo(one, t.Add(t, root))
	if z.Sign() < 0 {
		t.Neg(t)
	}
	cos := new(big.Float).Mul(t, t)
	cos.Quo(one, cos.Sqrt(cos.Add(cos, one)))
	sin := t.Mul(t, cos)
	for i, u := range p {
		v := q[i]
		p[i] = new(big.Float).Sub(new(big.Float).Mul(cos, u), new(big.Float).Mul(sin, v))
		q[i] = new(big.Float).Add(new(big.Float).Mul(sin, u), new(big.Float).Mul(cos, v))
	}
	return true
}

// product returns <p, q>.
func product(p, q []*big.Float) *big.Float {
	sum := new(big.Float).SetPrec(rotations)
	for i, v := range p {
		sum.Add(sum, new(big.Float).Mul(v, q[i]))
	}
	return sum
}
