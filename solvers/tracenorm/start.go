package tracenorm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/vec"
)

// start takes up the factors of another training. The first stage is then that of all examples.
func (t *training[T]) start(r *Result[T]) error {
	if r.Model == nil {
		return fmt.Errorf("Start without a model")
	}
	_, d := t.Data.X.Dims()
	if features, classes := r.Dims(); features != d || classes != t.K {
		return fmt.Errorf("Start with %d features and %d classes, but there are %d and %d", features, classes, d, t.K)
	}
	u, v := r.Factors()
	last, filled := t.lastRow(r.Bias(), u, v), 0
	zu, zv := t.split(t.descent.Z)
	for c, length := range spectral.Lengths(u, v) {
		if c == t.Rank || !(length > 0) {
			break
		}
		filled++
		// Balanced: both columns as long as the other.
		b := math.Sqrt(length / column(v, c))
		for j := range d {
			zu.Row(j)[c] = T(float64(u.Row(j)[c]) / b)
		}
		if t.Data.Bias != 0 {
			zu.Row(d)[c] = T(last[c] / b)
		}
		for l := range t.K {
			zv.Row(l)[c] = T(float64(v.Row(l)[c]) * b)
		}
	}
	t.stages = t.stages[len(t.stages)-1:]
	t.setStage(0)
	if filled < min(t.Rank, t.K-1) { // the columns of the best W sum to 0
		t.kick()
	}
	return nil
}

// lastRow returns the row of U for the constant feature: that of W, which the offsets hold, times V.
func (t *training[T]) lastRow(bias []T, u, v vec.Matrix[T]) []float64 {
	row := make([]float64, u.Cols)
	if t.Data.Bias == 0 || bias == nil {
		return row
	}
	inner := make([]float64, u.Cols) // meanᵀ U
	for j, m := range t.Data.Mean {
		for c, x := range u.Row(j) {
			inner[c] += float64(m) * float64(x)
		}
	}
	for l, b := range bias {
		w := float64(b)
		for c, x := range v.Row(l) {
			w += inner[c] * float64(x)
		}
		for c, x := range v.Row(l) {
			row[c] += w / float64(t.Data.Bias) * float64(x)
		}
	}
	for c := range row {
		if s := column(v, c); s > 0 {
			row[c] /= s
		}
	}
	return row
}

// kick puts a little into the columns of the factors that are all but 0: there z is at a saddle, which steps leave slowly.
// It reports whether there are any; where all are 0 it leaves them.
func (t *training[T]) kick() (kicked bool) {
	const share = 3e-3 // of the largest column
	random := rand.New(rand.NewPCG(t.Seed, 1))
	u, v := t.split(t.descent.Z)
	long := spectral.Lengths(u, v)
	little := share * slices.Max(long)
	for c, length := range long {
		if length >= little/3 {
			continue
		}
		kicked = true
		for _, f := range []vec.Matrix[T]{u, v} {
			for i := range f.Rows {
				f.Row(i)[c] += T(math.Sqrt(little/float64(f.Rows)) * random.NormFloat64())
			}
		}
	}
	return kicked
}
