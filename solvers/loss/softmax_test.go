package loss

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestSoftmaxKernels: a visit by kernels ends where update does. That rounds the point b, which it projects, to T: by
// four units of numbers up to (|s_j| + |s_y|)/h + r. This moves t as much, and no x by more than both, to which the
// roundings of x itself add.
func TestSoftmaxKernels(t *testing.T) {
	t.Run("float64", testSoftmaxKernels[float64])
	t.Run("float32", testSoftmaxKernels[float32])
}

func testSoftmaxKernels[T vec.Float](t *testing.T) {
	trials(31, 3000, func(rng *rand.Rand, c trial[T]) {
		l, single := c.Loss.(TopKEntropy[T])
		multi, sets := c.Loss.(MultilabelSoftmax[T])
		if !(single && l.K == 1 || sets && len(c.y) > 0) {
			return
		}
		a, delta := slices.Clone(c.a), make([]T, len(c.a))
		term, size := c.Dual(c.a, c.y, c.r, c.w), 0.0
		for _, v := range c.s {
			size = max(size, 2*math.Abs(float64(v)))
		}
		tolerance := 16 * unit[T]() * (size/c.h + c.r)
		_, after, _ := c.Visit(c.a, c.s, c.y, c.h, c.r, term, math.Inf(-1), delta, c.w)
		var want float64
		if single {
			_, want, _ = Visit(l, a, c.s, c.y, c.h, c.r, term, math.Inf(-1), delta, c.w)
		} else {
			_, want, _ = Visit(multi, a, c.s, c.y, c.h, c.r, term, math.Inf(-1), delta, c.w)
		}
		for j, v := range c.a {
			within := tolerance
			if slices.Contains(c.y, j) { // the sum of the others
				within *= float64(len(a))
			}
			if !(math.Abs(float64(v-a[j])) <= within) {
				t.Fatalf("%v: %v without kernels, within %v", c, a, within)
			}
		}
		if !(math.Abs(after-want) <= 800*float64(len(a))*tolerance) { // |log p| is at most 800 where p counts
			t.Fatalf("%v: dual term %v, without kernels %v", c, after, want)
		}
	})
}

// TestSoftmaxSolves: of visits in the middle of a training the kernels solve all.
func TestSoftmaxSolves(t *testing.T) {
	for _, m := range []int{10, 26, 101} {
		var w Workspace[float32]
		delta := make([]float32, m)
		for i, v := range record[float32](TopKEntropy[float32]{K: 1}, m, 2) {
			w.softmax.problem.Shift = math.NaN()
			_, _, moved := TopKEntropy[float32]{K: 1}.Visit(v.a, v.s, v.y, v.h, v.r, v.term, v.least, delta, &w)
			if q := w.softmax.problem; !moved || q.Shift-q.Shift != 0 || !(q.Sum > 0) {
				t.Fatalf("m = %d, visit %d: %+v", m, i, q)
			}
		}
	}
}

// TestSoftmaxHostile: scores and weights that the kernels refuse, or are not asked about, take the plain way.
func TestSoftmaxHostile(t *testing.T) {
	for _, c := range []struct {
		s    []float64
		h, r float64
	}{
		{[]float64{0, math.Inf(-1), 1}, 1, 1}, {[]float64{0, 1, 2}, 1e-60, 1}, {[]float64{0, 1, 2}, 1, 1e-60},
		{[]float64{0, 1, 2}, 1e30, 1}, {[]float64{1000, -1000, 0}, 1, 1}, {[]float64{-1e300, 1e300, 0}, 1, 1},
	} {
		for _, l := range []Loss[float64]{TopKEntropy[float64]{K: 1}, MultilabelSoftmax[float64]{}} {
			var w Workspace[float64]
			a, delta := make([]float64, 3), make([]float64, 3)
			gap, after, moved := l.Visit(a, c.s, []int{0}, c.h, c.r, 0, math.Inf(-1), delta, &w)
			if math.IsNaN(gap) {
				if moved || !slices.Equal(a, make([]float64, 3)) {
					t.Errorf("%T %+v: a gap of NaN, and a = %v", l, c, a)
				}
				continue
			}
			for j, v := range a {
				if v != delta[j] || v-v != 0 || j > 0 && !(v <= 0) || !(math.Abs(v) <= c.r) {
					t.Errorf("%T %+v: a = %v by %v", l, c, a, delta)
				}
			}
			if dual := l.Dual(a, []int{0}, c.r, &w); !(math.Abs(after-dual) <= 0x1p-48*c.r) {
				t.Errorf("%T %+v: dual term %v, want %v", l, c, after, dual)
			}
		}
	}
}

// TestLogNear: log x as it is, of numbers near p and far from it. What rounds is log p and the sum, and in y the
// difference, which is exact where it is small, and the quotient.
func TestLogNear(t *testing.T) {
	for x := 1e-30; x < 1e30; x *= 1.7 {
		for _, ratio := range []float64{1, 1 + 0x1p-52, 1 - 1e-9, 1.001, 0.99, 1.03, 0.97, 1.5, 1e-8} {
			p := x * ratio
			got, want := logNear(x, p, math.Log(p), 1.5), math.Log(x)-1.5
			if !(math.Abs(got-want) <= 0x1p-51*(math.Abs(math.Log(p))+2)) {
				t.Errorf("log %v, near %v: %v, want %v", x, p, got, want)
			}
		}
	}
}

// TestSoftmaxSum: where the true class has nothing left, the others, as they are rounded, sum to no more than r, but
// for the rounding of that sum.
func TestSoftmaxSum(t *testing.T) {
	t.Run("float64", testSoftmaxSum[float64])
	t.Run("float32", testSoftmaxSum[float32])
}

func testSoftmaxSum[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	var w Workspace[T]
	for m := 2; m < 130; m++ {
		for range 20 {
			s, y, r := draw[T](rng, m, 1), []int{rng.IntN(m)}, math.Exp(rng.NormFloat64())
			s[y[0]] -= 200
			a, delta := make([]T, m), make([]T, m)
			l := TopKEntropy[T]{K: 1}
			optimize[T](l, a, s, y, 1e-3, r, delta, &w)
			if sum := sumOthers(a, y[0]); !(sum <= r*(1+0x1p-51*float64(m))) || !(sum > r*(1-0x1p-20)) {
				t.Fatalf("m = %d: sum %v of at most %v", m, sum, r)
			}
			if v := (form[T]{k: 1, cone: true}).infeasible(a, y[0], r); v > 0x1p-51*float64(m) {
				t.Fatalf("m = %d: outside by %g", m, v)
			}
		}
	}
}
