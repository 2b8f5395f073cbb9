package beam

import (
	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// centring takes a mean away from rows that stay as they are. An ordinary pass with a constant feature of value 1 has
// the scores of rows less their mean, and of the problem's own constant feature b:
//
//	Wᵀ(x - mean) + b w_b = [W; b w_b - Wᵀ mean]ᵀ [x; 1]
//
// Each method is O(d m).
type centring struct {
	mean []float64 // of d numbers; zeros take nothing away
	bias float64   // b; 0: none
}

// problem returns the problem of the ordinary pass.
func (c *centring) problem(p ProblemSpec) ProblemSpec {
	p.Bias = 1
	return p
}

// weights returns the weights of the ordinary pass.
func (c *centring) weights(w vec.Matrix[float64]) vec.Matrix[float64] {
	d := len(c.mean)
	all := vec.NewMatrix[float64](d+1, w.Cols)
	for j := range d {
		copy(all.Row(j), w.Row(j))
	}
	vec.GemvT(-1, w.Slice(0, d, 0, w.Cols), c.mean, 0, all.Row(d))
	if c.bias != 0 {
		vec.Axpy(c.bias, w.Row(d), all.Row(d))
	}
	return all
}

// sums sets V of an ordinary pass, whose last row is sum_i a_i, to Xᵀ A of rows less their mean:
//
//	Xᵀ A - mean (sum_i a_i)ᵀ,   and b sum_i a_i for the constant feature
func (c *centring) sums(s *Sums) {
	d := len(c.mean)
	sum := s.V.Row(d)
	vec.Ger(-1, c.mean, sum, s.V.Slice(0, d, 0, s.V.Cols))
	vec.Scale(c.bias, sum)
	if c.bias == 0 {
		s.V = s.V.Slice(0, d, 0, s.V.Cols)
	}
}

// trained returns W of a model, whose offsets are b w_b - Wᵀ mean.
func (c *centring) trained(m *linear.LowRank[float64]) vec.Matrix[float64] {
	u, v := m.Factors()
	d, rows := u.Rows, u.Rows
	if c.bias != 0 {
		rows++
	}
	all := vec.NewMatrix[float64](rows, v.Rows)
	w := all.Slice(0, d, 0, v.Rows)
	vec.Gemm(vec.NoTrans, vec.Transposed, 1, u, v, 0, w)
	if c.bias != 0 {
		copy(all.Row(d), m.Bias())
		vec.GemvT(1, w, c.mean, 1, all.Row(d))
		vec.Scale(1/c.bias, all.Row(d))
	}
	return all
}

// moved returns a model with the same weights for rows that another centring has taken the mean from.
func (c *centring) moved(m *linear.LowRank[float64], to *centring) (*linear.LowRank[float64], error) {
	u, v := m.Factors()
	shift, offsets := make([]float64, u.Cols), m.Bias() // Uᵀ (mean - the other)
	if offsets != nil {
		vec.GemvT(1, u, c.mean, 0, shift)
		vec.GemvT(-1, u, to.mean, 1, shift)
		vec.Gemv(1, v, shift, 1, offsets)
	}
	return linear.NewLowRank(u, v, offsets, m.Names())
}

// tally returns a problem and weights whose pass adds up the rows of each class, and all rows. It has one class more
// than p, of which no row is, with a score 1000 above the others: its softmax is 1, the others' are 0, so that a row
// names r (e_y - e_m), and V of the rows with a 1 behind has the columns
//
//	r sum_{y_i = c} [x_i; 1],   c < m,   and   -r sum_i [x_i; 1]
func (p ProblemSpec) tally() (ProblemSpec, vec.Matrix[float64]) {
	w := vec.NewMatrix[float64](p.Features+1, p.Classes+1)
	w.Row(p.Features)[p.Classes] = 1000
	p.Classes++
	p.Bias = 1
	return p, w
}

// mean returns the mean of the rows of a tally.
func (s *Sums) mean() []float64 {
	d, last := s.V.Rows-1, s.V.Cols-1
	mean := make([]float64, d)
	for j := range mean {
		mean[j] = s.V.Row(j)[last] / s.V.Row(d)[last]
	}
	return mean
}

// atZero returns the largest singular value of V at W = 0, where a row names r (e_y - 1/m), of the sums of a tally. It
// changes the sums.
func (c *centring) atZero(s *Sums) float64 {
	c.sums(s)
	m := s.V.Cols - 1
	for j := range s.V.Rows {
		row := s.V.Row(j)
		for l := range m {
			row[l] += row[m] / float64(m)
		}
	}
	return spectral.Values(s.V.Slice(0, s.V.Rows, 0, m))[0]
}
