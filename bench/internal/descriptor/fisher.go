package descriptor

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Mixture is a mixture of k Gaussians in d dimensions with diagonal covariances.
type Mixture struct {
	Weights         []float64           // k, of sum 1
	Means, Variance vec.Matrix[float64] // k-by-d
}

// constants returns what the logarithm of each weighted density has that no row changes:
// log w - 1/2 sum_j log(2 pi variance_j).
func (m *Mixture) constants() []float64 {
	all := make([]float64, len(m.Weights))
	for c, w := range m.Weights {
		all[c] = math.Log(w)
		for _, v := range m.Variance.Row(c) {
			all[c] -= math.Log(2*math.Pi*v) / 2
		}
	}
	return all
}

// posteriors returns log p(x), and sets of each Gaussian the probability that x comes from it.
func (m *Mixture) posteriors(of, constants []float64, x []float32) (logp float64) {
	for c, s := range constants {
		variance := m.Variance.Row(c)
		for j, mean := range m.Means.Row(c) {
			z := float64(x[j]) - mean
			s -= z * z / variance[j] / 2
		}
		of[c] = s
	}
	return vec.SoftmaxLogSumExp(of, of)
}

// EM fits a mixture to the rows of x by expectation and maximisation, from the means and with the variance of all rows
// for each Gaussian at first. No variance falls below floor times the mean variance of the columns. It returns the mean
// log-likelihood of a row before each iteration, too, which never falls unless a variance meets the floor.
func EM(x, means vec.Matrix[float32], iterations int, floor float64) (m *Mixture, history []float64) {
	k, d := means.Rows, means.Cols
	m = &Mixture{make([]float64, k), vec.NewMatrix[float64](k, d), vec.NewMatrix[float64](k, d)}
	all := newMoments(1, d)
	for i := range x.Rows {
		all.add([]float64{1}, x.Row(i))
	}
	start := &Mixture{make([]float64, 1), vec.NewMatrix[float64](1, d), vec.NewMatrix[float64](1, d)}
	all.maximize(start, 0)
	least := floor * vec.Mean(start.Variance.Data)
	for c := range k {
		m.Weights[c] = 1 / float64(k)
		vec.Convert(m.Means.Row(c), means.Row(c))
		for j, v := range start.Variance.Row(0) {
			m.Variance.Row(c)[j] = max(least, v)
		}
	}
	of := make([]float64, k)
	for range iterations {
		sums, total, constants := newMoments(k, d), 0.0, m.constants()
		for i := range x.Rows {
			total += m.posteriors(of, constants, x.Row(i))
			sums.add(of, x.Row(i))
		}
		history = append(history, total/float64(x.Rows))
		sums.maximize(m, least)
	}
	return m, history
}

// moments are sums over rows, by their probabilities: of 1, of x and of x².
type moments struct {
	n    []float64
	x, s vec.Matrix[float64]
}

func newMoments(k, d int) *moments {
	return &moments{make([]float64, k), vec.NewMatrix[float64](k, d), vec.NewMatrix[float64](k, d)}
}

func (s *moments) add(of []float64, x []float32) {
	for c, p := range of {
		if p < 1e-12 {
			continue
		}
		s.n[c] += p
		sx, ss := s.x.Row(c), s.s.Row(c)
		for j, v := range x {
			px := p * float64(v)
			sx[j] += px
			ss[j] += px * float64(v)
		}
	}
}

// maximize sets the mixture that is likeliest by the sums. A Gaussian without rows keeps its mean and variance.
func (s *moments) maximize(m *Mixture, least float64) {
	total := vec.Sum(s.n)
	for c, n := range s.n {
		m.Weights[c] = n / total
		if n < 1e-6 {
			continue
		}
		for j := range m.Means.Cols {
			mean := s.x.Row(c)[j] / n
			m.Means.Row(c)[j], m.Variance.Row(c)[j] = mean, max(least, s.s.Row(c)[j]/n-mean*mean)
		}
	}
}

// Gradient returns the mean gradient of log p over the rows of x, n-by-d, by the means and then by the deviations of
// all k Gaussians, scaled by Fisher's information: 2 k d numbers (Sánchez, Perronnin, Mensink, Verbeek, Image
// classification with the Fisher vector, 2013, equations 17 and 18). Zeros where there are no rows.
//
//	by means:      1 / (n sqrt(w_c))   sum_i p_ic (x_i - mean_c) / deviation_c
//	by deviations: 1 / (n sqrt(2 w_c)) sum_i p_ic ((x_i - mean_c)² / variance_c - 1)
func (m *Mixture) Gradient(x vec.Matrix[float32]) []float32 {
	k, d := m.Means.Rows, m.Means.Cols
	out, of, sums := make([]float32, 2*k*d), make([]float64, k), newMoments(k, d)
	if x.Rows == 0 {
		return out
	}
	constants := m.constants()
	for i := range x.Rows {
		m.posteriors(of, constants, x.Row(i))
		sums.add(of, x.Row(i))
	}
	for c, n := range sums.n {
		if m.Weights[c] == 0 {
			continue
		}
		scale := 1 / (float64(x.Rows) * math.Sqrt(m.Weights[c]))
		for j, mean := range m.Means.Row(c) {
			v, sx, ss := m.Variance.Row(c)[j], sums.x.Row(c)[j], sums.s.Row(c)[j]
			out[c*d+j] = float32(scale * (sx - n*mean) / math.Sqrt(v))
			out[(k+c)*d+j] = float32(scale / math.Sqrt2 * ((ss-2*mean*sx+n*mean*mean)/v - n))
		}
	}
	return out
}

// FisherVector returns the gradient, of each number the root of its size with its sign, scaled to norm 1.
func (m *Mixture) FisherVector(x vec.Matrix[float32]) []float32 {
	out := m.Gradient(x)
	for i, v := range out {
		out[i] = float32(math.Copysign(math.Sqrt(math.Abs(float64(v))), float64(v)))
	}
	vec.Normalize(out)
	return out
}
