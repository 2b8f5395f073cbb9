package tracenorm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/vec"
)

// start takes up the factors of another training. The first stage then has all examples.
func (t *training[T]) start(r *Result[T]) error {
	if r.Model == nil {
		return fmt.Errorf("Start without a model")
	}
	_, d := t.Data.X.Dims()
	if features, classes := r.Dims(); features != d || classes != t.M {
		return fmt.Errorf("Start with %d features and %d classes, but there are %d and %d", features, classes, d, t.M)
	}
	u, v := r.Factors()
	filled := 0
	zu, zv := t.split(t.descent.Z)
	for c, length := range spectral.Lengths(u, v) {
		if c == t.rank || !(length > 0) {
			break
		}
		filled++
		// Balanced: both columns as long as the other.
		b := math.Sqrt(length / column(v, c))
		for j := range d {
			zu.Row(j)[c] = T(float64(u.Row(j)[c]) / b)
		}
		if t.Data.Bias != 0 && r.constant != nil {
			zu.Row(d)[c] = T(float64(r.constant[c]) / b)
		}
		for l := range t.M {
			zv.Row(l)[c] = T(float64(v.Row(l)[c]) * b)
		}
	}
	t.stages = t.stages[len(t.stages)-1:]
	t.setStage(0)
	if filled < min(t.rank, t.M-1) { // the columns of the best W sum to 0
		t.perturb()
	}
	return nil
}

// perturb puts a little into the columns of the factors that are all but 0: there z is at a saddle, which steps leave
// slowly. It reports whether there are any; where all are 0 it leaves them.
func (t *training[T]) perturb() (perturbed bool) {
	const share = 3e-3 // of the largest column
	random := rand.New(rand.NewPCG(t.Seed, 1))
	u, v := t.split(t.descent.Z)
	long := spectral.Lengths(u, v)
	little := share * slices.Max(long)
	for c, length := range long {
		if length >= little/3 {
			continue
		}
		perturbed = true
		for _, f := range []vec.Matrix[T]{u, v} {
			for i := range f.Rows {
				f.Row(i)[c] += T(math.Sqrt(little/float64(f.Rows)) * random.NormFloat64())
			}
		}
	}
	return perturbed
}
