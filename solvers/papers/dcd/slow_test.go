package dcd

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/m3ltruth"
	"github.com/dualgap/dualgap/vec"
)

// slow is section 6 as it is printed, from the dual variables alone: each gradient is the whole sum of (38).
type slow struct {
	p         m3ltruth.Problem
	tau, turn float64
	rng       *rand.Rand
	alpha     [][]float64 // n-by-L
	sets      [][]int
	low, high []float64
	pass      int
	along     bool
	label     int
	left      int
	status    solvers.Status
	discarded int
	switched  int // steps along labels
	expanded  int
}

func newSlow(p m3ltruth.Problem, tau, turn float64, seed uint64) *slow {
	s := &slow{p: p, tau: tau, turn: turn, rng: rand.New(rand.NewPCG(seed, 0)), pass: len(p.X) * len(p.R)}
	for range p.X {
		s.alpha = append(s.alpha, make([]float64, len(p.R)))
	}
	s.expand()
	return s
}

func (s *slow) expand() {
	old := s.sets
	s.sets, s.low, s.high = nil, nil, nil
	for l := range s.p.R {
		set := []int{}
		for i := range s.p.X {
			set = append(set, i)
		}
		if old != nil { // with the discarded ones at the end
			set = old[l][:len(set)]
		}
		s.sets, s.low, s.high = append(s.sets, set), append(s.low, math.Inf(-1)), append(s.high, math.Inf(1))
	}
}

func (s *slow) k(i, j int) (sum float64) {
	for c, v := range s.p.X[i] {
		sum += v * s.p.X[j][c]
	}
	return sum
}

// gradient is the numerator of (38).
func (s *slow) gradient(p, l int) float64 {
	sum := 0.0
	for q := range s.p.X {
		for k := range s.p.R {
			sum += s.k(p, q) * s.p.R[l][k] * s.p.Y[p][l] * s.p.Y[q][k] * s.alpha[q][k]
		}
	}
	return s.p.Minus[p][l] - s.p.Plus[p][l] - 4*sum
}

func (s *slow) active() (sum int) {
	for _, set := range s.sets {
		sum += len(set)
	}
	return sum
}

func (s *slow) draw() (l, at int) {
	if !s.along {
		at := s.rng.IntN(s.active())
		for at >= len(s.sets[l]) {
			at -= len(s.sets[l])
			l++
		}
		return l, s.rng.IntN(len(s.sets[l]))
	}
	s.switched++
	if s.left == 0 || len(s.sets[s.label]) == 0 {
		for s.label = s.rng.IntN(len(s.sets)); len(s.sets[s.label]) == 0; {
			s.label = s.rng.IntN(len(s.sets))
		}
		s.left = len(s.sets)
	}
	s.left--
	return s.label, s.rng.IntN(len(s.sets[s.label]))
}

// step draws a variable and discards or moves it.
func (s *slow) step() {
	l, at := s.draw()
	set := s.sets[l]
	p := set[at]
	g, a, c := s.gradient(p, l), s.alpha[p][l], s.p.C
	if a == 0 && g < s.low[l] || a == c && g > s.high[l] {
		set[at], set[len(set)-1] = set[len(set)-1], set[at]
		s.sets[l] = set[:len(set)-1]
		s.discarded++
	} else if g != 0 {
		s.alpha[p][l] = math.Max(0, math.Min(c, a+g/(4*s.k(p, p)*s.p.R[l][l])))
	}
	if s.pass--; s.pass == 0 || s.active() == 0 {
		s.end()
	}
}

// projected returns (31) of a variable.
func (s *slow) projected(p, l int) float64 {
	switch g := s.gradient(p, l); s.alpha[p][l] {
	case 0:
		return math.Max(0, g)
	case s.p.C:
		return math.Min(0, g)
	default:
		return g
	}
}

// extremes sets the ranges by (44) and (45), with 0 among the projected gradients, and returns the largest magnitude.
func (s *slow) extremes() (largest float64) {
	for l := range s.sets {
		s.low[l], s.high[l] = 0, 0
		for k, set := range s.sets {
			for _, p := range set {
				g := s.projected(p, k)
				s.low[l] = math.Min(s.low[l], math.Abs(s.p.R[k][l])*g)
				s.high[l] = math.Max(s.high[l], math.Abs(s.p.R[k][l])*g)
				largest = math.Max(largest, math.Abs(g))
			}
		}
	}
	return largest
}

