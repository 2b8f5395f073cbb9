package pairs

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/interior"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// problems are of every kind that the scalar has, on n examples, every third of them in Plus and the others in Minus;
// in the last one Minus has all.
func problems(n int) map[string]interior.Problem {
	var plus, minus, all []int
	for i := range n {
		all = append(all, i)
		if i%3 == 0 {
			plus = append(plus, i)
		} else {
			minus = append(minus, i)
		}
	}
	bounded := interior.Side{Examples: plus, Linear: 1, Upper: .7}
	bent := interior.Side{Examples: plus, Linear: 1, Quadratic: .8}
	return map[string]interior.Problem{
		"no scalar":           {Plus: bent, Minus: interior.Side{Examples: minus}},
		"tied sums":           {Plus: bent, Minus: interior.Side{Examples: minus, Ratio: .2}, Tied: true},
		"tied sums, bounds":   {Plus: bounded, Minus: interior.Side{Examples: minus, Ratio: .2}, Tied: true},
		"a cost":              {Plus: bounded, Minus: interior.Side{Examples: minus, Linear: .5, Ratio: 2}, Cost: 3},
		"a cost and a curve":  {Plus: bent, Minus: interior.Side{Examples: minus, Linear: .5}, Cost: 3, Curve: .3},
		"both sides the same": {Plus: bounded, Minus: interior.Side{Examples: all, Linear: .5, Ratio: 2}, Cost: 6},
	}
}

