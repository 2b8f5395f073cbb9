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
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// labelled is the problem of the label hinge, or of its square, with sets of m labels, coupled by an R of the given
// rank; 0: without R. All losses have the weight 1/2.
func labelled[T vec.Float](t testing.TB, x design.Matrix[T], m, rank int, square bool) Problem[T] {
	t.Helper()
	n, _ := x.Dims()
	rng := rand.New(rand.NewPCG(uint64(n), uint64(m)))
	p := Problem[T]{X: x, Outputs: m, Radius: make([]float64, n), Lambda: 1}
	for i := range n {
		p.Labels.Sets = append(p.Labels.Sets, rng.Perm(m)[:rng.IntN(m+1)])
		p.Radius[i] = .5
	}
	var err error
	if p.Labels.Sets, err = family.SortedSets(p.Labels.Sets); err != nil {
		t.Fatal(err)
	}
	label, exact := &loss.Label[T]{}, &loss.Label[float64]{}
	if rank > 0 {
		root := vec.NewMatrix[float64](rank, m)
		for k := range root.Data {
			root.Data[k] = float64(rng.IntN(9)-4) / 4 // R has the same bits in T
		}
		p.Coupling = vec.NewMatrix[float64](m, m)
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, root, root, 0, p.Coupling)
		label.Coupling, exact.Coupling = vec.NewMatrix[T](m, m), p.Coupling
		vec.Convert(label.Coupling.Data, p.Coupling.Data)
	}
	if p.Loss, p.Exact = loss.Loss[T](loss.LabelHinge[T]{Label: label}),
		loss.Loss[float64](loss.LabelHinge[float64]{Label: exact}); square {
		p.Loss, p.Exact = loss.SquaredHinge[T]{Label: label}, loss.SquaredHinge[float64]{Label: exact}
	}
	return p
}

// TestCoupledLayouts: in single steps, small blocks and large ones, which hold W by labels, by one worker and by
// several, W is Xᵀ A R after each epoch, the quadratic term is 1/2 <A, K A R>, and the sums are the sums over the
// examples.
func TestCoupledLayouts(t *testing.T) {
	prove.Both(t, testCoupledLayouts[float32], testCoupledLayouts[float64])
}

func testCoupledLayouts[T vec.Float](t *testing.T) {
	const n, d, m = 400, 6, 9
	x, _ := blobs[T](rand.New(rand.NewPCG(53, 54)), n, d, m)
	copy(x.Row(1), x.Row(0)) // a duplicate
	clear(x.Row(2))
	for _, rank := range []int{1, 5, 20} {
		for _, size := range []int{1, 8, 32} {
			for _, workers := range []int{1, 3} {
				for name, f := range map[string]design.Matrix[T]{"dense": x, "sparse": sparse(t, x)} {
					if name == "sparse" && size > 1 {
						continue
					}
					name = fmt.Sprintf("rank %d, %s, blocks of %d, %d workers", rank, name, size, workers)
					s := training(t, labelled(t, f, m, rank, false), Options{
						Options: solvers.Options{Tol: 1e-3, Workers: workers}, BlockSize: size, Round: 16})
					if all := 1 + workers/2*workers; len(s.workers) != all || s.weights.byClass != (size >= 32) {
						t.Fatalf("%s: %d workers, by labels %t", name, len(s.workers), s.weights.byClass)
					}
					coupledEpochs(t, name, s, x.Matrix)
				}
			}
		}
	}
}

// coupledEpochs takes three epochs of coupled labels, and compares what visits have added up with the dual variables.
func coupledEpochs[T vec.Float](t *testing.T, name string, s *linearSolver[T], x vec.Matrix[T]) {
	t.Helper()
	m, parts := float64(s.m), 1.0
	if len(s.workers) > 1 { // they add products, and the change of W is a difference
		parts = 4
	}
	for range 3 {
		s.Epoch(context.Background())
		coupledWeights(t, name, s, x, parts*float64(s.visits)*(m+4))
		dual, gaps := 0.0, 0.0
		for i, ex := range s.ex {
			s.work.Example = i
			// m steps in each of at most 4 passes of 3 epochs add to a term of at most m/2.
			if term := s.p.Loss.Dual(s.a.Row(i), s.p.Labels.Of(i), ex.r, &s.work); math.Abs(
				term-ex.term) > 0x1p-53*12*m*m/2 {
				t.Fatalf("%s: the dual term of example %d is %v, not %v", name, i, term, ex.term)
			}
			dual, gaps = dual+ex.term, gaps+ex.gap
		}
		// Sums of as many float64 numbers, of at most m/2 each, as there were visits.
		if off := math.Abs(s.dual-dual) + math.Abs(s.gaps-gaps); off > 0x1p-52*float64(
			s.visits)*(float64(s.n)*m+gaps) {
			t.Errorf("%s: sums %v and %v, want %v and %v", name, s.dual, s.gaps, dual, gaps)
		}
	}
	before, bound := s.quadratic, quadraticBound(s, x)
	certify(t, Solver[T](s))
	if !(math.Abs(before-s.quadratic) <= bound) {
		t.Errorf("%s: a quadratic term of %v as visits have it, %v anew, within %v", name, before, s.quadratic, bound)
	}
	coupledWeights(t, name, s, x, m+4) // rounded once, of sums that are nearly exact
}