func (s *slow) end() {
	s.left = 0
	largest := s.extremes()
	if largest < s.tau && s.active() < len(s.p.X)*len(s.p.R) {
		s.expanded++
		s.expand()
		largest = s.extremes()
		s.expand()
	}
	if largest < s.tau {
		s.status = solvers.Converged
	}
	s.along = s.along || largest < s.turn
	s.pass = s.active()
}

// z returns z_l, by its sum.
func (s *slow) z(l int) []float64 {
	z := make([]float64, len(s.p.X[0]))
	for i, x := range s.p.X {
		for k := range s.p.R {
			for c, v := range x {
				z[c] += 2 * s.p.R[l][k] * s.p.Y[i][k] * s.alpha[i][k] * v
			}
		}
	}
	return z
}

// problemOf is p with examples of a storage.
func problemOf[T vec.Float](x design.Matrix[T], p m3ltruth.Problem) Problem[T] {
	return Problem[T]{X: x, R: p.Prior(), Labels: len(p.R), Sets: p.Sets(), Margins: p.Margins, C: p.C}
}

// storages are the examples dense, sparse, and behind a wrapper whose rows are decoded.
func storages[T vec.Float](t testing.TB, p m3ltruth.Problem) map[string]design.Matrix[T] {
	t.Helper()
	x := &dataset.Dense[T]{Matrix: m3ltruth.Matrix[T](p.X)}
	csr, err := x.CSR()
	if err != nil {
		t.Fatal(err)
	}
	return map[string]design.Matrix[T]{"dense": x, "sparse": csr, "decoded": hidden[T]{x}}
}

// hidden is a storage that offers no rows.
type hidden[T vec.Float] struct{ design.Matrix[T] }

// TestPrinted: every step is the step of the paper, in either choice of variables, while active sets shrink and grow;
// Z is what its sum says, wherever the method is looked at.
func TestPrinted(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	var discarded, switched, expanded int
	for _, turn := range []float64{1e-9, .3, 1e9} {
		p := m3ltruth.Draw(rng, 12, 4, 3, 2)
		p.Kernel = "linear"
		for name, x := range storages[float64](t, p) {
			m, err := problemOf(x, p).begin(context.Background(), Options{Tau: .01, Switch: turn, Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			want := newSlow(p, .01, turn, 3)
			for step := range 2000 {
				if done := m.Take(context.Background(), 1); done != 1 {
					t.Fatalf("%s: %d steps, want 1", name, done)
				}
				want.step()
				compare(t, m, want, step%7 == 0)
				if m.status != want.status || m.sets.active != want.active() {
					t.Fatalf("%s, switch %v: %v and %d active variables after %d steps, want %v and %d", name, turn,
						m.status, m.sets.active, step+1, want.status, want.active())
				}
				if t.Failed() {
					t.Fatalf("%s, switch %v: after %d steps", name, turn, step+1)
				}
				if m.status != solvers.Running {
					break
				}
			}
			if want.status != solvers.Converged {
				t.Errorf("%s, switch %v: %v", name, turn, want.status)
			}
			discarded, switched, expanded = discarded+want.discarded, switched+want.switched, expanded+want.expanded
		}
	}
	if discarded == 0 || switched == 0 || expanded == 0 {
		t.Errorf("%d discarded, %d steps along labels, %d expansions: want some of each", discarded, switched, expanded)
	}
}

// compare holds the dual variables, and with look Z and the objectives, to 1e-12 of the slow method's.
func compare(t *testing.T, m *method, want *slow, look bool) {
	t.Helper()
	for i, row := range want.alpha {
		for l, v := range row {
			if got := m.alpha.At(l, i); math.Abs(got-v) > 1e-12*want.p.C {
				t.Errorf("alpha of example %d, label %d: %v, want %v", i, l, got, v)
			}
		}
	}
	if !look {
		return
	}
	now, err := m.Look()
	if err != nil {
		t.Fatal(err)
	}
	for l := range want.sets {
		for c, v := range want.z(l) {
			if got := m.z.At(l, c); math.Abs(got-v) > 1e-12*(1+math.Abs(v)) {
				t.Errorf("z of label %d, feature %d: %v, want %v", l, c, got, v)
			}
		}
	}
	duals := vec.NewMatrix[float64](len(want.alpha), len(want.sets))
	for i, row := range want.alpha {
		for l, v := range row {
			duals.Row(i)[l] = 2 * want.p.Y[i][l] * v
		}
	}
	primal, dual := want.p.Values(duals)
	if math.Abs(now.Primal-primal) > 1e-12*primal || math.Abs(now.Dual-dual) > 1e-12*primal {
		t.Errorf("%v, want %v and %v", now.Certificate, primal, dual)
	}
}
