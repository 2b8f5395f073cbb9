package rankone

import (
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/optim"
	"github.com/dualgap/dualgap/vec"
)

// slow is Algorithm 4.1 once more, in loops over numbers: nothing is kept from a step to the next but the atoms and
// their weights, W is their sum, scores are products with the examples, and slopes are products with the gradient.
// It shares with the method the numbers that the paper leaves open, and the quasi-Newton method of (8).
type slow struct {
	x                [][]float64
	y                []int
	m                int
	lambda1, lambda2 float64
	epsilon          float64
	theta            []float64
	u, v             [][]float64
	added            int
	over             bool
}

func (s *slow) weights(theta []float64) [][]float64 {
	w := make([][]float64, len(s.x[0]))
	for j := range w {
		w[j] = make([]float64, s.m)
		for i, t := range theta {
			for l := range w[j] {
				w[j][l] += t * s.u[i][j] * s.v[i][l]
			}
		}
	}
	return w
}

// of returns R at W, and its gradient.
func (s *slow) of(w [][]float64) (value float64, g [][]float64) {
	n := float64(len(s.x))
	g = make([][]float64, len(w))
	for j, row := range w {
		g[j] = make([]float64, s.m)
		for l, v := range row {
			value += s.lambda2 * v * v
			g[j][l] = 2 * s.lambda2 * v
		}
	}
	for i, x := range s.x {
		p, sum := s.probabilities(w, x)
		value += (math.Log(sum) - math.Log(p[s.y[i]]*sum)) / n
		p[s.y[i]]--
		for j, v := range x {
			for l, a := range p {
				g[j][l] += v * a / n
			}
		}
	}
	return value, g
}

// probabilities returns the softmax of Wᵀ x, and the sum of the exponentials.
func (s *slow) probabilities(w [][]float64, x []float64) (p []float64, sum float64) {
	p = make([]float64, s.m)
	for j, v := range x {
		for l := range p {
			p[l] += v * w[j][l]
		}
	}
	for l, v := range p {
		p[l] = math.Exp(v)
		sum += p[l]
	}
	for l := range p {
		p[l] /= sum
	}
	return p, sum
}

// objective returns I.
func (s *slow) objective(theta []float64) float64 {
	value, _ := s.of(s.weights(theta))
	for _, t := range theta {
		value += s.lambda1 * t
	}
	return value
}

// slopeOf returns uᵀ G v.
func slopeOf(g [][]float64, u, v []float64) (sum float64) {
	for j, row := range g {
		for l, x := range row {
			sum += u[j] * x * v[l]
		}
	}
	return sum
}

// unitOf makes v one of length 1 and returns the length that it had.
func unitOf(v []float64) (length float64) {
	for _, x := range v {
		length += x * x
	}
	if length = math.Sqrt(length); length > 0 {
		for i := range v {
			v[i] /= length
		}
	}
	return length
}

// pair takes power steps from the longest row until little is left to rise.
func (s *slow) pair(g [][]float64) (u, v []float64, sigma float64) {
	longest := 0.0
	for _, row := range g {
		c := slices.Clone(row)
		if length := unitOf(c); length > longest {
			longest, v = length, c
		}
	}
	last := 0.0
	return s.power(g, v, func(k int, rise float64) bool {
		done := k > 1 && (rise <= 0 || rise < last && rise*rise/(last-rise) <= s.epsilon/4)
		last = rise
		return done
	})
}

// top takes 2⁵⁰ power steps at once: (GᵀG)^(2⁵⁰) has the top vector in its columns.
func (s *slow) top(g [][]float64) (u, v []float64, sigma float64) {
	power := product(transposed(g), g)
	for range 50 {
		largest := 0.0
		for _, row := range power {
			largest = max(largest, slices.Max(row))
		}
		for _, row := range power {
			for l := range row {
				row[l] /= largest
			}
		}
		power = product(power, power)
	}
	for _, row := range power {
		if length := unitOf(row); length > sigma {
			sigma, v = length, row
		}
	}
	return s.power(g, v, func(int, float64) bool { return true })
}

func transposed(a [][]float64) [][]float64 {
	t := make([][]float64, len(a[0]))
	for l := range t {
		for _, row := range a {
			t[l] = append(t[l], row[l])
		}
	}
	return t
}

func product(a, b [][]float64) [][]float64 {
	c := make([][]float64, len(a))
	for i, row := range a {
		c[i] = make([]float64, len(b[0]))
		for j, x := range row {
			for l, y := range b[j] {
				c[i][l] += x * y
			}
		}
	}
	return c
}

func (s *slow) power(g [][]float64, v []float64, done func(k int, rise float64) bool) (u, w []float64,
	sigma float64) {
	for k := 0; ; k++ {
		u = make([]float64, len(g))
		for j, row := range g {
			for l, x := range row {
				u[j] -= x * v[l]
			}
		}
		unitOf(u)
		v = make([]float64, s.m)
		for j, row := range g {
			for l, x := range row {
				v[l] -= x * u[j]
			}
		}
		now := unitOf(v)
		rise := now - sigma
		sigma = now
		if done(k, rise) {
			return u, v, sigma
		}
	}
}

// curvature returns the second derivative of R along u vᵀ at W.
func (s *slow) curvature(w [][]float64, u, v []float64) (c float64) {
	for _, x := range s.x {
		p, _ := s.probabilities(w, x)
		xu, mean, square := 0.0, 0.0, 0.0
		for j, a := range x {
			xu += a * u[j]
		}
		for l, q := range p {
			mean += q * v[l]
			square += q * v[l] * v[l]
		}
		c += xu * xu * (square - mean*mean) / float64(len(s.x))
	}
	return c + 2*s.lambda2
}

