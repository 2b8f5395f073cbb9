package oneclass

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// gathered is a storage without rows.
type gathered[T vec.Float] struct{ design.Matrix[T] }

// draw returns a problem of n examples of d features, the origin outside: dense, sparse, or by Gather alone.
func draw[T vec.Float](t testing.TB, n, d int, storage string, even bool) ascent.Problem[T] {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	x := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](n, d)}
	p := ascent.Problem[T]{X: x, Outputs: 1, Lambda: 1, Loss: loss.OneClass[T]{}, Exact: loss.OneClass[float64]{},
		Offset: true, Labels: family.Labels{Sets: make([][]int, n)}}
	for i := range n {
		for j := range d {
			if storage != "sparse" || rng.IntN(4) == 0 {
				x.Row(i)[j] = T(3 + rng.NormFloat64())
			}
		}
		r := 1.0
		if !even {
			r = []float64{0, .5, 1, 3}[rng.IntN(4)]
		}
		p.Radius = append(p.Radius, r)
		p.Sum += .2 * r
	}
	switch storage {
	case "sparse":
		sparse, err := x.CSR()
		if err != nil {
			t.Fatal(err)
		}
		p.X = sparse
	case "gathered":
		p.X = gathered[T]{x}
	}
	return p
}

var storages = []string{"dense", "sparse", "gathered"}

