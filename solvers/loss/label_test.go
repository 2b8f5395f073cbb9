package loss

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// someLabels has costs, margins and least values of its own for up to 2000 labels.
func someLabels[T vec.Float]() *Label[T] {
	if l, ok := any(some32).(*Label[T]); ok {
		return l
	}
	return any(some64).(*Label[T])
}

var some32, some64 = makeLabels[float32](), makeLabels[float64]()

func makeLabels[T vec.Float]() *Label[T] {
	l := &Label[T]{Margins: func(i int, margins, least []float64) {
		for c := range margins {
			margins[c], least[c] = someMargin(i, c)
		}
	}}
	for c := range 2000 {
		l.Costs = append(l.Costs, []float64{1, .5, 2, .25}[c%4])
	}
	return l
}

// someCosts has the costs of someLabels alone.
func someCosts[T vec.Float]() *Label[T] {
	if l, ok := any(costs32).(*Label[T]); ok {
		return l
	}
	return any(costs64).(*Label[T])
}

var costs32, costs64 = &Label[float32]{Costs: some32.Costs}, &Label[float64]{Costs: some64.Costs}

func someMargin(i, c int) (margin, least float64) {
	return float64((3*c+i)%7)/4 - .25, float64(c%3) / 8
}

// boxes draws a block with 0 <= t_c a_c <= r v_c.
func boxes(costs []float64) func(rng *rand.Rand, m int, y []int, r float64) []float64 {
	return func(rng *rand.Rand, m int, y []int, r float64) []float64 {
		a := make([]float64, m)
		for c := range a {
			a[c] = -r * costOf(costs, c) * []float64{0, 1, rng.Float64()}[rng.IntN(3)]
		}
		for _, c := range y {
			a[c] = -a[c]
		}
		return a
	}
}

func costOf(costs []float64, c int) float64 {
	if costs == nil {
		return 1
	}
	return costs[c]
}

func outsideBoxes(costs []float64) func(a []float64, y []int, r float64) float64 {
	return func(a []float64, y []int, r float64) float64 {
		out := signs(a, y, r)
		for c, v := range a {
			out = max(out, math.Abs(v)/r-costOf(costs, c))
		}
		return out
	}
}

// plainLabels is the dual term of example 0, label by label.
func plainLabels[T vec.Float](l *Label[T], square bool) func(a []float64, y []int, r float64) float64 {
	return func(a []float64, _ []int, r float64) (sum float64) {
		for c, v := range a {
			margin, least, cost := 1.0, 0.0, 1.0
			if l != nil {
				margin, least = someMargin(0, c)
				cost = l.Costs[c]
			}
			sum += margin*math.Abs(v) + r*cost*least
			if square {
				sum -= v * v / (4 * r * cost)
			}
		}
		return sum
	}
}

// entropies is the dual term of the logistic loss, label by label.
func entropies(costs []float64) func(a []float64, y []int, r float64) float64 {
	return func(a []float64, _ []int, r float64) (sum float64) {
		for c, v := range a {
			p := math.Abs(v) / (r * costOf(costs, c))
			sum -= r * costOf(costs, c) * (plogp(p) + plogp(1-p))
		}
		return sum
	}
}

// TestMarginsOfExamples: margins are the margins of the example that the workspace names, in a visit too.
func TestMarginsOfExamples(t *testing.T) {
	l, w := LabelHinge[float64]{someLabels[float64]()}, new(Workspace[float64])
	s, a, y := []float64{.5, -2, .1}, make([]float64, 3), []int{1}
	for i := range 20 {
		w.Example = i
		want := 0.0
		for c, v := range s {
			margin, least := someMargin(i, c)
			sign := 1.0
			if c == 1 {
				sign = -1
			}
			want += l.Costs[c] * (least + max(0, margin+sign*v))
		}
		if got := l.Primal(s, y, w); math.Abs(got-want) > 1e-14 {
			t.Errorf("example %d: loss %v, want %v", i, got, want)
		}
		clear(a)
		l.Visit(a, s, y, .01, 1, l.Dual(a, y, 1, w), 0, make([]float64, 3), w)
		for c, v := range a {
			margin, _ := someMargin(i, c)
			sign := -1.0
			if c == 1 {
				sign = 1
			}
			if want := sign * min(max(0, (margin-sign*s[c])/.01), l.Costs[c]); math.Abs(v-want) > 1e-14 {
				t.Errorf("example %d, label %d: %v, want %v", i, c, v, want)
			}
		}
	}
}