func matrix[T vec.Float](t testing.TB, n int) *kernel.Matrix[T] {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	x := vec.NewMatrix[T](n, 3)
	for i := range x.Data {
		x.Data[i] = T(rng.NormFloat64())
	}
	k, err := kernel.New(&dataset.Dense[T]{Matrix: x}, kernel.Gaussian{Gamma: .5}, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// value is the objective that p minimises, at the variables of s, from scratch.
func value[T vec.Float](s *Solver[T], p interior.Problem) float64 {
	n := s.Kernel().Len()
	c, sums, curve := make([]float64, n), 0.0, 0.0
	s.Duals(func(side, i int, v float64) {
		c[i] += float64(1-2*side) * v
		of := []interior.Side{p.Plus, p.Minus}[side]
		sums += of.Quadratic/2*v*v - of.Linear*v
		curve += float64(side) * p.Curve / 2 * v * v
	})
	if p.Cost > 0 {
		sums += p.Cost * s.Scalar()
	}
	if p.Curve > 0 {
		sums += curve / s.Scalar()
	}
	rows, all := vec.NewMatrix[T](n, n), make([]int, n)
	for i := range all {
		all[i] = i
	}
	s.Kernel().Rows(rows, all, 1)
	for i, v := range c {
		for j, w := range c {
			sums += v * w * float64(rows.At(i, j)) / 2
		}
	}
	return sums
}

// none judges nothing.
func none(_, _, _, _ []float64, norm float64) (solvers.Certificate, float64) {
	return solvers.Certificate{Primal: 1, Dual: 0}, 0
}

// optimum is what package interior comes to.
func optimum(t *testing.T, k *kernel.Matrix[float64], p interior.Problem) (v [2][]float64) {
	t.Helper()
	n := k.Len()
	rows, all := vec.NewMatrix[float64](n, n), make([]int, n)
	for i := range all {
		all[i] = i
	}
	k.Rows(rows, all, 1)
	dense, err := interior.NewDense(rows, 1)
	if err != nil {
		t.Fatal(err)
	}
	p.K = dense
	s, err := interior.New(p)
	if err != nil {
		t.Fatal(err)
	}
	for steps := 0; steps < 30 && s.Step() == nil; steps++ {
	}
	v[0], v[1] = s.V()
	return v
}

// TestSolver: pair steps reach the optimum that the interior point method finds, in every kind of problem; from there
// scores are the scores of the variables, and bounds and sums hold.
func TestSolver(t *testing.T) {
	const n = 45
	for name, p := range problems(n) {
		k := matrix[float64](t, n)
		want := optimum(t, k, p)
		s := New(k, p, none, .1, 1)
		s.began = math.MaxInt32 // so that they are never slow
		s.Begin(1)
		for range 60 {
			s.Train(500)
		}
		other := New(k, p, none, .1, 1)
		at := [2]map[int]float64{{}, {}}
		for side, of := range []interior.Side{p.Plus, p.Minus} {
			for u, i := range of.Examples {
				at[side][i] = want[side][u]
			}
		}
		other.Set(func(side, i int) float64 { return at[side][i] }, make([]float64, n), s.Scalar())
		if got, want := value(s, p), value(other, p); !(got <= want+1e-6*math.Abs(want)) {
			t.Errorf("%s: %v after %d steps, want at most %v", name, got, s.Steps(), want)
		}
		sums := [2]float64{}
		s.Duals(func(side, i int, v float64) {
			sums[side] += v
			of := []interior.Side{p.Plus, p.Minus}[side]
			if most := of.Upper + of.Ratio*s.Scalar(); most > 0 && !(v <= most*(1+1e-12)) {
				t.Errorf("%s: variable %v of example %d, want at most %v", name, v, i, most)
			}
		})
		if math.Abs(sums[0]-sums[1]) > 1e-10*sums[0] || p.Tied && math.Abs(sums[0]-s.Scalar()) > 1e-10*sums[0] {
			t.Errorf("%s: sums %v at the scalar %v", name, sums, s.Scalar())
		}
		f := append([]float64(nil), s.Scores()...)
		s.Rescore()
		for i, v := range s.Scores() {
			if math.Abs(v-f[i]) > 1e-10*sums[0] {
				t.Errorf("%s: the score of example %d is %v, want %v", name, i, f[i], v)
			}
		}
	}
}

// TestState: a Solver that loads what another saved takes the same steps to the bit; also inside package interior.
func TestState(t *testing.T) {
	const n = 30
	for name, p := range problems(n) {
		for _, tryInterior := range []bool{false, true} {
			k := matrix[float64](t, n)
			s := New(k, p, none, .1, 1)
			s.tryInterior = tryInterior
			s.Begin(1)
			for range 3 {
				s.Train(20)
			}
			var file bytes.Buffer
			w := container.NewWriter(&file, "test", 1)
			s.Save(w)
			if _, err := w.Close(); err != nil {
				t.Fatal(err)
			}
			r, err := container.Open(&file)
			if err != nil {
				t.Fatal(err)
			}
			again := New(k, p, none, .1, 1)
			again.Load(r)
			if err := r.Close(); err != nil || again.tryInterior != tryInterior {
				t.Fatalf("%s: tryInterior %t, want %t, %v", name, again.tryInterior, tryInterior, err)
			}
			for range 3 {
				s.Train(20)
				again.Train(20)
			}
			for i, v := range s.Scores() {
				if again.Scores()[i] != v || again.Steps() != s.Steps() || again.Scalar() != s.Scalar() ||
					s.Interior() != tryInterior {
					t.Fatalf("%s: score %v of example %d, want %v", name, again.Scores()[i], i, v)
				}
			}
		}
	}
}

// TestAgain: a Solver of other examples goes on with the method, the counts and the violation of the last one.
func TestAgain(t *testing.T) {
	for _, tryInterior := range []bool{false, true} {
		p, k := problems(30)["a cost and a curve"], matrix[float64](t, 30)
		last, s := New(k, p, none, .1, 1), New(k, p, none, .1, 1)
		last.tryInterior = tryInterior
		last.Begin(1)
		last.Train(20)
		last.Train(20)
		s.Begin(1)
		s.Again(last)
		if s.eps != last.eps || s.count != last.count || s.began != last.began || s.scalar.tries != last.scalar.tries {
			t.Errorf("%+v after %+v", s.scalar, last.scalar)
		}
		if s.Train(20); s.Interior() != tryInterior {
			t.Errorf("interior steps: %t, want %t", s.Interior(), tryInterior)
		}
	}
}

// TestAllocations: a pair step allocates nothing.
func TestAllocations(t *testing.T) {
	k := matrix[float32](t, 60)
	s := New(k, problems(60)["a cost"], none, .1, 1)
	s.Begin(1)
	rows, all := vec.NewMatrix[float32](60, 60), make([]int, 60)
	for i := range all {
		all[i] = i
	}
	k.Rows(rows, all, 1) // so that they are kept
	if got := prove.Allocs(20, func() {
		_, e := s.violation()
		s.step(e)
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

// TestExhausted: where rounding allows no more steps of package interior, pair steps continue, also from a state. The
// method is not asked again, which would cost a decomposition and lower the violation each time.
func TestExhausted(t *testing.T) {
	const n = 30
	for name, p := range problems(n) {
		k := matrix[float64](t, n)
		s := New(k, p, none, .1, 1)
		s.tryInterior = true
		s.Begin(1)
		for calls := 0; s.Steps() == 0 && calls < 200; calls++ {
			s.Train(20)
		}
		if s.Steps() == 0 || !s.interior.exhausted {
			t.Errorf("%s: %d pair steps, package interior exhausted: %t", name, s.Steps(), s.interior.exhausted)
			continue
		}
		var file bytes.Buffer
		w := container.NewWriter(&file, "test", 1)
		s.Save(w)
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := container.Open(&file)
		if err != nil {
			t.Fatal(err)
		}
		again := New(k, p, none, .1, 1)
		again.Load(r)
		if err := r.Close(); err != nil || !again.interior.exhausted {
			t.Errorf("%s: a state of pair steps after package interior: exhausted %t, %v", name,
				again.interior.exhausted, err)
		}
	}
}

// TestGroups: each run of neighbours of a side is one group.
func TestGroups(t *testing.T) {
	k := matrix[float64](t, 12)
	p := interior.Problem{Plus: interior.Side{Examples: []int{0, 1, 2, 5, 7, 8}, Linear: 1, Quadratic: .8},
		Minus: interior.Side{Examples: []int{3, 4, 6, 9, 10, 11}}}
	s := New(k, p, nil, 1, 1)
	var got [][3]int
	for _, g := range s.groups {
		got = append(got, [3]int{g.side, g.from, len(g.x)})
	}
	if want := [][3]int{{0, 0, 3}, {0, 5, 1}, {0, 7, 2}, {1, 3, 2}, {1, 6, 1}, {1, 9, 3}}; !slices.Equal(got, want) {
		t.Errorf("sides, first examples and sizes %v, want %v", got, want)
	}
}
