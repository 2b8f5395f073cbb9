package m3l

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestUnusualLabels: a label that all examples have, or none, examples without labels or with all of them, and more
// labels than any example has are problems like others.
func TestUnusualLabels(t *testing.T) {
	prove.Both(t, testUnusualLabels[float32], testUnusualLabels[float64])
}

func testUnusualLabels[T vec.Float](t *testing.T) {
	const n, m = 24, 4
	rng := rand.New(rand.NewPCG(31, 32))
	x, _ := documents[T](rng, n, 3, m)
	all := func(set ...int) [][]int {
		sets := make([][]int, n)
		for i := range sets {
			sets[i] = set
		}
		return sets
	}
	mixed := all()
	for i := range mixed {
		switch mixed[i] = append([]int{2}, rng.Perm(2)[:rng.IntN(3)]...); i {
		case 0:
			mixed[i] = []int{}
		case 1:
			mixed[i] = []int{3, 1, 2, 0}
		}
	}
	rank := lowRank(rng, m, 2)
	for name, sets := range map[string][][]int{
		"none": all(), "all": all(0, 1, 2, 3), "label 1": all(1), "nil sets": make([][]int, n),
		"one of all, one of one example": mixed,
	} {
		for _, loss := range []Loss{Hamming, Hinge, SquaredHinge, Logistic} {
			for _, r := range []vec.Matrix[float64]{{}, rank} {
				for _, p := range []Problem[T]{{X: x}, {Kernel: kernelOf[T](t, x, kernel.Gaussian{Gamma: .2})}} {
					p.Sets, p.R = sets, r
					result := solve(t, p, Config{Loss: loss, Labels: m})
					if _, labels := result.Dims(); labels != m {
						t.Errorf("%s: %d labels", name, labels)
					}
					if r.Rows > 0 || loss != Hamming || p.X != nil {
						continue
					}
					// With a Gaussian each example is next to itself, so that its labels are the labels of training.
					scores := vec.NewMatrix[T](n, m)
					if err := result.Scores(scores, x, nil); err != nil {
						t.Fatal(err)
					}
					for i := range n {
						if name == "none" && scores.Row(i)[0] >= 0 || name == "all" && scores.Row(i)[3] <= 0 ||
							name == "label 1" && (scores.Row(i)[1] <= 0 || scores.Row(i)[2] >= 0) {
							t.Errorf("%s: scores %v", name, scores.Row(i))
						}
					}
				}
			}
		}
	}
}

// TestUnusualExamples: duplicates, rows of zeros, all rows zeros, one example, one label, one feature.
func TestUnusualExamples(t *testing.T) {
	prove.Both(t, testUnusualExamples[float32], testUnusualExamples[float64])
}

func testUnusualExamples[T vec.Float](t *testing.T) {
	for name, size := range map[string]struct{ n, d, m int }{
		"some": {20, 4, 3}, "one example": {1, 4, 3}, "one label": {20, 4, 1}, "one feature": {20, 1, 3},
		"one of all":       {1, 1, 1},
		"groups of labels": {20, 4, 33},
	} {
		rng := rand.New(rand.NewPCG(33, uint64(size.n)))
		x, sets := documents[T](rng, size.n, size.d, size.m)
		zeros := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](size.n, size.d)}
		twice := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](size.n, size.d)}
		for i := range size.n {
			if copy(twice.Row(i), x.Row(i/2)); i%5 == 4 {
				clear(twice.Row(i))
			}
		}
		for data, x := range map[string]*dataset.Dense[T]{"documents": x, "zeros": zeros, "duplicates": twice} {
			_, sparse := thin(t, rng, x, 1)
			for _, loss := range []Loss{Hamming, Hinge, SquaredHinge, Logistic} {
				for _, r := range []vec.Matrix[float64]{{}, identity(size.m), lowRank(rng, size.m, 1),
					vec.NewMatrix[float64](size.m, size.m)} {
					for storage, p := range map[string]Problem[T]{
						"dense": {X: x}, "sparse": {X: sparse}, "kernel": {Kernel: kernelOf[T](t, x, kernel.Linear{})},
					} {
						p.Sets, p.R = sets, r
						result, err := p.Fit(context.Background(), Config{Loss: loss, Labels: size.m, Epochs: 100000})
						if err != nil || result.Status != solvers.Converged {
							t.Fatalf("%s, %s, %s, %v, R %v: %s, %v", name, data, storage, loss, r.Data, told(result),
								err)
						}
						honest(t, p, Config{Loss: loss, Labels: size.m}, result)
						if data == "zeros" && loss == Hamming &&
							math.Abs(result.Certificate.Primal-float64(2*size.n*size.m)) > 1e-9 {
							t.Errorf("%s: %v, want 2 for each of %d by %d labels", name, result.Certificate, size.n,
								size.m)
						}
					}
				}
			}
		}
	}
}

