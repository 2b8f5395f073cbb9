package topk

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// The linear kernel leads to the known optima.
func TestKernelTiny(t *testing.T) {
	v := readTiny(t)
	a := dense[float64](v.X)
	for _, want := range v.Results {
		if testing.Short() && want.Lambda < .01 {
			continue
		}
		c := Config{K: want.K, Loss: lossNamed[want.Loss], Lambda: want.Lambda, Tol: 1e-7, Epochs: 100000}
		for name, x := range map[string]design.Matrix[float64]{"dense": a, "csr": sparse(a)} {
			t.Run(fmt.Sprintf("%s/%s/k%d/lambda%g", name, want.Loss, want.K, want.Lambda), func(t *testing.T) {
				r := solve(t, Problem[float64]{Kernel: matrix(t, x, kernel.Linear{}, 1<<20), Y: v.Y}, c)
				if p, d := r.Certificate.Primal, r.Certificate.Dual; math.Abs(p-want.Primal) > 1e-6*want.Primal ||
					math.Abs(d-want.Dual) > 1e-6*want.Primal {
					t.Errorf("%.9g %.9g, want %.9g %.9g", p, d, want.Primal, want.Dual)
				}
			})
		}
	}
}

// Every loss, weights and polynomials: the objective with the kernel <x, z> is Fit's objective.
func TestKernelSameObjective(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(21, 22)), 80, 6, 5)
	weights := make([]float64, 80)
	for i := range weights {
		weights[i] = float64(i % 3)
	}
	for _, c := range []Config{
		{K: 2, Loss: TopKHinge, Smoothing: .5}, {K: 3, Loss: TopKUsunier}, {K: 1, Loss: TopKEntropy},
		{K: 3, Loss: TopKEntropy},
		{Loss: MultilabelHinge}, {Loss: MultilabelSoftmax, ClassWeights: []float64{1, 2, 1, 0, 1}},
		{Loss: SquaredHinge},
	} {
		c.Lambda, c.Tol, c.Epochs = .02, 1e-8, 100000
		p := Problem[float64]{X: x, Y: y}
		if c.Loss == TopKUsunier {
			p.Weights = weights
		}
		want := solve(t, p, c)
		c.Tol = 1e-6
		p.X, p.Kernel = nil, matrix(t, design.Matrix[float64](x), kernel.Polynomial{Degree: 1}, 0)
		got := solve(t, p, c)
		if p := got.Certificate.Primal; math.Abs(p-want.Certificate.Primal) > 1.1e-6*p {
			t.Errorf("%v: %v, Fit %v", c.Loss, got.Certificate, want.Certificate)
		}
	}
}

// The certificate of a Gaussian kernel, computed again by loops in float64 from the dual variables and the examples.
func TestKernelCertificate(t *testing.T) {
	t.Run("float32", func(t *testing.T) { kernelCertificate[float32](t, 1e-4) })
	t.Run("float64", func(t *testing.T) { kernelCertificate[float64](t, 1e-8) })
}

func kernelCertificate[T vec.Float](t *testing.T, tol float64) {
	const n, d, m, gamma = 90, 7, 5, .1
	x, y := blobs[T](rand.New(rand.NewPCG(23, 24)), n, d, m)
	k := make([][]float64, n)
	for i := range k {
		for j := range n {
			distance := 0.0
			for f, v := range x.Row(i) {
				distance += (float64(v) - float64(x.Row(j)[f])) * (float64(v) - float64(x.Row(j)[f]))
			}
			k[i] = append(k[i], math.Exp(-gamma*distance))
		}
	}
	for _, c := range []Config{{K: 1}, {K: 3}, {K: 2, Loss: TopKUsunier}} {
		c.Lambda, c.Tol, c.Epochs = .003, tol, 100000
		r := solve(t, Problem[T]{Kernel: matrix(t, design.Matrix[T](x), kernel.Gaussian{Gamma: gamma}, 10000), Y: y},
			c)
		loss, sum, norm, normDual, radius := 0.0, 0.0, 0.0, 0.0, 1/(c.Lambda*n)
		exact := vec.NewMatrix[float64](n, m) // with the true class's variable the sum of the others
		for i := range n {
			most := 0.0
			for j, v := range r.Duals.Row(i) {
				if j != y[i] {
					exact.Row(i)[j] = float64(v)
					exact.Row(i)[y[i]] -= float64(v)
					most = max(most, -float64(v))
					if v > 0 {
						t.Fatalf("dual variable %v of row %d, class %d", v, i, j)
					}
				}
			}
			total := exact.Row(i)[y[i]]
			sum += total
			limit := radius
			if c.Loss != TopKUsunier {
				limit = total
			}
			if out := max(total-radius, most-limit/float64(c.K)); out > 1e-12*radius &&
				!(tol > 1e-5 && out < 1e-6*radius) {
				t.Fatalf("dual variables of row %d leave their set by %g", i, out)
			}
		}
		for i := range n {
			h := []float64{}
			s := make([]float64, m)
			for c := range m {
				dual := 0.0
				for j := range n {
					s[c] += k[i][j] * float64(r.Duals.Row(j)[c])
					dual += k[i][j] * exact.Row(j)[c]
				}
				norm += s[c] * float64(r.Duals.Row(i)[c])
				normDual += dual * exact.Row(i)[c]
			}
			for c := range m {
				if c != y[i] {
					h = append(h, 1+s[c]-s[y[i]])
				}
			}
			slices.Sort(h)
			phi := 0.0
			for _, v := range h[len(h)-c.K:] {
				if c.Loss != TopKUsunier || v > 0 {
					phi += v / float64(c.K)
				}
			}
			loss += max(0, phi)
		}
		primal, dual := loss/n+c.Lambda/2*norm, c.Lambda*(sum-normDual/2)
		tolerance := 1e-9 // of float64
		if tol > 1e-5 {
			tolerance = 1e-6 // a variable may be moved into its set by as much as float32 rounds
		}
		if math.Abs(primal-r.Certificate.Primal) > 1e-9*primal || math.Abs(dual-r.Certificate.Dual) > tolerance*primal {
			t.Errorf("%+v: certificate %v %v, recomputed %v %v", c, r.Certificate.Primal, r.Certificate.Dual, primal,
				dual)
		}
	}
}

