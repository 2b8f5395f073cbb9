package m3l

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/vec"
)

// weightsDrawn returns a prior of the weights of normal numbers.
func weightsDrawn(rng *rand.Rand, d, m int, size float64) vec.Matrix[float64] {
	w0 := vec.NewMatrix[float64](d, m)
	for k := range w0.Data {
		w0.Data[k] = size * rng.NormFloat64()
	}
	return w0
}

// TestPriorTruth: a descent along the gradient in U finds the same optimum, where Z = Z0 + U Q and R = QᵀQ, of less
// rank than R has rows in one case, and the penalty is 1/2 |U|²: P is above its least value by |gradient|²/2 at most.
func TestPriorTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(311, 312))
	const n, d, m = 24, 4, 3
	x, sets := documents[float64](rng, n, d, m)
	unit := vec.NewMatrix[float64](m, m)
	for l := range m {
		unit.Row(l)[l] = 1
	}
	for name, q := range map[string]vec.Matrix[float64]{"no R": unit, "R": factor(rng, m, 5),
		"R of less rank": factor(rng, m, 2)} {
		for _, size := range []float64{.3, 3} {
			p := Problem[float64]{X: x, Sets: sets, Prior: weightsDrawn(rng, d, m, size)}
			if name != "no R" {
				p.R = formed(q, 0)
			}
			c := Config{C: .1, Loss: SquaredHinge, Tol: 1e-10, Epochs: 1 << 20, Labels: m}
			want := descend(t, p, c, q)
			r := solve(t, p, c)
			if got := r.Certificate.Primal; math.Abs(got-want) > 1e-9*want {
				t.Errorf("%s, size %v: %v, want %v", name, size, got, want)
			}
			c.Loss, c.Tol = Hamming, 1e-8
			solve(t, p, c)
		}
	}
}

// descend returns the least P of squared hinges, by accelerated steps along the gradient.
func descend(t *testing.T, p Problem[float64], c Config, q vec.Matrix[float64]) float64 {
	t.Helper()
	o := loopsOf(p, c, len(p.Sets), c.Labels)
	x, d, m, k := o.rows(), p.Prior.Rows, p.Prior.Cols, q.Rows
	length := 1.0
	for _, row := range x {
		length += 2 * c.C * vec.SquaredNorm(row) * vec.SquaredNorm(q.Data)
	}
	beta := (math.Sqrt(length) - 1) / (math.Sqrt(length) + 1)
	u, last, z, g := vec.NewMatrix[float64](d, k), make([]float64, d*k), vec.NewMatrix[float64](d, m),
		vec.NewMatrix[float64](d, k)
	slopes := vec.NewMatrix[float64](d, m)
	for range 1 << 20 {
		copy(z.Data, p.Prior.Data)
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, u, q, 1, z)
		value := vec.SquaredNorm(u.Data) / 2
		clear(slopes.Data)
		for i, row := range x {
			for l := range m {
				score := 0.0
				for j, v := range row {
					score += v * z.At(j, l)
				}
				value += o.loss(i, l, score)
				slope := -2 * o.cost[i][l] * o.y[i][l] * max(0, 1-o.y[i][l]*score)
				for j, v := range row {
					slopes.Row(j)[l] += slope * v
				}
			}
		}
		copy(g.Data, u.Data)
		vec.Gemm(vec.NoTrans, vec.Transposed, 1, slopes, q, 1, g)
		if vec.SquaredNorm(g.Data)/2 < 1e-11*value {
			return value
		}
		for e := range u.Data {
			next := u.Data[e] - g.Data[e]/length
			u.Data[e], last[e] = next+beta*(next-last[e]), next
		}
	}
	t.Fatal("no minimum")
	return 0
}

// TestPriorZero: a prior of the weights of 0 is none, to the bit.
func TestPriorZero(t *testing.T) { prove.Both(t, testPriorZero[float32], testPriorZero[float64]) }

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
		m := max(p.R.Rows, p.P.Cols)
		for _, set := range p.Sets {
			for _, l := range set {
				m = max(m, l+1)
			}
		}
		p.Prior = vec.NewMatrix[float64](d, m)
		p.Prior.Data[1] = math.Copysign(0, -1)
		if got := fit(); got != want {
			t.Errorf("%s: %s, want %s", r.Name, got, want)
		}
	}
}

// TestPriorPulls: the less C, the nearer Z is to Z0, also with R.
func TestPriorPulls(t *testing.T) {
	rng := rand.New(rand.NewPCG(313, 314))
	x, sets := documents[float64](rng, 60, 5, 3)
	p := Problem[float64]{X: x, Sets: sets, Prior: weightsDrawn(rng, 5, 3, 1)}
	for _, r := range []vec.Matrix[float64]{{}, lowRank(rng, 3, 4)} {
		p.R = r
		last := math.Inf(1)
		for _, cost := range []float64{1, 1e-2, 1e-4, 1e-8} {
			far := 0.0
			for k, v := range solve(t, p, Config{C: cost, Tol: 1e-6, Labels: 3}).Linear.Weights().Data {
				far = max(far, math.Abs(v-p.Prior.Data[k]))
			}
			if !(far < last) || far > 1e4*cost {
				t.Errorf("C = %v: %v from the prior, before %v", cost, far, last)
			}
			last = far
		}
	}
}

// TestPriorStart: a training begins with the dual variables of one without a prior. Its own need no visit where the
// model is of the last epoch, as they are.
func TestPriorStart(t *testing.T) { prove.Both(t, testPriorStart[float32], testPriorStart[float64]) }

func testPriorStart[T vec.Float](t *testing.T) {
	for _, r := range familyOf[T]().Trainings {
		p := r.Make(t)
		if p.Prior.Rows == 0 {
			continue
		}
		from := p
		from.Prior = vec.Matrix[float64]{}
		c := r.Config
		c.Labels = p.Prior.Cols
		p.Start = solve(t, from, c)
		p.Start = solve(t, p, c)
		if got := solve(t, p, c); got.Visits > 0 && p.Start.ModelEpoch == p.Start.Epochs {
			t.Errorf("%s: %d visits from its own solution, %v", r.Name, got.Visits, p.Start.Outcome)
		}
	}
}
