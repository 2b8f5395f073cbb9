package optim

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// quadratic is 1/2 <x, A x> - <b, x> with a positive definite A.
type quadratic struct {
	a [][]float64
	b []float64
}

// drawQuadratic has A = M Mᵀ + ridge I.
func drawQuadratic(rng *rand.Rand, n int, ridge float64) quadratic {
	m := make([][]float64, n)
	q := quadratic{make([][]float64, n), make([]float64, n)}
	for i := range m {
		m[i], q.a[i], q.b[i] = make([]float64, n), make([]float64, n), rng.NormFloat64()
		for j := range m[i] {
			m[i][j] = rng.NormFloat64()
		}
	}
	for i := range m {
		for j := range m {
			for k := range m {
				q.a[i][j] += m[i][k] * m[j][k]
			}
		}
		q.a[i][i] += ridge
	}
	return q
}

func (q quadratic) at(gradient, x []float64) (value float64) {
	for i, row := range q.a {
		sum := 0.0
		for j, v := range row {
			sum += v * x[j]
		}
		gradient[i] = sum - q.b[i]
		value += x[i] * (sum/2 - q.b[i])
	}
	return value
}

// TestLBFGS: with exact line searches on a quadratic of n variables and a memory of n pairs the directions are
// conjugate, and step n ends at the minimum (Nocedal and Wright, Numerical Optimization, theorem 6.4, and section 7.2:
// L-BFGS with all pairs is BFGS); a memory of one pair is conjugate gradients there.
func TestLBFGS(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 5, 10} {
		for _, pairs := range []int{1, n, 2 * n} {
			q := drawQuadratic(rng, n, 1)
			memory := NewLBFGS[float64](pairs)
			x, g, next, direction, image := make([]float64, n), make([]float64, n), make([]float64, n),
				make([]float64, n), make([]float64, n)
			q.at(g, x)
			first := math.Sqrt(Dot(g, g))
			for range n {
				memory.Direction(direction, g)
				slope, bend := Dot(direction, g), 0.0
				for i, row := range q.a {
					image[i] = vec.Dot(row, direction)
					bend += image[i] * direction[i]
				}
				if !(slope < 0) && Dot(g, g) > 0 {
					t.Fatalf("n = %d: slope %v along the direction", n, slope)
				}
				if bend == 0 {
					break
				}
				for i := range direction {
					direction[i] *= -slope / bend
					x[i] += direction[i]
				}
				q.at(next, x)
				for i := range g {
					image[i] = next[i] - g[i]
				}
				memory.Add(direction, image)
				copy(g, next)
			}
			// A of n by n normal numbers plus I has a condition of some 10 n² at most here; rounding grows by it each
			// step.
			if end := math.Sqrt(Dot(g, g)); !(end <= 1e-9*first) {
				t.Errorf("n = %d, %d pairs: a gradient of %g after n steps, %g at first", n, pairs, end, first)
			}
		}
	}
}

// TestSecant: the direction of a memory satisfies H y = s for the last pair, pairs without curvature are dropped, the
// oldest make room, and none are left after Reset.
func TestSecant(t *testing.T) { prove.Both(t, testSecant[float32], testSecant[float64]) }

func testSecant[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n = 40
	memory := NewLBFGS[T](3)
	s, y, got := make([]T, n), make([]T, n), make([]T, n)
	memory.Direction(got, []T{0: 2, n - 1: -3})
	if got[0] != -2 || got[n-1] != 3 {
		t.Errorf("direction %v without pairs", got)
	}
	for k := range 6 {
		for i := range s {
			s[i] = T(rng.NormFloat64())
			y[i] = s[i]*T(1+i%3) + T(rng.NormFloat64()/10)
		}
		memory.Add(s, y)
		if memory.Len() != min(k+1, 3) {
			t.Fatalf("%d pairs after %d", memory.Len(), k+1)
		}
		memory.Direction(got, y)
		for i := range s {
			// Each of the 3 pairs adds two vectors with coefficients that are sums of n rounded terms.
			if off := math.Abs(float64(got[i] + s[i])); !(off <= 64*n*prove.Unit[T]()*10) {
				t.Fatalf("element %d of -H y is %v, want %v", i, got[i], -s[i])
			}
		}
		vec.Scale(-1, y)
		memory.Add(s, y)
		memory.Add(s, make([]T, n))
		if memory.Len() != min(k+1, 3) {
			t.Errorf("pairs without curvature were kept")
		}
	}
	if memory.Reset(); memory.Len() != 0 {
		t.Error("pairs after Reset")
	}
}

