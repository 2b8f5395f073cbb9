package ascent

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// quarters draws a matrix of numbers whose products are exact in float32, too.
func quarters(rng *rand.Rand, rows, cols int) vec.Matrix[float64] {
	a := vec.NewMatrix[float64](rows, cols)
	for k := range a.Data {
		a.Data[k] = float64(rng.IntN(9)-4) / 4
	}
	return a
}

// factored is labelled with the coupling PᵀP + ridge I, by its factor, or formed.
func factored[T vec.Float](t testing.TB, x design.Matrix[T], p vec.Matrix[float64], ridge float64, square,
	formed bool) Problem[T] {
	t.Helper()
	q := labelled(t, x, p.Cols, 0, square)
	label, exact := &loss.Label[T]{}, &loss.Label[float64]{}
	if formed {
		q.Coupling = vec.NewMatrix[float64](p.Cols, p.Cols)
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, p, p, 0, q.Coupling)
		for c := range p.Cols {
			q.Coupling.Row(c)[c] += ridge
		}
		label.Coupling, exact.Coupling = vec.NewMatrix[T](p.Cols, p.Cols), q.Coupling
		vec.Convert(label.Coupling.Data, q.Coupling.Data)
	} else {
		q.Factor, q.ExactFactor = loss.NewFactor[T](p, ridge), loss.NewFactor[float64](p, ridge)
		label.Factor, exact.Factor = q.Factor, q.ExactFactor
	}
	if q.Loss, q.Exact = loss.Loss[T](loss.LabelHinge[T]{Label: label}),
		loss.Loss[float64](loss.LabelHinge[float64]{Label: exact}); square {
		q.Loss, q.Exact = loss.SquaredHinge[T]{Label: label}, loss.SquaredHinge[float64]{Label: exact}
	}
	return q
}

// TestFactorLayouts: in single steps, small blocks and large ones, by one worker and by several, U is Xᵀ A Qᵀ after
// each epoch, the model's W is U Q, the sums are the sums over the examples, and the dual value never falls.
func TestFactorLayouts(t *testing.T) {
	prove.Both(t, testFactorLayouts[float32], testFactorLayouts[float64])
}

func testFactorLayouts[T vec.Float](t *testing.T) {
	const n, d, m = 800, 6, 20
	rng := rand.New(rand.NewPCG(63, 64))
	x, _ := blobs[T](rng, n, d, m)
	copy(x.Row(1), x.Row(0)) // a duplicate
	clear(x.Row(2))
	for rank, ridge := range map[int]float64{1: 0, 5: .25, 30: 0} {
		for _, size := range []int{1, 8, 64} {
			for _, workers := range []int{1, 3} {
				for name, f := range map[string]design.Matrix[T]{"dense": x, "sparse": sparse(t, x)} {
					if name == "sparse" && size > 1 {
						continue
					}
					name = fmt.Sprintf("rank %d, %s, blocks of %d, %d workers", rank, name, size, workers)
					p := factored(t, f, quarters(rng, rank, m), ridge, false, false)
					s := training(t, p, Options{Options: solvers.Options{Tol: 1e-3, Workers: workers}, BlockSize: size,
						Round: 16})
					if all := 1 + workers/2*workers; len(s.workers) != all || s.weights.byClass != (size >= 32) {
						t.Fatalf("%s: %d workers, by columns %t", name, len(s.workers), s.weights.byClass)
					}
					for range 3 {
						s.Epoch(context.Background())
						// A part of what workers add is a product, too, and the change of W that they tell a
						// difference.
						factorWeights(t, name, s, x.Matrix, 4*float64(s.visits)*(m+4))
						dual, gaps := 0.0, 0.0
						for i, ex := range s.ex {
							s.work.Example = i
							// m steps in each of at most 4 passes of 3 epochs add to a term of at most m/2.
							if term := p.Loss.Dual(s.a.Row(i), p.Labels.Of(i), ex.r, &s.work); math.Abs(
								term-ex.term) > 0x1p-53*12*m*m/2 {
								t.Fatalf("%s: the dual term of example %d is %v, not %v", name, i, term, ex.term)
							}
							dual, gaps = dual+ex.term, gaps+ex.gap
						}
						// Sums of as many float64 numbers, of at most m/2 each, as there were visits.
						if off := math.Abs(s.dual-dual) + math.Abs(s.gaps-gaps); off > 0x1p-52*float64(
							s.visits)*(n*m+gaps) {
							t.Errorf("%s: sums %v and %v, want %v and %v", name, s.dual, s.gaps, dual, gaps)
						}
						before := s.certificate.Dual
						if after := certify(t, Solver[T](s)); after.Dual < before || after.Gap() < 0 {
							t.Errorf("%s: %v after a dual value of %v", name, after, before)
						}
						factorWeights(t, name, s, x.Matrix, m+4) // rounded once, of sums that are nearly exact
					}
				}
			}
		}
	}
}

