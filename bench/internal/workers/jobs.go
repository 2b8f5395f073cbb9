package workers

import (
	"context"
	"math/rand/v2"
	"runtime"

	"gonum.org/v1/gonum/lapack"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/vec/gonumblas"
)

// jobs are what is measured. Their operands are larger than the second-level cache of a core.
var jobs = []job{
	{"gemm 1024", product[float32](1024)}, {"gemm 1024 f64", product[float64](1024)},
	{"gemm 4096", product[float32](4096)},
	{"scores dense", pass(1, false)}, {"scores sparse", pass(8, false)},
	{"accumulate dense", pass(1, true)}, {"accumulate sparse", pass(8, true)},
	{"svd 1000 f64", decompose}, {"pq search", search},
	{"topk images", topImages}, {"topk large", topLarge}, {"topk blocks", topBlocks},
	{"m3l dense", labels(1)}, {"m3l sparse", labels(4)}, {"m3l prior", related},
	{"toprank", ranks}, {"toprank kernel", kernelRanks}, {"topk kernel", kernelTop},
	{"tracenorm", lowRank}, {"mkl", manyKernels},
}

// product multiplies two matrices of n rows and columns.
func product[T vec.Float](n int) func(part int) (run, error) {
	return func(part int) (run, error) {
		n := n / part
		a, b, c := normal[T](n, n, 1), normal[T](n, n, 2), vec.NewMatrix[T](n, n)
		return calls(func(workers int) { vec.GemmWorkers(vec.NoTrans, vec.NoTrans, 1, a, b, 0, c, workers) }), nil
	}
}

// calls returns the run of what neither fails nor stops.
func calls(f func(workers int)) run {
	return func(_ context.Context, workers int) (float64, error) {
		f(workers)
		return 0, nil
	}
}

// pass computes the scores of 40000 examples of 784 features for 10 outputs, or what they add to W. One feature of
// sparsity is not 0.
func pass(sparsity int, back bool) func(part int) (run, error) {
	return func(part int) (run, error) {
		const n, d, m = 40000, 784, 10
		x, err := examples(thinned(normal[float32](n/part, d, 1), sparsity), sparsity > 1)
		w, a := normal[float32](d, m, 2), normal[float32](n/part, m, 3)
		return calls(func(workers int) {
			if back {
				design.AccumulateAll(w, a, x, workers)
			} else {
				design.ScoresAll(a, w, x, workers)
			}
		}), err
	}
}

// examples returns the rows of x, in sparse storage if asked for.
func examples(x vec.Matrix[float32], sparse bool) (design.Matrix[float32], error) {
	dense, err := dataset.NewDense(x)
	if err != nil || !sparse {
		return dense, err
	}
	csr, err := dense.CSR()
	if err != nil {
		return nil, err
	}
	return csr.WithColumns()
}

// decompose computes the singular values and both sides' vectors of 1000 by 1000 numbers. Products of matrices inside
// take as many workers as Go runs at once.
func decompose(part int) (run, error) {
	n := 1000 / part
	a, u, vt := normal[float64](n, n, 1), vec.NewMatrix[float64](n, n), vec.NewMatrix[float64](n, n)
	lu, s, room := vec.NewMatrix[float64](n, n), make([]float64, n), make([]float64, 1)
	svd := func(work []float64, size int) {
		gonumblas.Lapack{}.Dgesvd(lapack.SVDAll, lapack.SVDAll, n, n, lu.Data, lu.Stride, s, u.Data, u.Stride, vt.Data,
			vt.Stride, work, size)
	}
	svd(room, -1)
	work := make([]float64, int(room[0]))
	return calls(func(workers int) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
		copy(lu.Data, a.Data)
		svd(work, len(work))
	}), nil
}

// search finds the ten nearest of 200000 vectors of 128 dimensions, by codes of 16 bytes, to each of 1000 queries.
func search(part int) (run, error) {
	const d, seen = 128, 10000
	x, queries := normal[float32](200000/part, d, 1), normal[float32](1000/part, d, 2)
	q, err := pq.Train(context.Background(), x.Slice(0, min(seen, x.Rows), 0, d), pq.Config{M: 16, Iterations: 5})
	if err != nil {
		return nil, err
	}
	index, err := pq.NewIndex(q, pq.L2)
	if err != nil {
		return nil, err
	}
	if err := index.Add(x, 0); err != nil {
		return nil, err
	}
	return func(_ context.Context, workers int) (float64, error) {
		_, err := index.SearchBatch(queries, pq.Search{K: 10}, workers)
		return 0, err
	}, nil
}

// normal returns numbers drawn from the normal distribution.
func normal[T vec.Float](rows, cols int, seed uint64) vec.Matrix[T] {
	x, random := vec.NewMatrix[T](rows, cols), rand.New(rand.NewPCG(seed, 0))
	for i := range x.Data {
		x.Data[i] = T(random.NormFloat64())
	}
	return x
}

// thinned keeps one number of sparsity, the others become 0.
func thinned(x vec.Matrix[float32], sparsity int) vec.Matrix[float32] {
	random := rand.New(rand.NewPCG(3, 4))
	for i := range x.Data {
		if random.IntN(sparsity) > 0 {
			x.Data[i] = 0
		}
	}
	return x
}
