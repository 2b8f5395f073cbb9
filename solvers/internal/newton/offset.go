package newton

import (
	"math"

	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/vec"
)

// An offset b that is not regularized is the last of the weights, of a constant feature of 1, without its part of the
// penalty and of H. Steps are of the examples less their mean m, with b' = b + <w, m>, since the coupling of w
// and b would take the digits that the mean is larger by:
//
//	H' = diag(I, 0) + Σ_i c_i (x_i - m, 1)(x_i - m, 1)ᵀ,    p' = -H'⁻¹(g_w - g_b m, g_b),    p_b = p'_b - <p_w, m>
//
// The dual variables of a certificate have to add up to 0. What is missing, g_b, costs about g_b²/(2 Σ_i c_i), the
// square that a step of b alone gains.
type offset[T vec.Float] struct {
	*ascent.Offset[T]
	mean []float64 // m, and 0 for the constant feature
	b    float64   // of the certificate
}

// setOffset sets what follows from an offset: the mean above all.
func (s *solver[T]) setOffset() {
	s.offset = offset[T]{Offset: ascent.NewOffset(s.p), mean: make([]float64, s.d)}
	for i := range s.q {
		s.q[i] = 1 / float64(s.n)
	}
	s.accumulate(s.offset.mean, s.q)
	s.offset.mean[s.d-1] = 0
	s.hessian.mean = s.offset.mean
}

// penalized returns the weights of w that the penalty counts.
func (s *solver[T]) penalized(w []float64) []float64 {
	if s.p.Offset {
		return w[:s.d-1]
	}
	return w
}

// leastBend is what the second derivative by b is taken for where it is less: where no example is at a kink there is
// none.
func (s *solver[T]) leastBend() float64 {
	all := vec.Sum(s.p.Radius)
	if s.mu > 0 {
		return 1e-8 * all / s.mu
	}
	return 1e-12 * all
}

// direct sets step to the Newton step of a gradient.
func (s *solver[T]) direct(g []float64) {
	for j, v := range g {
		s.step[j] = -v
	}
	if !s.p.Offset {
		s.solve(s.step)
		return
	}
	last := s.d - 1
	vec.Axpy(g[last], s.offset.mean, s.step)
	s.solve(s.step)
	s.step[last] -= vec.Dot(s.step, s.offset.mean)
}

// unbalanced returns about what it costs that the dual variables of a point add up to -g_b.
func (s *solver[T]) unbalanced(p *point) float64 {
	e := p.g[s.d-1]
	return e * e / 2 / math.Max(vec.Sum(p.c), s.leastBend())
}