// TestDot: sums over pieces.
func TestDot(t *testing.T) {
	for _, n := range []int{0, 1, 511, 512, 513, 2000} {
		a, b, want := make([]float32, n), make([]float32, n), 0.0
		for i := range a {
			a[i], b[i] = float32(i%7), float32(i%5)
			want += float64(a[i] * b[i])
		}
		if got := Dot(a, b); got != want {
			t.Errorf("n = %d: %v, want %v", n, got, want)
		}
	}
}

// rosenbrock is the sum of 100 (x_i+1 - x_i²)² + (1 - x_i)², whose minimum is 0 at (1, ..., 1).
func rosenbrock(gradient, x []float64) (value float64) {
	clear(gradient)
	for i := range len(x) - 1 {
		a, b := x[i+1]-x[i]*x[i], 1-x[i]
		value += 100*a*a + b*b
		gradient[i] += -400*x[i]*a - 2*b
		gradient[i+1] += 200 * a
	}
	return value
}

// TestDescent: each step lowers the value, up to rounding, and what was evaluated last is where it is; Rosenbrock's
// valley ends at its minimum.
func TestDescent(t *testing.T) {
	for _, n := range []int{2, 10} {
		var at, slopes []float64 // of the last evaluation
		value := 0.0
		f := func(gradient, z []float64) float64 {
			value = rosenbrock(gradient, z)
			at, slopes = slices.Clone(z), slices.Clone(gradient)
			return value
		}
		d := NewDescent[float64](n, 20, 0x1p-52)
		for i := range d.Z {
			d.Z[i] = -1.2 + 2.2*float64(i%2)
		}
		d.Begin(f)
		steps := 0
		for ; steps < 500 && d.Value > 1e-20; steps++ {
			before := d.Value
			fall, ok, stuck := d.Step(f)
			if stuck || !(d.Value <= before*(1+0x1p-50)) || ok && fall != before-d.Value || !slices.Equal(at, d.Z) {
				t.Fatalf("n = %d, step %d: from %v to %v, fall %v, %t, %t", n, steps, before, d.Value, fall, ok, stuck)
			}
			if d.Value != value || !slices.Equal(slopes, d.Gradient) {
				t.Fatalf("n = %d, step %d: value and gradient are of another place", n, steps)
			}
		}
		// Near the minimum f is at least 1/2 times its least curvature, 0.39 and more, times the squared distance.
		for i, v := range d.Z {
			if !(math.Abs(v-1) <= 1e-9) {
				t.Errorf("n = %d: x[%d] = %v after %d steps, value %g", n, i, v, steps, d.Value)
			}
		}
	}
}

// TestCorner: in the valley of |x| + 100 |y| no gradient points along it. There the descent forgets what it remembers,
// then says that it is stuck, and stays.
func TestCorner(t *testing.T) {
	sign := func(v float64) float64 { return 1 - 2*float64(int(math.Float64bits(v)>>63)) }
	f := func(gradient, z []float64) float64 {
		gradient[0], gradient[1] = sign(z[0]), 100*sign(z[1])
		return math.Abs(z[0]) + 100*math.Abs(z[1])
	}
	d := NewDescent[float64](2, 5, 0x1p-52)
	d.Z[0], d.Z[1] = 3, 2
	d.Begin(rosenbrock)
	for range 3 {
		d.Step(rosenbrock)
	}
	d.Z[0], d.Z[1] = 3, 0
	d.Begin(f)
	for _, want := range []bool{false, true, true} {
		fall, ok, stuck := d.Step(f)
		if fall != 0 || ok || stuck != want || d.Z[0] != 3 || d.Z[1] != 0 || d.Value != 3 || d.Gradient[0] != 1 {
			t.Errorf("at %v, value %v: fall %v, %t, %t, want %t", d.Z, d.Value, fall, ok, stuck, want)
		}
	}
}