// What the cache holds, who computes the matrix, and how many work, makes no difference.
func TestKernelSameBits(t *testing.T) {
	n := 200
	if testing.Short() {
		n = 80
	}
	x, y := blobs[float64](rand.New(rand.NewPCG(25, 26)), n, 9, 6)
	c := Config{K: 2, Lambda: .002, Tol: 1e-4, Seed: 3, Workers: 1}
	gaussian := kernel.Gaussian{Gamma: .05}
	p := Problem[float64]{Kernel: matrix(t, design.Matrix[float64](x), gaussian, 1<<30), Y: y}
	want := solve(t, p, c)
	k := vec.NewMatrix[float64](n, n)
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	matrix(t, design.Matrix[float64](x), gaussian, 0).Rows(k, all, 1)
	given, err := kernel.Precomputed(k)
	if err != nil {
		t.Fatal(err)
	}
	for name, k := range map[string]*kernel.Matrix[float64]{
		"none": matrix(t, design.Matrix[float64](x), gaussian, 0), "tiny": matrix(t, design.Matrix[float64](x),
			gaussian, int64(8*n*20)), "precomputed": given,
	} {
		for c.Workers = 1; c.Workers <= 3; c.Workers++ {
			p.Kernel = k
			got := solve(t, p, c)
			if !slices.Equal(got.Duals.Data, want.Duals.Data) || got.Certificate != want.Certificate {
				t.Errorf("%s, %d workers: %v, want %v", name, c.Workers, got.Certificate, want.Certificate)
			}
		}
	}
	scores, again := vec.NewMatrix[float64](n, 6), vec.NewMatrix[float64](n, 6)
	if err := want.Scores(scores, x, nil); err != nil {
		t.Fatal(err)
	}
	p.Kernel = given
	precomputed := solve(t, p, c)
	if err := precomputed.Kernel.ScoresOf(again, k); err != nil {
		t.Fatal(err)
	}
	for i, v := range scores.Data {
		if math.Abs(v-again.Data[i]) > 1e-12 {
			t.Fatalf("score %d: %v, from the given matrix %v", i, v, again.Data[i])
		}
	}
	if err := precomputed.Scores(scores, &dataset.Dense[float64]{Matrix: k}, nil); err != nil ||
		!slices.Equal(scores.Data, again.Data) {
		t.Errorf("scores of kernel values as features differ, %v", err)
	}
	familytest.Contains(t, precomputed.Scores(scores, x, nil),
		fmt.Sprintf("examples of 9 features for a model of %d", n))
	familytest.Contains(t, precomputed.Kernel.ScoresOf(vec.NewMatrix[float64](3, 6), vec.NewMatrix[float64](3, 7)),
		fmt.Sprintf("with 7 of %d training examples", n))
}