// factorWeights compares U with Xᵀ A Qᵀ and W with U Q. An entry of A is at most 1/2 in size, so one of U is never
// beyond 1/2 sum_i |x_ij| sum_l |Q_kl|, and each addition rounds by no more than half a unit of that; one of W is a sum
// over Q's rows.
func factorWeights[T vec.Float](t *testing.T, name string, s *linearSolver[T], x vec.Matrix[T], additions float64) {
	t.Helper()
	w, u := s.Weights(), vec.NewMatrix[T](s.d, s.cols)
	s.weights.copyTo(u)
	if w.Cols != s.m || u.Cols != s.p.Factor.Cols(s.m) {
		t.Fatalf("%s: %d columns of W, %d of U", name, w.Cols, u.Cols)
	}
	q := vec.NewMatrix[float64](s.cols, s.m)
	unit, column := make([]float64, s.cols), make([]float64, s.m)
	for k := range s.cols {
		clear(unit)
		unit[k] = 1
		copy(q.Row(k), s.p.ExactFactor.Scores(column, unit))
	}
	for j := range s.d {
		sums, size := make([]float64, s.m), 0.0
		for i := range s.n {
			v := float64(x.Row(i)[j])
			size += math.Abs(v) * .5
			for c, a := range s.a.Row(i) {
				sums[c] += v * float64(a)
			}
		}
		want, off := make([]float64, s.m), make([]float64, s.m)
		for k, v := range u.Row(j) {
			bound := prove.Unit[T]() * additions * size * vec.AbsSum(q.Row(k))
			if exact := vec.Dot(q.Row(k), sums); !(math.Abs(float64(v)-exact) <= bound) {
				t.Fatalf("%s: U[%d,%d] is %v, want %v within %v", name, j, k, v, exact, bound)
			}
			for c, y := range q.Row(k) {
				want[c] += float64(v) * y
				off[c] += prove.Unit[T]() * 2 * math.Abs(float64(v)*y) // of T once, of float64 in sums
			}
		}
		for c, v := range w.Row(j) {
			if !(math.Abs(float64(v)-want[c]) <= off[c]*float64(s.cols)) {
				t.Fatalf("%s: W[%d,%d] is %v, want %v within %v", name, j, c, v, want[c], off[c])
			}
		}
	}
}

// TestFactorByKernel: with P on features, on a linear kernel, and by levels on it, trainings come to the optimum of R
// formed.
func TestFactorByKernel(t *testing.T) {
	const n, d, m = 150, 6, 9
	rng := rand.New(rand.NewPCG(65, 66))
	x, _ := blobs[float64](rng, n, d, m)
	f := design.Matrix[float64](x)
	k, err := kernel.New(f, kernel.Linear{}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for rank, ridge := range map[int]float64{1: 0, 3: .5, 20: 0} {
		for _, square := range []bool{false, true} {
			root := quarters(rng, rank, m)
			s := training(t, factored(t, f, root, ridge, square, true), Options{Options: solvers.Options{Tol: 1e-5,
				Workers: 1}})
			want, err := train.Run(context.Background(), s, train.Options[float64]{Options: solvers.Options{Tol: 1e-5,
				Epochs: 100000}}, &train.Clock[float64]{})
			if err != nil {
				t.Fatal(err)
			}
			p := factored(t, f, root, ridge, square, false)
			byFeatures := training(t, p, Options{Options: solvers.Options{Tol: 1e-5, Workers: 1}})
			p.X, p.Kernel = nil, k
			for _, from := range []int{0, 40} {
				name := fmt.Sprintf("rank %d, square %t, active from %d", rank, square, from)
				byKernel, got := trainKernel(t, p, Options{Options: solvers.Options{Tol: 1e-5, Workers: 2},
					ActiveFrom: from}, nil)
				if want.Status != solvers.Converged || got.Status != solvers.Converged ||
					want.Certificate.Primal < got.Certificate.Dual || got.Certificate.Primal < want.Certificate.Dual {
					t.Errorf("%s: with R %v, by its kernel %v", name, want, got)
				}
				if (byKernel.levels == nil) != (from == 0) || byKernel.f.Cols != padded[float64](p.Factor.Cols(m)) {
					t.Errorf("%s: by levels %t, %d columns", name, byKernel.levels != nil, byKernel.f.Cols)
				}
				if again, err := byFeatures.Start(byKernel.a); err != nil ||
					math.Abs(again.Dual-got.Certificate.Dual) > 1e-12*again.Primal {
					t.Errorf("%s: the dual value is %v by the kernel, %v by features, %v", name, got.Certificate.Dual,
						again.Dual, err)
				}
			}
		}
	}
}

// TestFactorAllocs: an epoch with a factor allocates nothing, nor does its certificate.
func TestFactorAllocs(t *testing.T) {
	const m = 30
	rng := rand.New(rand.NewPCG(67, 68))
	x, _ := blobs[float32](rng, 200, 10, m)
	for name, f := range map[string]design.Matrix[float32]{"dense": x, "sparse": sparse(t, x)} {
		for _, ridge := range []float64{0, .5} {
			for _, size := range []int{1, 8, 64} {
				s := training(t, factored(t, f, quarters(rng, 4, m), ridge, ridge > 0, false),
					Options{Options: solvers.Options{Tol: 1e-9, Workers: 1}, BlockSize: size})
				step := func() {
					s.Epoch(context.Background())
					certify(t, Solver[float32](s))
					s.Reconsider()
				}
				step()
				if n := prove.Allocs(10, step); n != 0 {
					t.Errorf("%s, ridge %v, blocks of %d: %v allocations an epoch", name, ridge, size, n)
				}
			}
		}
	}
}