// TestState: a descent that was saved and loaded takes the same steps; other sizes are refused.
func TestState(t *testing.T) {
	d := NewDescent[float64](6, 4, 0x1p-52)
	d.Begin(rosenbrock)
	for range 9 {
		d.Step(rosenbrock)
	}
	var file bytes.Buffer
	w := container.NewWriter(&file, "state", 1)
	d.Save(w)
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	load := func(size, pairs int) (*Descent[float64], error) {
		r, err := container.Open(bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		again := NewDescent[float64](size, pairs, 0x1p-52)
		again.Load(r)
		return again, r.Close()
	}
	again, err := load(6, 4)
	if err != nil {
		t.Fatal(err)
	}
	for range 9 {
		d.Step(rosenbrock)
		again.Step(rosenbrock)
		if !slices.Equal(d.Z, again.Z) || d.Value != again.Value {
			t.Fatalf("%v at %v, want %v at %v", again.Value, again.Z, d.Value, d.Z)
		}
	}
	for _, other := range [][2]int{{5, 4}, {6, 3}} {
		if _, err := load(other[0], other[1]); err == nil {
			t.Errorf("%d variables and %d pairs: no error", other[0], other[1])
		}
	}
}

// TestNonnegative: the minimum of a quadratic over x >= 0 is the minimum over the best of all sets of free variables.
func TestNonnegative(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for try := range 60 {
		n := 1 + rng.IntN(7)
		q := drawQuadratic(rng, n, .1)
		best, most := bruteForce(q), 2000
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(rng.IntN(2))
		}
		count, g := 0, make([]float64, n)
		value := Nonnegative(x, func(g, x []float64) float64 {
			count++
			return q.at(g, x)
		}, 1e-9, most)
		name := fmt.Sprintf("%d: n = %d, %d evaluations", try, n, count)
		if at := q.at(g, x); at != value || count > most {
			t.Errorf("%s: %v is said of x, which has %v", name, value, at)
		}
		for i, v := range x {
			if !(v >= 0) || !(g[i] >= -1e-7) || !(v == 0 || math.Abs(g[i]) <= 1e-7) {
				t.Errorf("%s: x[%d] = %v, slope %v", name, i, v, g[i])
			}
		}
		// Strong convexity .1: a slope of at most e in each variable leaves n e²/.2.
		if !(math.Abs(value-best) <= float64(n)*1e-14/.2+1e-12*math.Abs(best)) {
			t.Errorf("%s: %v at %v, want %v", name, value, x, best)
		}
	}
	for _, most := range []int{1, 2, 7} { // it keeps to the evaluations, and what it returns is of x
		q, x, count := drawQuadratic(rng, 5, .1), []float64{1, 1, 1, 1, 1}, 0
		value := Nonnegative(x, func(g, x []float64) float64 {
			count++
			return q.at(g, x)
		}, 0, most)
		if count > most || value != q.at(make([]float64, 5), x) {
			t.Errorf("%d evaluations of %d, value %v", count, most, value)
		}
	}
}

// bruteForce solves A x = b on every set of free variables, by elimination, and returns the least value of those that
// are not negative.
func bruteForce(q quadratic) float64 {
	n, best, g := len(q.b), 0.0, make([]float64, len(q.b)) // 0 at x = 0
	for set := 1; set < 1<<n; set++ {
		var free []int
		for i := range n {
			if set>>i&1 == 1 {
				free = append(free, i)
			}
		}
		m := len(free)
		rows := make([][]float64, m)
		for r, i := range free {
			for _, j := range free {
				rows[r] = append(rows[r], q.a[i][j])
			}
			rows[r] = append(rows[r], q.b[i])
		}
		for c := range m { // positive definite: no pivoting
			for r := range m {
				if r != c {
					f := rows[r][c] / rows[c][c]
					for k := c; k <= m; k++ {
						rows[r][k] -= f * rows[c][k]
					}
				}
			}
		}
		x, feasible := make([]float64, n), true
		for r, i := range free {
			x[i] = rows[r][m] / rows[r][r]
			feasible = feasible && x[i] >= 0
		}
		if feasible {
			best = min(best, q.at(g, x))
		}
	}
	return best
}

// TestNonnegativeEnds: where f rises whatever the step is, as it may by rounding, one search along the slope is the
// last one.
func TestNonnegativeEnds(t *testing.T) {
	evaluations := 0
	x := []float64{1, 2}
	value := Nonnegative(x, func(g, x []float64) float64 {
		evaluations++
		g[0], g[1] = -1, 1
		return 5 + math.Abs(x[0]-1) + math.Abs(x[1]-2)
	}, 1e-9, 1000)
	if value != 5 || x[0] != 1 || x[1] != 2 || evaluations > 42 { // 2^-40 < 1e-12 is too short a step
		t.Errorf("%v at %v after %d evaluations", value, x, evaluations)
	}
}

// TestDescends: where the direction that is remembered underflows to 0, the gradient's own is taken.
func TestDescends(t *testing.T) {
	d := NewDescent[float64](1, 3, 0x1p-52)
	d.memory.Add([]float64{1e-150}, []float64{1e100})
	d.Gradient[0] = 1e-100
	if slope := d.descent(); !(slope < 0) || d.direction[0] != -1e-100 {
		t.Errorf("slope %v along %v", slope, d.direction)
	}
}
