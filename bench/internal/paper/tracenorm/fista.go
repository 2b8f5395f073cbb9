package tracenorm

import (
	"context"
	"math"
	"time"

	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// fista minimizes J(W) = lambda1 |W|_* + lambda2 |W|_F² + R_n(W) by Beck and Teboulle's accelerated proximal gradient,
// the rival of what this library does: the proximal point thresholds singular values, the step is found by backtracking
// and grows again, and momentum begins anew where it points uphill (O'Donoghue and Candès). Products are those that Fit
// uses, all examples at once.
type fista struct {
	part
	classes          int
	lambda1, lambda2 float64

	diff      vec.Matrix[float32] // softmax - onehot of the last evaluation, n by k
	gradient  vec.Matrix[float32]
	passes    float64 // scores and gradient of all examples; scores alone are half
	least     float64 // the least objective so far
	bound     float64 // the best dual value so far
	steps     []step
	beginning time.Time
}

// step is a point in the history of a training.
type step struct {
	passes, seconds, primal, dual float64
}

// gap returns the relative duality gap.
func (s step) gap() float64 { return (s.primal - s.dual) / math.Abs(s.primal) }

// run trains until the gap is tol and the objective within relative tol of optimum, NaN where that is not known, or for
// as many iterations as given. Each iteration tells the least objective and the best dual value so far.
func (f *fista) run(ctx context.Context, optimum, tol float64, iterations int) error {
	f.beginning = time.Now()
	n, d := f.x.Dims()
	x, err := design.WithColumns(design.Sparse(f.x)) // as Fit does
	if err != nil {
		return err
	}
	f.x = x
	matrix := func() vec.Matrix[float32] { return vec.NewMatrix[float32](d, f.classes) }
	f.diff, f.gradient = vec.NewMatrix[float32](n, f.classes), matrix()
	w, before, y, next := matrix(), matrix(), matrix(), matrix()
	lipschitz := f.meanSquare() / 20 // half the largest eigenvalue of XᵀX/n is a bound, the mean square a larger one
	f.least, f.bound = math.Inf(1), math.Inf(-1)
	for t, k := 1.0, 0; k < iterations && ctx.Err() == nil; k++ {
		loss := f.evaluate(y)
		f.accumulate()
		f.bound = max(f.bound, f.dual(y, loss))
		var values []float64
		var risk float64
		for {
			copy(next.Data, y.Data)
			vec.Axpy(float32(-1/lipschitz), f.gradient.Data, next.Data)
			values = f.proximal(next, 1/lipschitz)
			risk = f.evaluate(next)
			linear, square := 0.0, 0.0
			for i, v := range next.Data {
				move := float64(v) - float64(y.Data[i])
				linear += move * float64(f.gradient.Data[i])
				square += move * move
			}
			if risk <= loss+linear+lipschitz/2*square+1e-7*loss { // what float32 rounds
				break
			}
			lipschitz *= 1.5
		}
		f.least = min(f.least, risk+f.penalty(values))
		s := step{f.passes, time.Since(f.beginning).Seconds(), f.least, f.bound}
		f.steps = append(f.steps, s)
		if s.gap() <= tol && !(f.least-optimum > tol*optimum) {
			break
		}
		lipschitz *= 0.95
		uphill := 0.0
		for i, v := range next.Data {
			uphill += float64(y.Data[i]-v) * float64(v-w.Data[i])
		}
		before, w, next = w, next, before
		root := (1 + math.Sqrt(1+4*t*t)) / 2
		momentum := (t - 1) / root
		if t = root; uphill > 0 {
			t, momentum = 1, 0
		}
		for i, v := range w.Data {
			y.Data[i] = v + float32(momentum)*(v-before.Data[i])
		}
	}
	return ctx.Err()
}

// evaluate returns the risk at w, half a pass.
func (f *fista) evaluate(w vec.Matrix[float32]) float64 {
	design.ScoresAll(f.diff, w, f.x, 1)
	loss := 0.0
	for i, y := range f.y {
		row := f.diff.Row(i)
		s := row[y]
		loss += float64(vec.SoftmaxLogSumExp(row, row) - s)
		row[y]--
	}
	f.passes += 0.5
	return loss / float64(len(f.y))
}

// accumulate sets the gradient of the last evaluation, the other half.
func (f *fista) accumulate() {
	clear(f.gradient.Data)
	design.AccumulateAll(f.gradient, f.diff, f.x, 1)
	vec.Scale(1/float32(len(f.y)), f.gradient.Data)
	f.passes += 0.5
}

// proximal replaces w by the proximal point of eta times the penalty, and returns its singular values.
func (f *fista) proximal(w vec.Matrix[float32], eta float64) []float64 {
	u, v, values, ok := spectral.Decompose(spectral.Float64(w))
	if !ok {
		return []float64{math.NaN()}
	}
	for j, s := range values {
		values[j] = max(0, s-eta*f.lambda1) / (1 + 2*eta*f.lambda2)
		factor := 0.0
		if s > 0 {
			factor = values[j] / s
		}
		for i := range v.Rows {
			v.Row(i)[j] *= factor
		}
	}
	product := vec.NewMatrix[float64](w.Rows, w.Cols)
	vec.Gemm(vec.NoTrans, vec.Transposed, 1, u, v, 0, product)
	for i := range w.Rows {
		vec.Convert(w.Row(i), product.Row(i))
	}
	return values
}

func (f *fista) penalty(values []float64) (sum float64) {
	for _, s := range values {
		sum += f.lambda1*s + f.lambda2*s*s
	}
	return sum
}

// dual returns D(1) of formula
//
//	loss - <W, G> - sum_j max(0, sigma_j(G) - lambda1)² / (4 lambda2),   G the gradient of the risk at W,
//
// which is below the optimum whatever W is.
func (f *fista) dual(w vec.Matrix[float32], loss float64) float64 {
	value := loss
	for i, g := range f.gradient.Data {
		value -= float64(w.Data[i]) * float64(g)
	}
	for _, s := range spectral.Values(f.gradient) {
		value -= math.Pow(max(0, s-f.lambda1), 2) / (4 * f.lambda2)
	}
	return value
}

func (f *fista) meanSquare() float64 {
	n, _ := f.x.Dims()
	norms := make([]float32, n)
	f.x.SquaredNorms(norms)
	sum := 0.0
	for _, v := range norms {
		sum += float64(v)
	}
	return sum / float64(n)
}