// quadraticBound is by how much the quadratic term may be off that visits add up: each of m labels of each visit adds a
// step of at most 1/2 times a score, which is a sum of d products with W, whose own additions coupledWeights counts.
func quadraticBound[T vec.Float](s *linearSolver[T], x vec.Matrix[T]) float64 {
	visits, m, coupling, largest := float64(s.visits), float64(s.m), 0.0, 0.0
	for c := range s.m {
		coupling = max(coupling, vec.AbsSum(s.p.Coupling.Row(c)))
	}
	for i := range s.n {
		score := 0.0
		for j, v := range x.Row(i) {
			for k := range s.n {
				score += math.Abs(float64(v)) * .5 * math.Abs(float64(x.Row(k)[j])) * coupling
			}
		}
		largest = max(largest, score)
	}
	return prove.Unit[T]() * visits * m / 2 * (visits*(m+4) + float64(s.d)) * largest
}

// coupledWeights compares W with Xᵀ A R. An entry of A is at most 1/2 in size, so one of W is never beyond 1/2 sum_i
// |x_ij| sum_k |R_kc|. A visit adds a row that is itself a sum of m terms, and each of all these additions rounds by no
// more than half a unit of that.
func coupledWeights[T vec.Float](t *testing.T, name string, s *linearSolver[T], x vec.Matrix[T], additions float64) {
	t.Helper()
	w := s.Weights()
	for j := range s.d {
		sums, size := make([]float64, s.m), 0.0
		for i := range s.n {
			v := float64(x.Row(i)[j])
			size += math.Abs(v) * .5
			for c, a := range s.a.Row(i) {
				sums[c] += v * float64(a)
			}
		}
		for c, v := range w.Row(j) {
			want, coupling := 0.0, 0.0
			for k, sum := range sums {
				want += sum * s.p.Coupling.At(k, c)
				coupling += math.Abs(s.p.Coupling.At(k, c))
			}
			if bound := prove.Unit[T]() * additions * size * coupling; !(math.Abs(float64(v)-want) <= bound) {
				t.Fatalf("%s: W[%d,%d] is %v, want %v within %v", name, j, c, v, want, bound)
			}
		}
	}
}