// TestCoupledVisit: a visit moves labels in turn, each to its optimum with the moves before it; delta is the move times
// R, or by a factor Q times the move, and Quadratic grows as 1/2 <A, K A R> does.
func TestCoupledVisit(t *testing.T) {
	prove.Both(t, testCoupledVisit[float32], testCoupledVisit[float64])
}

func testCoupledVisit[T vec.Float](t *testing.T) {
	u := 0x1p-23
	if one := T(1); one+T(0x1p-40) != one {
		u = 0x1p-52
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		m, rank := 1+rng.IntN(9), 1+rng.IntN(4)
		p, ridge := quarters(rng, rank, m), []float64{0, .25}[rng.IntN(2)]
		r, factor := vec.NewMatrix[T](m, m), NewFactor[T](p, ridge)
		for c := range m {
			for d := range m {
				r.Row(c)[d] = T(vec.Dot(column(p, c), column(p, d)))
			}
			r.Row(c)[c] += T(ridge)
		}
		byR, byFactor := &Label[T]{Coupling: r}, &Label[T]{Factor: factor}
		for _, l := range []Loss[T]{LabelHinge[T]{byR}, SquaredHinge[T]{byR}, LabelHinge[T]{byFactor},
			SquaredHinge[T]{byFactor}, Logistic[T]{byR}, Logistic[T]{byFactor}} {
			var w Workspace[T]
			y, h := drawSet(rng, m, true), math.Exp(rng.NormFloat64())
			a := narrow[T](boxes(nil)(rng, m, y, .75))
			l.Repair(a, y, .75, &w)
			s, old, delta := draw[T](rng, m, 1), slices.Clone(a), make([]T, m)
			term := l.Dual(a, y, .75, &w)
			byFactor := labelOf(l).Factor != nil
			if byFactor {
				delta = make([]T, factor.Cols(m))
			}
			_, after, moved := l.Visit(a, s, y, h, .75, term, 0, delta, &w)
			terms := float64(m) // products and sums in T
			if byFactor {
				delta = factor.Scores(make([]T, m), delta)
				terms += float64(rank + 2) // and the ridge's two products
			}
			quadratic, size := 0.0, 1.0
			for c := range m {
				want, most := 0.0, 0.0
				for d := range m {
					want += float64(a[d]-old[d]) * float64(r.Row(d)[c])
					most += math.Abs(float64(a[d]-old[d]) * float64(r.Row(d)[c]))
				}
				if byFactor { // the terms are sums, too
					most = 0
					for d := range m {
						for k := range rank {
							most += math.Abs(float64(a[d]-old[d]) * p.At(k, d) * p.At(k, c))
						}
					}
					most += math.Abs(float64(a[c]-old[c])) * ridge
				}
				if bound := (terms + 2) * u * most; math.Abs(float64(delta[c])-want) > bound {
					t.Fatalf("delta %v of label %d, want %v ± %v", delta[c], c, want, bound)
				}
				step := float64(a[c] - old[c])
				quadratic += step * (float64(s[c]) + h*want/2)
				size += math.Abs(step) * (math.Abs(float64(s[c])) + h*most)
			}
			if bound := (terms + 4) * u * size; math.Abs(w.Quadratic-quadratic) > bound {
				t.Fatalf("quadratic term %v, want %v ± %v", w.Quadratic, quadratic, bound)
			}
			gain := after - term - quadratic
			if bound := (terms + 4) * u * size; gain < -bound || moved != !slices.Equal(a, old) {
				t.Fatalf("moved %v, gain %v", moved, gain)
			}
			// The label that moved last is at its optimum: nothing came after it.
			for c := m - 1; c >= 0; c-- {
				if a[c] == old[c] {
					continue
				}
				at := slices.Clone(a)
				score := func() T { return s[c] + T(h)*delta[c] }
				f := func(v T) float64 {
					at[c] = v
					step := float64(v - a[c])
					return l.Dual(at, y, .75, &w) - step*float64(score()) - h*float64(r.Row(c)[c])*step*step/2
				}
				best := f(a[c])
				for _, v := range []T{a[c] * .99, a[c] * 1.01} {
					if math.Abs(float64(v)) > .75 && l.Traits().Name != "squared hinge" {
						continue
					}
					if got := f(v); got > best+(terms+4)*u*size {
						t.Fatalf("label %d at %v: %v, better at %v: %v", c, a[c], best, v, got)
					}
				}
				break
			}
		}
	}
}

func labelOf[T vec.Float](l Loss[T]) *Label[T] {
	switch l := l.(type) {
	case LabelHinge[T]:
		return l.Label
	case Logistic[T]:
		return l.Label
	}
	return l.(SquaredHinge[T]).Label
}
