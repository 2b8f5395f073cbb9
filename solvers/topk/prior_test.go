package topk

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// drawn returns a prior of normal numbers.
func drawn(rng *rand.Rand, d, m int, size float64) vec.Matrix[float64] {
	w0 := vec.NewMatrix[float64](d, m)
	for k := range w0.Data {
		w0.Data[k] = size * rng.NormFloat64()
	}
	return w0
}

// TestPriorTruth: plain methods find the same optimum of the problem in V = W - W0, whose scores are x W0 + x V. For
// the softmax it is a descent along the gradient, until |gradient|²/(2 Lambda), by which P is above its least value at
// most, is 1e-13; for the hinge they are steps on one example at a time.
func TestPriorTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(301, 302))
	const n, d, m = 30, 4, 3
	x, y := blobs[float64](rng, n, d, m)
	for _, size := range []float64{.3, 3} {
		p := Problem[float64]{X: x, Y: y, Prior: drawn(rng, d, m, size)}
		for _, lambda := range []float64{.02, .5, 20} {
			c := Config{Loss: TopKEntropy, Lambda: lambda, Tol: 1e-11, Epochs: 1 << 20}
			w, want := descend(t, p, lambda)
			r := solve(t, p, c)
			if got := r.Certificate.Primal; math.Abs(got-want) > 1e-9*want {
				t.Errorf("softmax, size %v, lambda %v: %v, want %v", size, lambda, got, want)
			}
			for k, v := range r.Linear.Weights().Data {
				if math.Abs(v-w.Data[k]) > 1e-4*(1+size) { // P grows with the square
					t.Errorf("softmax, size %v, lambda %v, weight %d: %v, want %v", size, lambda, k, v, w.Data[k])
				}
			}
			for _, k := range []int{1, 2} {
				c.Loss, c.K, c.Tol = TopKHinge, k, 1e-10
				low, high := plainDual(t, p, c)
				r = solve(t, p, c)
				if r.Certificate.Primal < low-1e-12 || r.Certificate.Primal > high*(1+2e-9) {
					t.Errorf("hinge, k %d, size %v, lambda %v: %v, want %v to %v", k, size, lambda,
						r.Certificate.Primal, low, high)
				}
			}
		}
	}
}

// descend minimises P of the softmax by accelerated steps along the gradient, and returns W and P.
func descend(t *testing.T, p Problem[float64], lambda float64) (w vec.Matrix[float64], value float64) {
	t.Helper()
	x, n := rowsOf(p.X), len(p.Y)
	d, m := p.Prior.Rows, p.Prior.Cols
	length := lambda
	for _, row := range x {
		length += vec.SquaredNorm(row) / float64(2*n)
	}
	beta := (math.Sqrt(length) - math.Sqrt(lambda)) / (math.Sqrt(length) + math.Sqrt(lambda))
	v, last, g := make([]float64, d*m), make([]float64, d*m), make([]float64, d*m)
	evaluate := func(at []float64) (value, square float64) {
		for k, v := range at {
			g[k], value = lambda*v, value+lambda/2*v*v
		}
		scores := make([]float64, m)
		for i, row := range x {
			clear(scores)
			for j, f := range row {
				for c := range m {
					scores[c] += f * (p.Prior.Row(j)[c] + at[j*m+c])
				}
			}
			most := vec.LogSumExp(scores)
			value += (most - scores[p.Y[i]]) / float64(n)
			for c, s := range scores {
				part := math.Exp(s - most)
				if c == p.Y[i] {
					part--
				}
				for j, f := range row {
					g[j*m+c] += f * part / float64(n)
				}
			}
		}
		return value, vec.SquaredNorm(g)
	}
	for range 1 << 20 {
		value, square := evaluate(v)
		if square/(2*lambda) < 1e-13 {
			w = vec.NewMatrix[float64](d, m)
			for k := range w.Data {
				w.Data[k] = p.Prior.Data[k] + v[k]
			}
			return w, value
		}
		for k := range v {
			next := v[k] - g[k]/length
			v[k], last[k] = next+beta*(next-last[k]), next
		}
	}
	t.Fatal("no minimum")
	return w, 0
}