func (s *slow) step() {
	w := s.weights(s.theta)
	_, g := s.of(w)
	u, v, sigma := s.pair(g)
	if s.lambda1-sigma > -s.epsilon/2 {
		if a, b, most := s.top(g); most > s.lambda1+s.epsilon {
			u, v, sigma = a, b, most
		}
	}
	switch slope := s.lambda1 - sigma; {
	case slope <= -s.epsilon/2:
		now := s.objective(s.theta)
		s.u, s.v, s.theta = append(s.u, u), append(s.v, v), append(s.theta, 0)
		delta := -slope / s.curvature(w, u, v)
		for ; ; delta /= 2 {
			s.theta[len(s.theta)-1] = delta
			if s.objective(s.theta) <= now+.1*delta*slope {
				break
			}
		}
		if s.added++; s.added < 10 {
			return
		}
	case s.conditions(g, s.epsilon):
		s.over = true
		return
	}
	s.added = 0
	optim.Nonnegative(s.theta, func(slopes, theta []float64) float64 {
		_, g := s.of(s.weights(theta))
		for i := range theta {
			slopes[i] = s.lambda1 + slopeOf(g, s.u[i], s.v[i])
		}
		return s.objective(theta)
	}, s.epsilon, 50)
	var theta []float64
	var us, vs [][]float64
	for i, t := range s.theta {
		if t > 0 {
			theta, us, vs = append(theta, t), append(us, s.u[i]), append(vs, s.v[i])
		}
	}
	s.theta, s.u, s.v = theta, us, vs
}

// conditions reports whether (C2) holds.
func (s *slow) conditions(g [][]float64, epsilon float64) bool {
	for i := range s.theta {
		if math.Abs(s.lambda1+slopeOf(g, s.u[i], s.v[i])) > epsilon {
			return false
		}
	}
	return true
}

// TestSlow: each of 100 steps leads, from the same atoms and weights, to the I and the W of the same lines in loops
// over numbers, to 1e-12, with each of the penalties and with both, dense and sparse, one worker and two; it stops
// where the loops stop. I is the same to 1e-12 too where the loops never take the atoms of the method, so that
// rounding adds up. With a much smaller epsilon the quasi-Newton method of (8) makes more of rounding than that.
func TestSlow(t *testing.T) {
	dense, sparse := drawnOf[float64](t, 200, 20, 9)
	stopped := 0
	for _, c := range []struct{ lambda1, lambda2, epsilon float64 }{
		{.01, .001, 1e-3}, {.002, .001, 1e-3}, {.02, 0, 1e-3}, {0, .05, 1e-4}, {.01, .01, .035}, {.003, 0, .01},
	} {
		for workers, p := range []Problem[float64]{dense, sparse} {
			p.Lambda1, p.Lambda2 = c.lambda1, c.lambda2
			d, _, err := begin(t.Context(), p, []float64{c.lambda1}, Options{Epsilon: c.epsilon, Workers: 1 + workers})
			if err != nil {
				t.Fatal(err)
			}
			s := slow{y: p.Y, m: p.Classes, lambda1: c.lambda1, lambda2: c.lambda2, epsilon: c.epsilon}
			x := vec.NewMatrix[float64](len(p.Y), 20)
			p.X.Gather(x, nil)
			for i := range x.Rows {
				s.x = append(s.x, x.Row(i))
			}
			steps := 0
			for ; steps < 100 && !s.over && !t.Failed(); steps++ {
				same := s
				same.from(d)
				same.step()
				d.Take(t.Context(), 1)
				same.near(t, d)
				s.step()
				if want := s.objective(s.theta); !(math.Abs(d.Loss+d.penalty()-want) <= 1e-12*want) {
					t.Errorf("I = %v, want %v of a run of its own", d.Loss+d.penalty(), want)
				}
			}
			if s.over {
				stopped++
			}
			if t.Failed() {
				t.Fatalf("%+v, %d workers: after %d steps", c, 1+workers, steps)
			}
		}
	}
	if stopped != 8 {
		t.Errorf("%d of 12 have stopped by themselves, want 8", stopped)
	}
}

// from takes over the atoms and weights of the method.
func (s *slow) from(d *descent[float64]) {
	s.theta, s.u, s.v, s.added = slices.Clone(d.theta), nil, nil, d.added
	for i := range d.theta {
		s.u, s.v = append(s.u, slices.Clone(d.u.Row(i))), append(s.v, slices.Clone(d.v.Row(i)))
	}
}

// near compares I and W, all numbers of which are off by 1e-12 of the largest at most, and whether it is the end.
func (s *slow) near(t *testing.T, d *descent[float64]) {
	t.Helper()
	if over := d.Stopped() == solvers.Converged; over != s.over {
		t.Errorf("status %v, want the end: %t", d.Stopped(), s.over)
	}
	want, got := s.objective(s.theta), d.Loss+d.penalty()
	if !(math.Abs(got-want) <= 1e-12*want) || len(d.theta) != len(s.theta) {
		t.Errorf("I = %v of %d atoms, want %v of %d", got, len(d.theta), want, len(s.theta))
	}
	w := s.weights(s.theta)
	size, off := 0.0, 0.0
	for j, row := range w {
		for l, v := range row {
			size, off = max(size, math.Abs(v)), max(off, math.Abs(v-d.W.Row(j)[l]))
		}
	}
	if !(off <= 1e-12*size) {
		t.Errorf("W is off by %g of %g", off, size)
	}
}
