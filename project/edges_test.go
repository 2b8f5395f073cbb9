package project

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestRadiusZero: the only point of a set of radius 0 is 0, exactly, whatever is projected.
func TestRadiusZero(t *testing.T) { each(t, testRadiusZero[float32], testRadiusZero[float64]) }

func testRadiusZero[T vec.Float](t *testing.T) {
	var w Workspace[T]
	for _, p := range projections[T]() {
		if uses := strings.Fields(p.uses); !slices.Contains(uses, "r") || slices.Contains(uses, "l") {
			continue
		}
		for _, d := range []int{1, 2, 5, 16, 17, 40, 300} {
			for name, fill := range fillings[T](d) {
				// Norms, or their sum, overflow.
				overflows := strings.Contains(p.name, "Ball") && (name == "largest" || name == "extreme")
				if strings.Contains(name, "Inf") || name == "NaN" || overflows {
					continue
				}
				for _, rel := range []Relation{Equal, AtMost} {
					a, x := make([]T, d), make([]T, d)
					for i := range a {
						a[i], x[i] = fill(i), 7
					}
					s := goodScalars()
					s.k, s.rel = min(s.k, d), rel
					p.call(x, a, s, &w) // leaves numbers in the workspace
					s.r = 0
					if text := refusal(func() error { return p.call(x, a, s, &w) }); text != "" {
						t.Fatalf("%s: %s", p.name, text)
					}
					if slices.ContainsFunc(x, func(v T) bool { return v != 0 }) {
						t.Fatalf("%s, %s, d = %d: %v", p.name, name, d, x)
					}
				}
			}
		}
	}
}

// TestMultipliersAtEdges: what is returned where there is nothing to compute. With r = 0 the multiplier of a ball is
// the dual norm of a.
func TestMultipliersAtEdges(t *testing.T) {
	inf, a, x := math.Inf(1), []float64{3, -4}, make([]float64, 2)
	var none []float64
	group := func(q, r float64, a []float64) float64 {
		return GroupBall(vec.MatrixOf(len(a), 1, x[:len(a)]), vec.MatrixOf(len(a), 1, a), q, r, nil)
	}
	knapsack := func(th Thresholds, err error) Thresholds {
		if err != nil {
			t.Error(err)
		}
		return th
	}
	for name, c := range map[string]struct{ got, want any }{
		"Simplex of nothing":          {Simplex(none, none, Equal, 2, nil), Thresholds{U: 2}},
		"Orthant of nothing":          {Orthant(none, none, 2, nil), Thresholds{U: inf}},
		"L1Ball of nothing":           {L1Ball(none, none, 2, nil), Thresholds{U: 2}},
		"L2Ball of nothing":           {L2Ball(none, none, 2), 0.0},
		"GroupBall of nothing":        {group(2, 1, nil), 0.0},
		"Knapsack of nothing, 0":      {knapsack(Knapsack(none, none, 0, 1, Equal, 0, nil)), Thresholds{U: 1}},
		"Knapsack of nothing, 2":      {knapsack(Knapsack(none, none, 0, 1, AtMost, 2, nil)), Thresholds{U: 1}},
		"EntropySimplex of nothing":   {EntropySimplex(none, none, 2, 1, nil), Thresholds{T: inf, U: 2, Lambda: inf}},
		"EntropySimplex with r = 0":   {EntropySimplex(x, a, 0, 1, nil), Thresholds{T: inf, Lambda: inf}},
		"TopKEntropy with r = 0":      {TopKEntropy(x, a, 2, 0, 1, 1, nil), Thresholds{T: inf}},
		"L2Ball with r = 0":           {L2Ball(x, a, 0), 5.0},
		"GroupBall, q = 1, r = 0":     {group(1, 0, a), 4.0},
		"GroupBall, q = 2, r = 0":     {group(2, 0, a), 5.0},
		"GroupBall, q = Inf, r = 0":   {group(inf, 0, a), 7.0},
		"Simplex with r = 0":          {Simplex(x, a, Equal, 0, nil), Thresholds{T: 3, Lambda: 3}},
		"TopKSimplexBeta with r = 0":  {TopKSimplexBeta(x, a, 1, 0, 1, nil), Thresholds{T: 3, Lambda: 3}},
		"TopKSimplex with r = 0":      {TopKSimplex(x, a, 1, 0, 1, nil), Thresholds{T: 3, Lambda: 3}},
		"TopKSimplex, r = 0, k = 2":   {TopKSimplex(x, []float64{3, 4}, 2, 0, 1, nil), Thresholds{T: 3, Lambda: 3.5}},
		"TopKSimplex, r = 0, small":   {TopKSimplex(x, []float64{0, .5}, 2, 0, 1, nil), Thresholds{Lambda: .25}},
		"TopKSimplex, negative, both": {TopKSimplex(x, []float64{-3, -4}, 2, 1, 1, nil), Thresholds{}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v, want %+v", name, c.got, c.want)
		}
	}
}

// TestOverflow: where sums of elements leave float64 all of dst becomes NaN, and so do the thresholds.
func TestOverflow(t *testing.T) {
	for _, d := range []int{3, 20, 200} {
		a, x := slices.Repeat([]float64{math.MaxFloat64}, d), make([]float64, d)
		for name, th := range map[string]func() Thresholds{
			"TopKCone": func() Thresholds { return TopKCone(x, a, 3, 1e-3, nil) },
			"GroupBall": func() Thresholds {
				return Thresholds{T: GroupBall(vec.MatrixOf(1, d, x), vec.MatrixOf(1, d, a), 2, 1, nil)}
			},
			"GroupBall sum": func() Thresholds {
				return Thresholds{T: GroupBall(vec.MatrixOf(d, 1, x), vec.MatrixOf(d, 1, a), 2, 1, nil)}
			},
			"L2Ball": func() Thresholds { return Thresholds{T: L2Ball(x, a, 1)} },
			"EntropySimplex": func() Thresholds {
				a[0] = -math.MaxFloat64
				defer func() { a[0] = math.MaxFloat64 }()
				return EntropySimplex(x, a, 0.5, math.MaxFloat64, nil)
			},
		} {
			for i := range x {
				x[i] = 7
			}
			got := th()
			if slices.ContainsFunc(x, func(v float64) bool { return v == v }) || got.T == got.T {
				t.Errorf("%s, d = %d: %v, %+v", name, d, x[:3], got)
			}
		}
	}
}
