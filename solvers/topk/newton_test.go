package topk

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestSquaredHinge: what training of the squared hinge ends with is the optimum that Newton's method finds for each
// class by itself, on dense and on sparse examples and with a kernel, with weights, sets of classes and bias.
func TestSquaredHinge(t *testing.T) {
	prove.Both(t, testSquaredHinge[float32], testSquaredHinge[float64])
}

func testSquaredHinge[T vec.Float](t *testing.T) {
	const n, d, m, lambda = 50, 7, 4, .02
	rng := rand.New(rand.NewPCG(81, 82))
	x, y := blobs[T](rng, n, d, m)
	thin(rng, x, 3)
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = float64(i%4) / 2
	}
	tol := 1e-8
	if prove.IsF32[T]() {
		tol = 1e-5
	}
	f := design.Matrix[T](x)
	gaussian, polynomial := kernel.Gaussian{Gamma: .2}, kernel.Polynomial{Degree: 2, Scale: .5, Offset: 1}
	for name, p := range map[string]Problem[T]{
		"dense": {X: f}, "sparse": {X: sparse(x)}, "dense, weights": {X: f, Weights: weights},
		"sparse, weights":     {X: sparse(x), Weights: weights},
		"gaussian":            {Kernel: matrix(t, f, gaussian, 1<<20)},
		"polynomial, weights": {Kernel: matrix(t, f, polynomial, 0), Weights: weights},
		"gaussian, sparse":    {Kernel: matrix(t, design.Matrix[T](sparse(x)), gaussian, 1<<20), Weights: weights},
	} {
		for _, bias := range []float64{0, 2} {
			if bias != 0 && p.Kernel != nil {
				continue
			}
			for what, sets := range map[string][][]int{"classes": singles(y), "sets": labelSets(rng, y, m)} {
				p.Sets = sets
				r := solve(t, p, Config{Loss: SquaredHinge, Lambda: lambda, Tol: tol, Epochs: 1 << 20, Bias: bias})
				best, off := 0.0, 0.0
				z := coordinates(p, bias)
				for c := range m {
					sign := make([]float64, n)
					for i := range sign {
						if sign[i] = -1; slices.Contains(sets[i], c) {
							sign[i] = 1
						}
					}
					value, error := squaredHinge{z, sign, p.Weights, lambda}.minimum(t)
					best, off = best+value, off+error
				}
				// The optimum is in [best-off, best], and the rounding of sums of n m terms is far below 1e-12 of it.
				if off > 1e-12*best {
					t.Fatalf("Newton's method is off by %v of %v", off, best)
				}
				if got := r.Certificate; got.Primal < best*(1-2e-12) || got.Dual > best*(1+1e-12) ||
					got.Primal > best*(1+tol)*(1+1e-12) {
					t.Errorf("%s, bias %v, %s: %v, by Newton's method %.12g", name, bias, what, got, best)
				}
			}
		}
	}
}

// coordinates returns examples with the inner products of p: of a kernel the rows of K's Cholesky factor.
func coordinates[T vec.Float](p Problem[T], bias float64) [][]float64 {
	if p.Kernel == nil {
		x := rowsOf(p.X)
		for i := range x {
			x[i] = append(x[i], bias)
		}
		return x
	}
	k := plainKernel(p.Kernel)
	// Where the remainder of a row is rounding alone, it is 0: K has no more dimensions.
	return cholesky(k, 1e-11)
}

// cholesky returns L, lower triangular, with L Lᵀ = a. A pivot that is at most least times the diagonal of a makes a
// column of 0.
func cholesky(a [][]float64, least float64) [][]float64 {
	l := make([][]float64, len(a))
	for i := range a {
		l[i] = make([]float64, len(a))
		for j := range i + 1 {
			v := a[i][j]
			for k := range j {
				v -= l[i][k] * l[j][k]
			}
			switch {
			case i == j && v > least*a[i][i]:
				l[i][i] = math.Sqrt(v)
			case i != j && l[j][j] > 0:
				l[i][j] = v / l[j][j]
			}
		}
	}
	return l
}

// squaredHinge is 1/n sum_i v_i max(0, 1 - t_i <w, x_i>)² + lambda/2 |w|² as a function of w.
type squaredHinge struct {
	x      [][]float64
	sign   []float64 // t
	weight []float64 // v, or nil for 1 each
	lambda float64
}

// at returns value, gradient and second derivative at w, where that is of one side.
func (f squaredHinge) at(w []float64) (value float64, gradient []float64, second [][]float64) {
	gradient, second = make([]float64, len(w)), make([][]float64, len(w))
	for j, v := range w {
		value += f.lambda / 2 * v * v
		gradient[j] = f.lambda * v
		second[j] = make([]float64, len(w))
		second[j][j] = f.lambda
	}
	for i, x := range f.x {
		v := 1 / float64(len(f.x))
		if f.weight != nil {
			v *= f.weight[i]
		}
		margin := 1.0
		for j, u := range x {
			margin -= f.sign[i] * u * w[j]
		}
		if margin <= 0 {
			continue
		}
		value += v * margin * margin
		for j, u := range x {
			gradient[j] -= 2 * v * margin * f.sign[i] * u
			for k := range j + 1 {
				second[j][k] += 2 * v * u * x[k]
			}
		}
	}
	return value, gradient, second
}

// minimum returns the value where Newton's method ends, and by how much the least one may be below it: f is
// lambda-strongly convex, so f - min f <= |gradient|²/(2 lambda).
func (f squaredHinge) minimum(t *testing.T) (value, off float64) {
	t.Helper()
	w := make([]float64, len(f.x[0]))
	for range 200 {
		value, gradient, second := f.at(w)
		norm := 0.0
		for _, g := range gradient {
			norm += g * g
		}
		if off = norm / (2 * f.lambda); off < 1e-15*value {
			return value, off
		}
		step := solveCholesky(cholesky(second, 0), gradient)
		next := make([]float64, len(w))
		for size := 1.0; size > 1e-12; size /= 2 { // until it falls
			for j, v := range w {
				next[j] = v - size*step[j]
			}
			if after, _, _ := f.at(next); after < value {
				break
			}
		}
		w = next
	}
	t.Fatalf("Newton's method does not end: %v", off)
	return 0, 0
}

// solveCholesky returns the v with L Lᵀ v = b.
func solveCholesky(l [][]float64, b []float64) []float64 {
	v := slices.Clone(b)
	for i := range v {
		for k := range i {
			v[i] -= l[i][k] * v[k]
		}
		v[i] /= l[i][i]
	}
	for i := len(v) - 1; i >= 0; i-- {
		for k := i + 1; k < len(v); k++ {
			v[i] -= l[k][i] * v[k]
		}
		v[i] /= l[i][i]
	}
	return v
}