func begin[T vec.Float](t testing.TB, p ascent.Problem[T]) *solver[T] {
	t.Helper()
	s, err := New(p, ascent.Options{Options: solvers.Options{Tol: 1e-9, Workers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return s.(*solver[T])
}

// row returns example i.
func row[T vec.Float](p ascent.Problem[T], i int) []float64 {
	_, d := p.X.Dims()
	narrow, wide := vec.NewMatrix[T](1, d), make([]float64, d)
	p.X.Gather(narrow, []int{i})
	vec.Convert(wide, narrow.Data)
	return wide
}

// TestStep: a step is the best one of its pair, keeps the sum and the bounds, and moves w as it has to.
func TestStep(t *testing.T) { prove.Both(t, testStep[float32], testStep[float64]) }

func testStep[T vec.Float](t *testing.T) {
	for _, storage := range storages {
		p := draw[T](t, 40, 12, storage, false)
		s := begin(t, p)
		s.begin()
		rng, inside := rand.New(rand.NewPCG(1, 2)), 0
		for k := range s.w { // any w, so that some steps end between bounds
			s.w[k] = rng.NormFloat64()
		}
		for range 400 {
			i, j := rng.IntN(40), rng.IntN(40)
			if i == j {
				continue
			}
			xi, xj, was := row(p, i), row(p, j), append([]float64(nil), s.w...)
			ai, aj := s.a[i], s.a[j]
			slope, curve, size := 0.0, 0.0, 0.0
			for k := range xi {
				slope += was[k] * (xj[k] - xi[k])
				curve += (xi[k] - xj[k]) * (xi[k] - xj[k])
				size += math.Abs(was[k]) * (math.Abs(xi[k]) + math.Abs(xj[k]))
			}
			want := min(max(slope/curve, -ai, aj-s.r[j]), s.r[i]-ai, aj)
			got := s.step(i, j)
			// 12 products and their sums; h loses what its three terms are larger by, 2^10 here at most
			off := 0x1p-52 * 16 * (size/curve + 0x1p10*math.Abs(want) + ai + aj)
			if !(math.Abs(got-want) <= off) {
				t.Fatalf("%s: step %v, want %v ± %v", storage, got, want, off)
			}
			if v := s.a[i] + s.a[j]; math.Abs(v-ai-aj) > 0x1p-51*(ai+aj) || s.a[i] < 0 || s.a[i] > s.r[i] ||
				s.a[j] < 0 || s.a[j] > s.r[j] {
				t.Fatalf("%s: %v and %v, of %v and %v", storage, s.a[i], s.a[j], ai, aj)
			}
			if got != 0 && s.a[i] > 0 && s.a[i] < s.r[i] && s.a[j] > 0 && s.a[j] < s.r[j] {
				inside++
			}
			for k := range xi {
				to := was[k] + got*(xi[k]-xj[k])
				if math.Abs(s.w[k]-to) > 0x1p-50*(math.Abs(was[k])+math.Abs(got)*(math.Abs(xi[k])+math.Abs(xj[k]))) {
					t.Fatalf("%s: w_%d = %v, want %v", storage, k, s.w[k], to)
				}
			}
		}
		if inside < 5 {
			t.Errorf("%s: %d steps between bounds", storage, inside)
		}
	}
}

// value returns the losses at the scores g - rho, and N b.
func value(r, g []float64, sum, rho float64) float64 {
	v := -sum * rho
	for i := range g {
		v += r[i] * max(0, rho-g[i])
	}
	return v
}

// TestThreshold: no score is a better threshold, and the gap is P - D; weights may be 0, scores equal.
func TestThreshold(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, even := range []bool{true, false} {
		for round := range 50 {
			s := begin(t, draw[float64](t, 30, 3, "dense", even))
			s.p.Sum *= 5 * rng.Float64()
			s.begin()
			if round%2 == 0 {
				for i := range s.g {
					s.g[i] = float64(rng.IntN(7))
				}
			}
			s.all()
			s.measure()
			got := value(s.r, s.g, s.p.Sum, s.rho)
			for _, rho := range s.g {
				if want := value(s.r, s.g, s.p.Sum, rho); got > want+1e-12*(1+math.Abs(want)) {
					t.Fatalf("threshold %v: %v, at %v %v", s.rho, got, rho, want)
				}
			}
			if round%2 == 1 {
				if gap := got + vec.SquaredNorm(s.w); math.Abs(s.gap-gap) > 1e-10*s.square {
					t.Errorf("gap %v, want %v", s.gap, gap)
				}
			}
		}
	}
}

// TestRounds: |w|² never rises, and training comes to 1e-9, on any storage, with and without a sample.
func TestRounds(t *testing.T) { prove.Both(t, testRounds[float32], testRounds[float64]) }

func testRounds[T vec.Float](t *testing.T) {
	for _, storage := range storages {
		for _, n := range []int{60, 700} {
			s := begin(t, draw[T](t, n, 12, storage, n == 700))
			last, best := math.Inf(1), math.Inf(1)
			for round := 0; best > 1e-9; round++ {
				if round == 2000 {
					t.Fatalf("%s: %v after %d rounds", storage, s.Estimate(), round)
				}
				s.Epoch(context.Background())
				if s.square > last*(1+1e-13) {
					t.Fatalf("%s, round %d: |w|² from %v to %v", storage, round, last, s.square)
				}
				last = s.square
				if s.gap <= 1e-9*s.square {
					for i := range s.n { // all of them
						s.g[i] = vec.Dot(row(s.p, i), s.w)
					}
					s.Reconsider()
					best = s.gap / s.square
				}
			}
		}
	}
}

// TestAllocations: a round allocates nothing.
func TestAllocations(t *testing.T) { prove.Both(t, testAllocations[float32], testAllocations[float64]) }

func testAllocations[T vec.Float](t *testing.T) {
	for _, storage := range []string{"dense", "sparse"} {
		s := begin(t, draw[T](t, 700, 12, storage, true))
		s.begin()
		s.sides()
		s.up.keys, s.up.of = make([]float64, 700), make([]int32, 700)
		s.low.keys, s.low.of = make([]float64, 700), make([]int32, 700)
		if got := prove.Allocs(10, s.round); got > 0 {
			t.Errorf("%s: %v allocations", storage, got)
		}
	}
}

// TestRefused: what the method is not for, and numbers that are not finite.
func TestRefused(t *testing.T) {
	p := draw[float64](t, 9, 2, "dense", true)
	p.Loss = loss.LabelHinge[float64]{}
	if _, err := New(p, ascent.Options{}); err == nil {
		t.Error("no error for two classes")
	}
	p = draw[float64](t, 9, 2, "dense", true)
	p.X.(*dataset.Dense[float64]).Row(3)[1] = math.NaN()
	if _, err := New(p, ascent.Options{}); err == nil || err.Error() !=
		"row 3, column 1: value NaN, want a finite number" {
		t.Error(err)
	}
}