// plainDual maximises the dual by visits in turn, and returns the dual and the primal value, both of V = Xᵀ A.
func plainDual(t *testing.T, p Problem[float64], c Config) (dual, primal float64) {
	t.Helper()
	phi, err := listed[float64](c)
	if err != nil {
		t.Fatal(err)
	}
	x, n := rowsOf(p.X), len(p.Y)
	d, m := p.Prior.Rows, p.Prior.Cols
	a, v := vec.NewMatrix[float64](n, m), vec.NewMatrix[float64](d, m)
	r, scores, delta := 1/(c.Lambda*float64(n)), make([]float64, m), make([]float64, m)
	var work loss.Workspace[float64]
	scoresOf := func(i int) {
		clear(scores)
		for j, f := range x[i] {
			for q := range m {
				scores[q] += f * (p.Prior.Row(j)[q] + v.Row(j)[q])
			}
		}
	}
	for range 1 << 16 {
		for i := range n {
			scoresOf(i)
			y := p.Y[i : i+1]
			term := phi.Dual(a.Row(i), y, r, &work)
			work.Zero = false
			if _, _, moved := phi.Visit(a.Row(i), scores, y, vec.SquaredNorm(x[i]), r, term, 0, delta, &work); moved {
				for j, f := range x[i] {
					vec.Axpy(f, delta, v.Row(j))
				}
			}
		}
		dual, primal = -vec.SquaredNorm(v.Data)/2-vec.Dot(v.Data, p.Prior.Data), vec.SquaredNorm(v.Data)/2
		for i := range n {
			scoresOf(i)
			dual += phi.Dual(a.Row(i), p.Y[i:i+1], r, &work)
			primal += r * phi.Primal(scores, p.Y[i:i+1], &work)
		}
		dual, primal = c.Lambda*dual, c.Lambda*primal
		if primal-dual <= 1e-9*primal {
			return dual, primal
		}
	}
	t.Errorf("a gap of %v", primal-dual)
	return dual, primal
}

// TestPriorZero: a prior of 0 is none, to the bit.
func TestPriorZero(t *testing.T) {
	prove.Both(t, testPriorZero[float32], testPriorZero[float64])
}

func testPriorZero[T vec.Float](t *testing.T) {
	for _, r := range familyOf[T]().Trainings {
		p := r.Make(t)
		if p.Kernel != nil || p.Prior.Rows > 0 {
			continue
		}
		fit := func() string {
			got, err := p.Fit(context.Background(), r.Config)
			if err != nil {
				t.Fatal(r.Name, err)
			}
			return familytest.Bits(t, got)
		}
		want := fit()
		_, d := p.X.Dims()
		if r.Config.Bias != 0 {
			d++
		}
		m := 0
		for _, c := range p.Y {
			m = max(m, c+1)
		}
		p.Prior = vec.NewMatrix[float64](d, m)
		p.Prior.Data[1] = math.Copysign(0, -1)
		if got := fit(); got != want {
			t.Errorf("%s: %s, want %s", r.Name, got, want)
		}
	}
}

// TestPriorPulls: the larger Lambda, the nearer W is to W0, and in the end the model is W0; a prior that is the optimum
// of the losses alone stays what it is.
func TestPriorPulls(t *testing.T) { prove.Both(t, testPriorPulls[float32], testPriorPulls[float64]) }

func testPriorPulls[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(303, 304))
	x, y := blobs[T](rng, 60, 5, 3)
	p := Problem[T]{X: x, Y: y, Prior: drawn(rng, 5, 3, 1)}
	last := math.Inf(1)
	for _, lambda := range []float64{1e-2, 1, 1e2, 1e4, 1e6} {
		r := solve(t, p, Config{Loss: TopKEntropy, Lambda: lambda, Tol: 1e-5})
		far := 0.0
		for k, v := range r.Linear.Weights().Data {
			far = max(far, math.Abs(float64(v)-p.Prior.Data[k]))
		}
		if !(far < last || far < 4*prove.Unit[T]()) || far > 10/lambda+4*prove.Unit[T]() {
			t.Errorf("lambda %v: %v from the prior, before %v", lambda, far, last)
		}
		last = far
	}
	for i := range x.Rows { // now the hinges of the prior are 0
		for q := range 3 {
			x.Row(i)[q] = T(rng.Float64()) / 2
		}
		x.Row(i)[y[i]] += 2
	}
	for j := range 3 {
		for q := range 3 {
			p.Prior.Row(j)[q] = 0
		}
		p.Prior.Row(j)[j] = 10.1
	}
	for k, v := range p.Prior.Data { // of numbers that T has, or the penalty of the rounded ones is all of P
		p.Prior.Data[k] = float64(T(v))
	}
	r := solve(t, p, Config{Lambda: 1, Tol: 1e-4})
	for k, v := range r.Linear.Weights().Data {
		if v != T(p.Prior.Data[k]) {
			t.Fatalf("weight %d is %v, want the prior's %v: %v", k, v, p.Prior.Data[k], r.Outcome)
		}
	}
}

// TestPriorOccupied: weights of features that occur nowhere stay the prior's, and the certificate counts what rounding
// to T makes of these.
func TestPriorOccupied(t *testing.T) {
	prove.Both(t, testPriorOccupied[float32], testPriorOccupied[float64])
}

