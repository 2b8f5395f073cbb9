package kernel

import (
	"math"
	"runtime"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// reduction looks for few of s support vectors in whose span there are w'_c near w_c, for each output c. The chosen
// columns of K are made orthogonal, as in a Cholesky decomposition with pivots, K ~ L Lᵀ: with p the next one chosen,
//
//	L_q = (K_pq - sum_r L_pr L_qr) / sqrt(left of p),   left of q: K_qq - sum_r L_qr²
//	z_c = <w_c - w'_c, phi_p> / sqrt(left of p),        |w_c - w'_c|² falls by z_c²
//
// p is the one for which the sum of these over the outputs is largest, as in orthogonal matching pursuit.
type reduction struct {
	supports
	workers  int
	diagonal []float64
	noise    float64 // relative error of the diagonal, below which nothing is left: (s+3) units

	rest    []float64           // K_qq - sum_r L_qr²
	scores  vec.Matrix[float64] // outputs-by-s: <w_c - w'_c, phi_q>
	left    []float64           // |w_c - w'_c|²
	chosen  []int
	columns [][]float64 // of L
	z       [][]float64 // of each chosen one the z_c
}

const unit = 0x1p-53 // roundoff of float64

// newReduction begins with w' = 0 and coefficients a, s-by-outputs, of w.
func newReduction(k supports, a vec.Matrix[float64]) *reduction {
	r := &reduction{supports: k, workers: runtime.GOMAXPROCS(0), noise: float64(a.Rows+3) * unit,
		diagonal: make([]float64, a.Rows), left: make([]float64, a.Cols), scores: vec.NewMatrix[float64](a.Cols,
			a.Rows)}
	f := r.multiply(a)
	r.rest = append(r.rest, r.diagonal...)
	for q := range a.Rows {
		for c, v := range f.Row(q) {
			r.scores.Row(c)[q] = v
			r.left[c] += a.Row(q)[c] * v
		}
	}
	return r
}

// multiply returns K a, and sets the diagonal.
func (r *reduction) multiply(a vec.Matrix[float64]) vec.Matrix[float64] {
	dst := vec.NewMatrix[float64](a.Rows, a.Cols)
	blocks := shape.Pieces(a.Rows, batchRows)
	rooms := make([]vec.Matrix[float64], min(r.workers, blocks))
	parallel.Do(r.workers, blocks, func(w, b int) {
		from, to := b*batchRows, min((b+1)*batchRows, a.Rows)
		rooms[w] = core.AtLeast(rooms[w], min(batchRows, a.Rows), a.Rows)
		k, list := rooms[w].Slice(0, to-from, 0, a.Rows), core.Some(nil, from, to)
		r.rows(k, list)
		for q := range list {
			r.diagonal[from+q] = k.Row(q)[from+q]
		}
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, k, a, 0, dst.Slice(from, to, 0, a.Cols))
	})
	return dst
}

// sizes returns sum_q |d_qc| sqrt(K_qq) of each output, which no |sum_q d_qc phi_q| exceeds.
func (r *reduction) sizes(d vec.Matrix[float64]) []float64 {
	sizes := make([]float64, d.Cols)
	for q := range d.Rows {
		for c, v := range d.Row(q) {
			sizes[c] += math.Abs(v) * math.Sqrt(max(0, r.diagonal[q]))
		}
	}
	return sizes
}

// distance returns the largest |sum_q d_qc phi_q|, no less than it is: sums of 2s products are off by (2s+3)u of the
// sum of their magnitudes, |d_q d_p K_qp| <= |d_q| sqrt(K_qq) |d_p| sqrt(K_pp).
func (r *reduction) distance(d vec.Matrix[float64]) (largest float64) {
	f := r.multiply(d)
	for c, size := range r.sizes(d) {
		square := 0.0
		for q := range d.Rows {
			square += d.Row(q)[c] * f.Row(q)[c]
		}
		largest = max(largest, math.Sqrt(max(0, square)+float64(2*d.Rows+3)*unit*size*size))
	}
	return largest
}

// approach chooses until |w_c - w'_c|² is at most target for every output. It returns false where nothing more can be
// chosen.
func (r *reduction) approach(target float64) bool {
	for {
		best, gain, done := -1, 0.0, true
		for _, left := range r.left {
			done = done && left <= target
		}
		if done {
			return true
		}
		for q, rest := range r.rest {
			if rest <= r.noise*r.diagonal[q] {
				continue
			}
			sum := 0.0
			for c, left := range r.left {
				if left > target {
					v := r.scores.Row(c)[q]
					sum += v * v
				}
			}
			if sum /= rest; sum > gain {
				best, gain = q, sum
			}
		}
		if best < 0 {
			return false
		}
		r.choose(best)
	}
}

func (r *reduction) choose(p int) {
	root := math.Sqrt(r.rest[p])
	column := make([]float64, len(r.rest))
	r.rows(vec.MatrixOf(1, len(column), column), []int{p})
	const piece = 1 << 12
	parallel.Chunks(r.workers, len(column), piece, func(_, from, to int) {
		for _, l := range r.columns {
			vec.Axpy(-l[p], l[from:to], column[from:to])
		}
		vec.Scale(1/root, column[from:to])
	})
	z := make([]float64, len(r.left))
	for c := range z {
		z[c] = r.scores.Row(c)[p] / root
		vec.Axpy(-z[c], column, r.scores.Row(c))
		r.left[c] = max(0, r.left[c]-z[c]*z[c])
	}
	for q, v := range column {
		r.rest[q] -= v * v
	}
	r.rest[p] = 0
	r.chosen, r.columns, r.z = append(r.chosen, p), append(r.columns, column), append(r.z, z)
}

// coefficients returns the coefficients of w' for the chosen ones: b with Lᵀ b = z.
func (r *reduction) coefficients() vec.Matrix[float64] {
	b := vec.NewMatrix[float64](len(r.chosen), len(r.left))
	for i := len(r.chosen) - 1; i >= 0; i-- {
		row, column := b.Row(i), r.columns[i]
		copy(row, r.z[i])
		for j := i + 1; j < len(r.chosen); j++ {
			vec.Axpy(-column[r.chosen[j]], b.Row(j), row)
		}
		vec.Scale(1/column[r.chosen[i]], row)
	}
	return b
}
