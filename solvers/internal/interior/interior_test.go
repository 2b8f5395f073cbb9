package interior

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// problemOf is a dual problem of ranking: with every case of the scalar.
func problemOf(p ranktruth.Problem, k System) Problem {
	q := Problem{K: k, Plus: Side{Linear: 1 / p.Theta1}}
	for i, y := range p.Positive {
		if y {
			q.Plus.Examples = append(q.Plus.Examples, i)
		}
		if !y || p.All {
			q.Minus.Examples = append(q.Minus.Examples, i)
		}
	}
	if p.Hinge {
		q.Plus.Upper = p.C * p.Theta1
	} else {
		q.Plus.Quadratic = 1 / (2 * p.C * p.Theta1 * p.Theta1)
	}
	switch {
	case p.PatMat:
		q.Minus.Linear, q.Cost = 1/p.Theta2, p.Tau*float64(len(q.Minus.Examples))
		if p.Hinge {
			q.Minus.Ratio = p.Theta2
		} else {
			q.Curve = 1 / (2 * p.Theta2 * p.Theta2)
		}
	case p.K > 1:
		q.Tied, q.Minus.Ratio = true, 1/float64(p.K)
	}
	if p.Groups != nil {
		q.Groups = slices.Max(p.Groups) + 1
		for _, side := range []*Side{&q.Plus, &q.Minus} {
			for _, i := range side.Examples {
				side.GroupOf = append(side.GroupOf, p.Groups[i])
			}
			side.Ratios = slices.Repeat([]float64{side.Ratio}, q.Groups)
		}
	}
	return q
}

// dual returns the variables of each example.
func dual(q *Problem, s *Solver) (alpha, beta []float64) {
	alpha, beta = make([]float64, q.K.Len()), make([]float64, q.K.Len())
	plus, minus := s.V()
	for u, i := range q.Plus.Examples {
		alpha[i] = plus[u]
	}
	for u, i := range q.Minus.Examples {
		beta[i] = minus[u]
	}
	return alpha, beta
}

