package interior

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
)

// residuals returns what the equations of the point are short of 0, in any order that stays.
func (s *Solver) residuals() (r []float64) {
	for _, h := range s.sides {
		r = append(r, h.rv...)
		for u := range h.w {
			if h.bounded {
				r = append(r, h.slackResidual(u, s.s[h.group[u]]))
			}
		}
	}
	for g := range s.s {
		r = append(r, s.rs[g], s.ry[g][0], s.ry[g][1])
	}
	return r
}

// TestDirection: whatever is subtracted from the targets of products, the direction solves the linear equations, and a
// step of a leaves 1-a of what they lack: all of it where they are linear, up to O(a²) where s divides. mu is the mean
// of the products.
func TestDirection(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	problems := grouped()
	for range 5 {
		problems = append(problems, ranktruth.Draw(rng, 12, 3).Variants()...)
	}
	for _, p := range problems {
		system := dense(t, p.Gram(), 1)
		if p.Groups != nil {
			system = features(t, p, 1)
		}
		for steps := range 3 {
			s, err := New(problemOf(p, system))
			if err != nil {
				t.Fatal(err)
			}
			for range steps {
				if err := s.Step(); err != nil {
					t.Fatal(err)
				}
			}
			checkDirection(t, rng, p.Name, s)
		}
	}
}

func checkDirection(t *testing.T, rng *rand.Rand, name string, s *Solver) {
	t.Helper()
	if err := s.prepare(); err != nil {
		t.Fatal(err)
	}
	var products, wants []float64
	sum := 0.0
	s.eachPair(func(x, y *float64, _, _ float64, c *float64) {
		*c = s.mu * rng.NormFloat64()
		products, wants = append(products, *x**y), append(wants, .3*s.mu-*c)
		sum += *x * *y
	})
	if mean := sum / float64(len(products)); !(math.Abs(s.mu-mean) <= 1e-12*mean) {
		t.Errorf("%s: mu = %v, want %v", name, s.mu, mean)
	}
	s.setDirection(.3 * s.mu)
	size := 1.0
	for _, h := range s.sides {
		for u, v := range h.v {
			for _, x := range []float64{h.Linear, h.z[u], h.Quadratic * v, s.f[h.Examples[u]], v, h.dv[u], h.w[u]} {
				size = max(size, math.Abs(x))
			}
		}
	}
	s.eachPair(func(x, y *float64, dx, dy float64, _ *float64) {
		if got := *x**y + *x*dy + *y*dx; !(math.Abs(got-wants[0]) <= 1e-9*(s.mu+math.Abs(*x*dy)+math.Abs(*y*dx))) {
			t.Errorf("%s: a product goes to %v, want %v", name, got, wants[0])
		}
		size, wants = max(size, math.Abs(dx), math.Abs(dy)), wants[1:]
	})
	a := 1.0
	if s.p.Curve > 0 {
		a = 1e-6
	}
	before := s.residuals()
	s.move(a)
	s.measure()
	for i, r := range s.residuals() {
		if want := (1 - a) * before[i]; !(math.Abs(r-want) <= 1e-9*size) {
			t.Errorf("%s: residual %d is %v, want %v up to %v; it was %v", name, i, r, want, 1e-9*size, before[i])
		}
	}
}
