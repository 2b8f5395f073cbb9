package beam

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/x/beam/internal/fit"
)

// TestCentring: the loss and V of an ordinary pass are those that plain loops find on rows whose mean is taken away,
// of dense and of sparse rows; any mean will do.
func TestCentring(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	l := digits(t)
	n, d := l.X.Dims()
	csr, err := l.X.CSR()
	check(t, err)
	sets := make([][]int, n)
	for i := range sets {
		sets[i] = l.Y[i : i+1]
	}
	for _, bias := range []float64{0, -.75} {
		p, _, _ := smooth(t, bias)
		p.Lambda = 1
		c := centring{make([]float64, d), bias}
		for j := range c.mean {
			c.mean[j] = rng.NormFloat64()
		}
		w := vec.NewMatrix[float64](p.inputs(), p.Classes)
		for k := range w.Data {
			w.Data[k] = rng.NormFloat64() / 8
		}
		loss, gradient := softmax(centred(t, c.mean, bias), w.Data, p.Classes, 0)
		for _, rows := range []*block[float64]{{dense: l.X}, {sparse: csr}} {
			s, err := (&sample{rows, sets}).sums(c.problem(p), c.weights(w))
			check(t, err)
			c.sums(s)
			far, got := 0.0, flatten(s.V)
			for k, v := range gradient {
				far = max(far, math.Abs(v+got[k]))
			}
			if mean := s.Loss / float64(n); len(got) != len(gradient) || !near(mean, loss, 1e-12*loss) || far > 1e-12 {
				t.Errorf("Bias %v: loss %v, want %v; V differs by %v", bias, mean, loss, far)
			}
		}
	}
}

// TestTally: the mean of the rows, by plain loops, and the largest Lambda1, by tracenorm.
func TestTally(t *testing.T) {
	l := digits(t)
	want := meanOf(l.X.Matrix)
	for _, bias := range []float64{0, 1.5} {
		p, path, format := smooth(t, bias)
		p.Lambda = 1
		rows := split(t, path, format, 100)
		for _, raw := range []bool{false, true} {
			tr, _, err := newTraining(t.Context(), driver(t), p, TrainOptions{}, rows)
			check(t, err)
			tally, w := p.tally()
			s, err := tr.sumsAt(t.Context(), tally, w, 0)
			check(t, err)
			c := centring{s.mean(), bias}
			for j, v := range c.mean {
				if !near(v, want[j], 1e-13) {
					t.Errorf("mean %v of feature %d, want %v", v, j, want[j])
				}
			}
			if raw {
				clear(c.mean)
			}
			one := fit.NewTrace(fit.Data{X: l.X, Y: l.Y}, tracenorm.Config{Raw: raw, Bias: bias})
			largest, err := one.LargestLambda1()
			check(t, err)
			if got := c.atZero(s); !near(got, largest, 1e-12*largest) {
				t.Errorf("Bias %v, raw %v: %v, want %v", bias, raw, got, largest)
			}
		}
	}
}

// TestMixing: no other mixture of random gradients is shorter; gradients of which one is 0, or that are the same, are
// mixed too.
func TestMixing(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	length := func(all []visited, alpha []float64) float64 {
		sum := vec.NewMatrix[float64](5, 4)
		for k, a := range alpha {
			for j := range sum.Rows {
				vec.Axpy(a, all[k].r.Row(j), sum.Row(j))
			}
		}
		return math.Sqrt(square(sum))
	}
	var all []visited
	for n := 1; n <= 8; n++ {
		r := vec.NewMatrix[float64](5, 4)
		for k := range r.Data {
			r.Data[k] = rng.NormFloat64() * math.Pow(10, -float64(n))
		}
		all = append(all, visited{r: r})
		alpha := mixing(all)
		least := length(all, alpha)
		if sum := vec.Sum(alpha); !near(sum, 1, 1e-9) || least > (1+1e-12)*math.Sqrt(square(r)) {
			t.Errorf("sum %v, length %v of at most %v", sum, least, math.Sqrt(square(r)))
		}
		for range 100 {
			other, total := make([]float64, n), 0.0
			for k := range other {
				other[k] = rng.NormFloat64() * 1e-3
				total += other[k]
			}
			for k := range other {
				other[k] += alpha[k] - total/float64(n)
			}
			if got := length(all, other); got < least*(1-1e-6) {
				t.Errorf("%v has the length %v, %v has %v", alpha, least, other, got)
			}
		}
	}
	none := vec.NewMatrix[float64](5, 4)
	for name, pair := range map[string][]visited{"equal": {all[0], all[0]}, "0": {all[0], {r: none}}} {
		alpha := mixing(pair)
		most := math.Sqrt(square(all[0].r)) * (1 + 1e-9)
		if sum, got := vec.Sum(alpha), length(pair, alpha); !near(sum, 1, 1e-9) || !(got <= most) {
			t.Errorf("%s: %v", name, alpha)
		}
	}
}