func testPriorOccupied[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(305, 306))
	const n, d, m = 24, 1 << 16, 4
	x, y, occurs := &dataset.CSR[T]{Rows: n, Cols: d, Ptr: []int{0}}, make([]int, n), map[int32]bool{}
	for i := range n {
		y[i] = i % m
		for _, j := range []int32{7, 900, 5000, 60000} {
			j += int32(y[i] * rng.IntN(2))
			x.Idx, x.Val, occurs[j] = append(x.Idx, j), append(x.Val, T(1+rng.Float64())), true
		}
		x.Ptr = append(x.Ptr, len(x.Idx))
	}
	for _, bias := range []float64{0, 1} {
		rows := d
		if bias != 0 {
			rows++
		}
		c := Config{Lambda: 1e-2, Tol: 1e-4, Bias: bias, Workers: 1}
		for _, l := range []Loss{TopKHinge, SquaredHinge} {
			p := Problem[T]{X: x, Sets: singles(y), Prior: drawn(rng, rows, m, .1)}
			if c.Loss = l; l == TopKHinge {
				p.Sets, p.Y = nil, y
			}
			r := solve(t, p, c)
			same, moved := 0, 0
			w := r.Linear.Weights()
			for j := range d {
				for q, v := range w.Row(j) {
					if v == T(p.Prior.Row(j)[q]) {
						same++
					} else {
						moved++
					}
				}
			}
			if same < (d-len(occurs))*m || moved == 0 {
				t.Errorf("%v, bias %v: %d weights are the prior's, %d are not", l, bias, same, moved)
			}
			still, err := Problem[T]{X: x, Y: y, Prior: p.Prior}.Fit(ended(), Config{Lambda: .01, Bias: bias})
			if err == nil || !still.ZeroModel {
				t.Fatal(still, err)
			}
			honest(t, Problem[T]{X: x, Y: y, Prior: p.Prior}, Config{Lambda: .01, Bias: bias}, still)
		}
	}
}

// ended returns a context that has ended.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// TestPriorStops: a training that has no time to begin returns the prior, with the certificate of that.
func TestPriorStops(t *testing.T) {
	for _, r := range familyOf[float64]().Trainings {
		p := r.Make(t)
		if p.Prior.Rows == 0 {
			continue
		}
		got, err := p.Fit(ended(), r.Config)
		if err == nil || !got.ZeroModel {
			t.Fatal(r.Name, told(got), err)
		}
		honest(t, p, r.Config, got)
		for k, v := range allWeights(got.Linear).Data {
			if math.Abs(v-p.Prior.Data[k]) > 1e-15 {
				t.Errorf("%s: weight %d is %v, want %v", r.Name, k, v, p.Prior.Data[k])
			}
		}
	}
}

// TestPriorStart: a training begins with the dual variables of one with another prior, or with none. Its own need no
// visit.
func TestPriorStart(t *testing.T) { prove.Both(t, testPriorStart[float32], testPriorStart[float64]) }

func testPriorStart[T vec.Float](t *testing.T) {
	for _, r := range familyOf[T]().Trainings {
		p := r.Make(t)
		if p.Prior.Rows == 0 {
			continue
		}
		c := r.Config
		for _, from := range []Problem[T]{{X: p.X, Y: p.Y, Sets: p.Sets}, p} {
			first := solve(t, from, c)
			next := p
			next.Start = first
			got := solve(t, next, c)
			if own := from.Prior.Rows > 0; own && got.Visits > 0 {
				t.Errorf("%s: %d visits from its own solution", r.Name, got.Visits)
			}
		}
	}
}

// TestPriorPath: each training of a path has the prior.
func TestPriorPath(t *testing.T) {
	rng := rand.New(rand.NewPCG(307, 308))
	x, y := blobs[float64](rng, 60, 5, 3)
	p := Problem[float64]{X: x, Y: y, Prior: drawn(rng, 5, 3, 1)}
	points, err := p.Path(context.Background(), Config{Tol: 1e-8, Epochs: 1 << 20}, PathConfig{
		Lambdas: []float64{1, .1}, CrossValidation: solvers.CrossValidation{Folds: 3}})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range points {
		c := Config{Lambda: at.Lambda, Tol: 1e-8, Epochs: 1 << 20}
		honest(t, p, c, at.Result)
		want := solve(t, p, c)
		if got := at.Result.Certificate.Primal; math.Abs(got-want.Certificate.Primal) > 2e-8*got {
			t.Errorf("lambda %v: %v, want %v", at.Lambda, got, want.Certificate.Primal)
		}
	}
}

// TestPriorLarge: a prior far larger than what moves, and one in numbers that T has not, have honest certificates.
func TestPriorLarge(t *testing.T) { prove.Both(t, testPriorLarge[float32], testPriorLarge[float64]) }

func testPriorLarge[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(309, 310))
	x, y := blobs[T](rng, 200, 6, 4)
	for _, storage := range []design.Matrix[T]{x, sparse(thin(rng, x, 4))} {
		for _, size := range []float64{1e-12, 1e-3, 100, 1e4} {
			p := Problem[T]{X: storage, Y: y, Prior: drawn(rng, 6, 4, size)}
			c := Config{Lambda: 1e-2, Tol: 1e-3}
			r, err := p.Fit(context.Background(), c)
			if err != nil || r.Status != solvers.Converged && size < 1e4 {
				t.Errorf("size %v: %s, %v", size, told(r), err)
				continue
			}
			honest(t, p, c, r)
		}
	}
}