// Scores are sums over the support vectors alone, in any storage and for any examples.
func TestKernelModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	n, d, m := 400, 30, 4
	if testing.Short() {
		n = 150
	}
	x, y := blobs[float64](rng, 2*n, d, m)
	for i := range x.Data {
		if rng.IntN(20) > 0 {
			x.Data[i] = 0
		}
	}
	gaussian, c := kernel.Gaussian{Gamma: .2}, Config{Lambda: .01, Tol: 1e-3}
	for name, s := range map[string][2]design.Matrix[float64]{
		"dense": {first(x, n), x}, "csr": {sparse(first(x, n)), sparse(x)},
	} {
		r := solve(t, Problem[float64]{Kernel: matrix(t, s[0], gaussian, 1<<20), Y: y[:n]}, c)
		support, scores := r.Kernel.Support(), vec.NewMatrix[float64](2*n, m)
		if err := r.Scores(scores, s[1], nil); err != nil {
			t.Fatal(err)
		}
		if !slices.IsSorted(support) || len(support) == 0 || r.Kernel.Coefficients().Rows != len(support) {
			t.Fatalf("%s: %d support vectors, %d coefficients", name, len(support), r.Kernel.Coefficients().Rows)
		}
		top, err := solvers.TopK(r, s[1], 2, 0)
		if err != nil {
			t.Fatal(err)
		}
		classes, err := solvers.Predict(r, s[1], 0)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < 2*n; i += 7 {
			want := make([]float64, m)
			for p, j := range support {
				v := math.Exp(-gaussian.Gamma * vec.SquaredDistance(x.Row(i), x.Row(j)))
				vec.Axpy(v, r.Duals.Row(j), want)
				if !slices.Equal(r.Duals.Row(j), r.Kernel.Coefficients().Row(p)) {
					t.Fatalf("coefficients of support vector %d", p)
				}
			}
			for c, v := range want {
				if math.Abs(v-scores.Row(i)[c]) > 1e-12*(1+math.Abs(v)) {
					t.Fatalf("%s: score %v of row %d, class %d, want %v", name, scores.Row(i)[c], i, c, v)
				}
			}
			if best := vec.ArgMax(scores.Row(i)); classes[i] != best || top[i][0] != best {
				t.Errorf("%s: row %d: class %d, top %v, want %d", name, i, classes[i], top[i], best)
			}
		}
	}
}

func TestKernelErrors(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(29, 30)), 20, 3, 4)
	k := matrix(t, design.Matrix[float64](x), kernel.Linear{}, 0)
	fit := func(k *kernel.Matrix[float64], y []int, c Config) error {
		_, err := Problem[float64]{Kernel: k, Y: y}.Fit(context.Background(), c)
		return err
	}
	familytest.Contains(t, fit(k, y, Config{}), "Lambda = 0")
	familytest.Contains(t, fit(k, y, Config{Lambda: 1, Bias: 1}), "Bias = 1 with a kernel")
	familytest.Contains(t, fit(k, y[:3], Config{Lambda: 1}), "3 labels for 20 examples")
	familytest.Contains(t, fit(k, y, Config{Lambda: 1, Classes: math.MaxInt / 8}), "beyond this machine's memory")
	indefinite := vec.NewMatrix[float64](20, 20)
	for i := range 20 {
		for j := range 20 {
			if indefinite.Row(i)[j] = 1; i != j && y[i] == y[j] {
				indefinite.Row(i)[j] = -1
			}
		}
	}
	bad, err := kernel.Precomputed(indefinite)
	if err != nil {
		t.Fatal(err)
	}
	familytest.Contains(t, fit(bad, y, Config{Lambda: .01}), "not positive semi-definite")

	ctx, cancel := context.WithCancel(context.Background())
	r, err := Problem[float64]{Kernel: k, Y: y}.Fit(
		ctx, Config{Lambda: 1e-3, Tol: 1e-12, Progress: func(p solvers.Progress) { cancel() }})
	if !errors.Is(err, context.Canceled) || r.Status != solvers.Canceled || !(r.Certificate.Gap() >= 0) {
		t.Errorf("%+v, %v", r, err)
	}
	wider := &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](2, 4)}
	familytest.Contains(t, r.Scores(vec.NewMatrix[float64](2, 4), wider, nil),
		"examples of 4 features for a model of 3")
	familytest.Contains(t, r.Scores(vec.NewMatrix[float64](2, 4), x, nil),
		"a 2-by-4 matrix for the scores of 20 examples")
	if _, err := solvers.TopK(r, x, 5, 0); err == nil {
		t.Error("5 best of 4 classes")
	}
	r, err = Problem[float64]{Kernel: k, Y: y}.Fit(context.Background(), Config{Lambda: 1e-3, Tol: 1e-12, Epochs: 2})
	if err != nil || r.Status != solvers.EpochLimit || r.Visits < 2*20 || r.Visits >= 2*20+4*20 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestEqualRows: examples that are equal, with labels that contradict each other too, have a K of rank 1 and a W whose
// |W|² is 0 up to rounding, of either sign: it is no reason to refuse K, and the certificate is what loops find.
func TestEqualRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := 3; n < 16; n += 3 {
		x, row, y := vec.NewMatrix[float64](n, 3), []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()},
			make([]int, n)
		for i := range x.Rows {
			copy(x.Row(i), row)
			y[i] = i % 3
		}
		for _, of := range []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: .3},
			kernel.Polynomial{Degree: 3, Offset: .1}} {
			k, err := kernel.New(&dataset.Dense[float64]{Matrix: x}, of, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []Config{{}, {Loss: TopKUsunier}, {Loss: TopKEntropy}} {
				for _, c.Lambda = range []float64{1e-6, 1e-2, .3, 1, 1e3} {
					p := Problem[float64]{Kernel: k, Y: y}
					r, err := p.Fit(context.Background(), c)
					if err != nil {
						t.Fatalf("%#v, %+v: %v", of, c, err)
					}
					honest(t, p, c, r)
				}
			}
		}
	}
}