func dense(t testing.TB, k vec.Matrix[float64], workers int) System {
	t.Helper()
	s, err := NewDense(k, workers)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func features(t testing.TB, p ranktruth.Problem, workers int) System {
	t.Helper()
	s, err := NewFeatures(&dataset.Dense[float64]{Matrix: ranktruth.Features[float64](p)}, workers)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// optimal takes at most 30 steps and fails unless the primal and the dual value, by their formulas, come to a relative
// gap of tol, where the dual variables miss the domain by at most slack of their sum. With a tol below 1e-6, what
// rounding alone may do to the values is allowed besides: a score is off by (n+4)u Σ|terms|, and the losses by C times
// that, and by its square.
func optimal(t *testing.T, p ranktruth.Problem, k vec.Matrix[float64], system System, tol float64) {
	t.Helper()
	q := problemOf(p, system)
	s, err := New(q)
	if err != nil {
		t.Fatal(err)
	}
	most := 0.0
	for i := range k.Rows {
		most = max(most, k.Row(i)[i])
	}
	best, missed := math.Inf(1), 0.0
	for range 30 {
		if err := s.Step(); err != nil {
			t.Fatalf("%s: %v, the gap is %v", p.Name, err, best)
		}
		alpha, beta := dual(&q, s)
		primal, value, _ := p.Values(k, alpha, beta)
		n := float64(k.Rows)
		off := 2 * p.Theta1 * (n + 4) * math.Ldexp(most*(vec.Sum(alpha)+vec.Sum(beta)), -53)
		rounding := p.C * n * off * (2 + off)
		if tol >= 1e-6 {
			rounding = 0
		}
		best, missed = math.Abs(primal-value)/primal, p.Infeasible(alpha, beta)
		if best <= tol+rounding/primal && missed <= slack {
			return
		}
	}
	t.Errorf("%s: after 30 steps the gap is %v, outside of the domain %v, mu %v", p.Name, best, missed, s.mu)
}

// TestTruth: all problems with known optima, the linear ones by features as well.
func TestTruth(t *testing.T) {
	for _, p := range ranktruth.Read(t, filepath.Join("..", "..", "toprank", "testdata")) {
		k := p.Gram()
		optimal(t, p, k, dense(t, k, 1), 1e-8)
		if p.Kernel == (kernel.Linear{}) {
			optimal(t, p, k, features(t, p, 1), 1e-8)
		}
	}
}

// TestRandom: problems of 3 to 60 examples in every variant, with a kernel, and linear by either System: K is of a
// small rank there.
func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{3, 7, 20, 60} {
		for range 5 {
			draw := ranktruth.Draw(rng, n, 1+rng.IntN(5))
			for _, p := range draw.Variants() {
				k := p.Gram()
				optimal(t, p, k, dense(t, k, 2), 1e-8)
				p.Kernel = kernel.Linear{}
				k = p.Gram()
				optimal(t, p, k, dense(t, k, 2), 1e-8)
				optimal(t, p, k, features(t, p, 2), 1e-8)
			}
		}
	}
}

// TestLimits: one positive and one negative example, duplicates, all scores equal, as many caps as variables, at small
// and large C.
func TestLimits(t *testing.T) {
	for _, special := range ranktruth.Special(rand.New(rand.NewPCG(1, 2))) {
		for _, p := range special.Variants() {
			name := p.Name
			for _, p.C = range []float64{1e-8, 1, 1e8} {
				p.Name = fmt.Sprintf("%s, C = %g", name, p.C)
				k := p.Gram()
				optimal(t, p, k, dense(t, k, 1), 1e-8)
				if p.Kernel == (kernel.Linear{}) {
					optimal(t, p, k, features(t, p, 1), 1e-8)
				}
			}
		}
	}
}

// TestWine: every second red wine, the best qualities above the others, from 11 features. K is singular, and sums of
// 1e3 or 1e8 are borne by some ten variables, so that d is far below what rounding leaves of K.
func TestWine(t *testing.T) {
	p := wine(t, samples.RedWine[float64]())
	p.Kernel = kernel.Linear{}
	k := p.Gram()
	for _, p.C = range []float64{1, 1e5} {
		for _, p.Hinge = range []bool{false, true} {
			for _, c := range []int{1, 5, 0} {
				p.K, p.PatMat = c, c == 0
				p.Name = fmt.Sprintf("C = %g, hinge %t, K = %d", p.C, p.Hinge, c)
				optimal(t, p, k, features(t, p, 2), 1e-6)
				if !testing.Short() {
					optimal(t, p, k, dense(t, k, 2), 1e-6)
				}
			}
		}
	}
}

// wine is every second wine, standardised; wines of quality 7 and above are positive.
func wine(t testing.TB, wine *dataset.Labeled[*dataset.Dense[float64]]) ranktruth.Problem {
	t.Helper()
	scaling, err := dataset.Standardize(wine.X)
	if err != nil {
		t.Fatal(err)
	}
	if wine.X, err = wine.X.Scaled(scaling); err != nil {
		t.Fatal(err)
	}
	p := ranktruth.Problem{C: 1, Theta1: 1, Theta2: 1, Tau: .1}
	for i := 0; i < wine.X.Rows; i += 2 {
		p.X = append(p.X, wine.X.Row(i))
		p.Positive = append(p.Positive, wine.Classes[wine.Y[i]] >= "7")
	}
	return p
}

// TestIllConditioned: a constant feature so large that nothing else is left of K, as numbers go, ends steps by an
// error, and never leads to numbers that are not finite and positive.
func TestIllConditioned(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, constant := range []float64{1e6, 1e8, 1e10, 1e15, 1e100} {
		for _, p := range ranktruth.Draw(rng, 30, 4).Variants() {
			p.Kernel = kernel.Linear{}
			for i := range p.X {
				p.X[i] = append(slices.Clone(p.X[i][:4]), constant)
			}
			for _, system := range []System{dense(t, p.Gram(), 1), features(t, p, 1)} {
				s, err := New(problemOf(p, system))
				if err != nil {
					t.Fatal(err)
				}
				for step := range 300 {
					failed := s.Step()
					plus, minus := s.V()
					for _, v := range append(slices.Clone(plus), minus...) {
						if !(v > 0 && v < math.Inf(1)) {
							t.Fatalf("%s, a constant of %g: %v after %d steps, %v", p.Name, constant, v, step, failed)
						}
					}
					if failed != nil {
						break
					}
				}
			}
		}
	}
}