// TestCoupledByKernel: a linear kernel, with all examples active and by levels, and its features come to the same
// optimum.
func TestCoupledByKernel(t *testing.T) {
	const n, d, m = 150, 6, 9
	x, _ := blobs[float64](rand.New(rand.NewPCG(55, 56)), n, d, m)
	f := design.Matrix[float64](x)
	k, err := kernel.New(f, kernel.Linear{}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for _, rank := range []int{0, 3, 20} {
		for _, square := range []bool{false, true} {
			p := labelled(t, f, m, rank, square)
			s := training(t, p, Options{Options: solvers.Options{Tol: 1e-5, Workers: 1}})
			want, err := train.Run(context.Background(), s, train.Options[float64]{Options: solvers.Options{Tol: 1e-5,
				Epochs: 100000}}, &train.Clock[float64]{})
			if err != nil {
				t.Fatal(err)
			}
			p.X, p.Kernel = nil, k
			for _, from := range []int{0, 40} {
				name := fmt.Sprintf("rank %d, square %t, active from %d", rank, square, from)
				byKernel, got := trainKernel(t, p, Options{Options: solvers.Options{Tol: 1e-5, Workers: 2},
					ActiveFrom: from}, nil)
				if want.Status != solvers.Converged || got.Status != solvers.Converged ||
					want.Certificate.Primal < got.Certificate.Dual || got.Certificate.Primal < want.Certificate.Dual {
					t.Errorf("%s: %v, by its kernel %v", name, want, got)
				}
				if (byKernel.levels == nil) != (from == 0) {
					t.Errorf("%s: by levels %t", name, byKernel.levels != nil)
				}
				if again, err := s.Start(byKernel.a); err != nil ||
					math.Abs(again.Dual-got.Certificate.Dual) > 1e-12*again.Primal {
					t.Errorf("%s: the dual value is %v by the kernel, %v by features, %v", name, got.Certificate.Dual,
						again.Dual, err)
				}
			}
		}
	}
}

// TestActiveLabels: label sets, some empty, by levels.
func TestActiveLabels(t *testing.T) {
	x, _ := blobs[float64](rand.New(rand.NewPCG(57, 58)), 500, 4, 3)
	f := design.Matrix[float64](x)
	p := labelled(t, f, 3, 0, false)
	for i := range p.Labels.Sets { // labels that a kernel can learn: half planes
		p.Labels.Sets[i] = []int{}
		for c, v := range x.Row(i)[:3] {
			if v > 0 {
				p.Labels.Sets[i] = append(p.Labels.Sets[i], c)
			}
		}
	}
	k, err := kernel.New(f, kernel.Gaussian{Gamma: .05}, 1<<22)
	if err != nil {
		t.Fatal(err)
	}
	p.X, p.Kernel = nil, k
	for name, label := range map[string]*loss.Label[float64]{
		"plain": nil,
		"own": {Costs: []float64{1, 4, .25}, Margins: func(i int, margins, least []float64) {
			for c := range margins {
				margins[c], least[c] = float64(1+(i+c)%3)/2, float64(i%2)
			}
		}},
	} {
		p.Loss, p.Exact = loss.LabelHinge[float64]{Label: label}, loss.LabelHinge[float64]{Label: label}
		for i := range p.Radius {
			p.Radius[i] = 50
		}
		all, want := trainKernel(t, p, Options{Options: solvers.Options{Tol: 1e-3, Workers: 1}}, nil)
		some, got := trainKernel(t, p, Options{Options: solvers.Options{Tol: 1e-3, Workers: 1}, ActiveFrom: 40}, nil)
		if all.levels != nil || some.levels == nil || want.Status != solvers.Converged ||
			got.Status != solvers.Converged ||
			want.Certificate.Primal < got.Certificate.Dual || got.Certificate.Primal < want.Certificate.Dual {
			t.Errorf("%s: %v, by levels (%t) %v", name, want, some.levels != nil, got)
		}
		if len(some.at) > 400 {
			t.Errorf("%s: %d of 500 examples are active", name, len(some.at))
		}
		soundActive(t, name, some)
	}
}

// TestLabelAllocs: an epoch over label sets allocates nothing, nor does its certificate, with R, costs and margins or
// without.
func TestLabelAllocs(t *testing.T) {
	const m = 9
	x, _ := blobs[float32](rand.New(rand.NewPCG(59, 60)), 200, 10, m)
	f := design.Matrix[float32](x)
	own := func(p *Problem[float32]) {
		margins := func(i int, margins, least []float64) {
			for c := range margins {
				margins[c], least[c] = float64((i+c)%3), 0
			}
		}
		costs := []float64{1, 2, 3, 1, 2, 3, 1, 2, 3}
		label, exact := p.Loss.(loss.LabelHinge[float32]).Label, p.Exact.(loss.LabelHinge[float64]).Label
		label.Costs, label.Margins, exact.Costs, exact.Margins = costs, margins, costs, margins
	}
	for name, p := range map[string]Problem[float32]{
		"dense": labelled(t, f, m, 0, false), "squared": labelled(t, f, m, 0, true),
		"sparse": labelled[float32](t, sparse(t, x), m, 0, false),
		"R":      labelled(t, f, m, 4, false), "squared with R": labelled(t, f, m, 4, true),
		"sparse with R": labelled[float32](t, sparse(t, x), m, 4, false),
	} {
		for _, ownLoss := range []bool{false, true} {
			if ownLoss {
				if p.Loss.Traits().Name != "label hinge" {
					continue
				}
				own(&p)
			}
			for _, size := range []int{1, 8, 64} {
				s := training(t, p, Options{Options: solvers.Options{Tol: 1e-9, Workers: 1}, BlockSize: size})
				step := func() {
					s.Epoch(context.Background())
					certify(t, Solver[float32](s))
					s.Reconsider()
				}
				step()
				if n := prove.Allocs(10, step); n != 0 {
					t.Errorf("%s, own loss %t, blocks of %d: %v allocations an epoch", name, ownLoss, size, n)
				}
			}
		}
	}
}
