package loss

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestNewCoupling: R as the kernel reads it is R, with zeros behind each row, and visits are the same to the bit as
// with an R that is copied: one whose rows have other numbers behind them.
func TestNewCoupling(t *testing.T) { prove.Both(t, testNewCoupling[float32], testNewCoupling[float64]) }

func testNewCoupling[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(201, 202))
	for _, m := range []int{1, 5, 16, 22, 70} {
		r := vec.NewMatrix[float64](m, m)
		within := vec.NewMatrix[T](m, padded[T](m)+16)
		for i := range within.Data {
			within.Data[i] = 7
		}
		for l := range m {
			for k := range l + 1 {
				v := float64(T(rng.Float64() / float64(m)))
				if k == l {
					v = 1
				}
				r.Row(l)[k], r.Row(k)[l] = v, v
			}
		}
		made, other := NewCoupling[T](r), within.Slice(0, m, 0, m)
		if copied := padded[T](m) > m; !isPadded(&made) || isPadded(&other) == copied {
			t.Fatalf("m = %d: rows with zeros behind them %t, with others %t, want true and %t", m, isPadded(&made),
				isPadded(&other), !copied)
		}
		for l := range m {
			vec.Convert(other.Row(l), r.Row(l))
			if !slices.Equal(made.Row(l), other.Row(l)) {
				t.Fatalf("m = %d: row %d is %v, want %v", m, l, made.Row(l), other.Row(l))
			}
		}
		var y []int
		s := make([]T, m)
		for l := range m {
			if s[l] = T(rng.NormFloat64()); rng.IntN(3) == 0 {
				y = append(y, l)
			}
		}
		var blocks, deltas [2][]T
		for k, coupling := range []vec.Matrix[T]{made, other} {
			var w Workspace[T]
			blocks[k], deltas[k] = make([]T, m), make([]T, m)
			LabelHinge[T]{&Label[T]{Coupling: coupling}}.Visit(blocks[k], s, y, 2, 1, 0, -1, deltas[k], &w)
		}
		if !slices.Equal(blocks[0], blocks[1]) || !slices.Equal(deltas[0], deltas[1]) {
			t.Errorf("m = %d: %v and %v, want the same", m, blocks, deltas)
		}
	}
}

// TestCoupledShared: visits that share a Workspace, of losses with costs and margins and without, of several weights,
// leave what a plain loop says: each label at its optimum with the moves before it.
func TestCoupledShared(t *testing.T) {
	rng := rand.New(rand.NewPCG(203, 204))
	var w Workspace[float64]
	for _, m := range []int{3, 9, 70} {
		r, costs := vec.NewMatrix[float64](m, m), make([]float64, m)
		for l := range m {
			for k := range l {
				v := rng.NormFloat64() / float64(m)
				r.Row(l)[k], r.Row(k)[l] = v, v
			}
			r.Row(l)[l], costs[l] = 1+rng.Float64(), .5+rng.Float64()
		}
		margin := func(i, c int) float64 { return 1 + float64((i+c)%3)/4 }
		plain := &Label[float64]{Coupling: r}
		full := &Label[float64]{Coupling: NewCoupling[float64](r), Costs: costs,
			Margins: func(i int, margins, _ []float64) {
				for c := range margins {
					margins[c] = margin(i, c)
				}
			}}
		losses := []Loss[float64]{LabelHinge[float64]{plain}, LabelHinge[float64]{full}, SquaredHinge[float64]{plain}}
		for i := range 200 {
			weight, h, y := []float64{.5, .75}[rng.IntN(2)], math.Exp(rng.NormFloat64()), drawSet(rng, m, true)
			l := losses[rng.IntN(3)]
			u, hi, bend := make([]float64, m), make([]float64, m), 0.0
			for c := range m {
				u[c], hi[c] = 1, weight
				if labelOf(l) == full {
					u[c], hi[c] = margin(i, c), weight*costs[c]
				}
			}
			if _, squared := l.(SquaredHinge[float64]); squared {
				bend = 1 / (2 * weight)
			}
			a, s, delta := make([]float64, m), make([]float64, m), make([]float64, m)
			for c := range m {
				a[c], s[c] = -hi[c]*float64(rng.IntN(3))/2, 2*rng.NormFloat64()
			}
			for _, c := range y {
				a[c] = -a[c]
			}
			want := coupledByHand(a, s, y, u, hi, &r, h, bend)
			w.Example = i
			if l.Visit(a, s, y, h, weight, 0, -1, delta, &w); !within(a, want, 1e-12) {
				t.Fatalf("m = %d, visit %d of %T, weight %v: %v, want %v", m, i, l, weight, a, want)
			}
		}
	}
}

// coupledByHand returns the dual variables after a visit, of the square where bend is not 0.
func coupledByHand(a, s []float64, y []int, u, hi []float64, r *vec.Matrix[float64], h, bend float64) []float64 {
	after, moves := slices.Clone(a), make([]float64, len(a))
	for c, v := range a {
		t := -1.0
		if slices.Contains(y, c) {
			t = 1
		}
		x, q, most := t*v, u[c]-t*s[c], hi[c]
		if bend > 0 {
			most = math.Inf(1)
		}
		if q > 0 && x == most || q <= 0 && x == 0 { // nothing to gain before the others move
			continue
		}
		z := x + (q-t*h*moves[c]-bend*x)/(h*r.At(c, c)+bend)
		z = min(max(z, 0), most)
		after[c] = t * z
		vec.Axpy(t*(z-x), r.Row(c), moves)
	}
	return after
}

// within reports whether a is b within an error relative to 1 and the size of a number.
func within(a, b []float64, near float64) bool {
	for c, v := range a {
		if math.Abs(v-b[c]) > near*(1+math.Abs(v)) {
			return false
		}
	}
	return true
}