// TestExtremeCosts: the smallest and the largest C, labels' costs and weights end with a certificate, near or far from
// the tolerance, and with numbers that are finite.
func TestExtremeCosts(t *testing.T) {
	prove.Both(t, testExtremeCosts[float32], testExtremeCosts[float64])
}

func testExtremeCosts[T vec.Float](t *testing.T) {
	const n, d, m = 30, 4, 3
	rng := rand.New(rand.NewPCG(35, 36))
	x, sets := documents[T](rng, n, d, m)
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = []float64{1, 1e-6, 1e6}[i%3]
	}
	rank := lowRank(rng, m, 2)
	for _, cost := range []float64{1e-8, 1e-3, 1e8} {
		for _, loss := range []Loss{Hamming, SquaredHinge, Logistic} {
			for _, r := range []vec.Matrix[float64]{{}, rank} {
				for storage, p := range map[string]Problem[T]{"dense": {X: x},
					"kernel": {Kernel: kernelOf[T](t, x, kernel.Gaussian{Gamma: .1})}} {
					for _, p.Weights = range [][]float64{nil, weights} {
						for _, costs := range [][]float64{nil, {1e-4, 1, 1e4}} {
							p.Sets, p.R = sets, r
							c := Config{C: cost, Loss: loss, Costs: costs, Epochs: 60}
							name := fmt.Sprintf("C %v, %v, %s, weights %t, costs %t, R %t", cost, loss, storage,
								p.Weights != nil, costs != nil, r.Rows > 0)
							result, err := p.Fit(context.Background(), c)
							if err != nil {
								t.Errorf("%s: %v", name, err)
								continue
							}
							if cost < 1e-6 && p.Weights == nil && costs == nil && result.Status != solvers.Converged {
								t.Errorf("%s: %s", name, told(result))
							}
							if gap := result.Certificate.Gap(); gap-gap != 0 ||
								result.Certificate.Dual > result.Certificate.Primal*(1+1e-9) {
								t.Errorf("%s: %s", name, told(result))
							}
							honest(t, p, c, result)
						}
					}
				}
			}
		}
	}
}

// TestMemoryRefused: what asks for all memory is refused before it is taken.
func TestMemoryRefused(t *testing.T) {
	wide, err := dataset.NewCSR(1<<26, []int{0, 1, 2}, []int32{0, 1<<26 - 1}, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Fit[float64](context.Background(), wide, [][]int{{0}, {1}}, Config{})
	want := "m3l: 67108864 features, of which the examples hold 2 numbers"
	if strconv.IntSize == 32 {
		want = "beyond this machine's memory"
	}
	contains(t, err, want)
	many := &dataset.CSR[float64]{Rows: 3000, Cols: 1 << 20, Ptr: make([]int, 3001)}
	_, err = Fit[float64](context.Background(), many, make([][]int, 3000), Config{Labels: 2, BlockSize: math.MaxInt})
	contains(t, err, "m3l: blocks of 3000 examples, with rows of 1048576 numbers: want at most 134217728 numbers in "+
		"a block")
	_, err = Fit[float64](context.Background(), many, make([][]int, 3000), Config{Labels: math.MaxInt})
	contains(t, err, "beyond this machine's memory")
}
