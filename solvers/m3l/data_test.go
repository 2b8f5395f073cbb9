package m3l

import (
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/m3ltruth"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// documents draws n examples of d features, each a sum of the directions of its labels and noise, with sets of m
// labels: some empty, some full, and in some of them the first two labels together.
func documents[T vec.Float](rng *rand.Rand, n, d, m int) (*dataset.Dense[T], [][]int) {
	directions, x, sets := vec.NewMatrix[T](m, d), vec.NewMatrix[T](n, d), make([][]int, n)
	for k := range directions.Data {
		directions.Data[k] = T(rng.NormFloat64())
	}
	for i := range n {
		switch rng.IntN(8) {
		case 0:
		case 1:
			sets[i] = rng.Perm(m)
		case 2, 3:
			sets[i] = rng.Perm(m)[:min(2, m)]
		case 4:
			sets[i] = []int{min(1, m-1), 0}[:min(2, m)]
		default:
			sets[i] = []int{rng.IntN(m)}
		}
		for j := range d {
			x.Row(i)[j] = T(rng.NormFloat64())
		}
		for _, l := range sets[i] {
			vec.Axpy(1, directions.Row(l), x.Row(i))
		}
	}
	return &dataset.Dense[T]{Matrix: x}, sets
}

// thin returns x with zeros in place of all numbers but about one of every, dense and sparse.
func thin[T vec.Float](t testing.TB, rng *rand.Rand, x *dataset.Dense[T], every int) (*dataset.Dense[T],
	*dataset.CSR[T]) {
	t.Helper()
	thinned := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](x.Rows, x.Cols)}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if rng.IntN(every) == 0 {
				thinned.Row(i)[j] = v
			}
		}
	}
	sparse, err := thinned.CSR()
	if err != nil {
		t.Fatal(err)
	}
	return thinned, sparse
}

// compressed draws n product-quantized examples of 12 features, with sets of m labels.
func compressed(t testing.TB, n, m int) (*pq.Matrix, [][]int) {
	t.Helper()
	const d, parts = 12, 4
	rng := rand.New(rand.NewPCG(93, 94))
	centroids, codes, sets := make([]float32, 256*d), make([]byte, n*parts), make([][]int, n)
	for i := range centroids {
		centroids[i] = float32(rng.NormFloat64())
	}
	for i := range codes {
		codes[i] = byte(rng.IntN(256))
	}
	q, err := pq.New(d, parts, 8, centroids, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := pq.NewMatrix(q, n, codes, pq.MatrixOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range sets {
		if sets[i] = []int{int(codes[i*parts]) % m}; codes[i*parts+1]%2 == 0 {
			sets[i] = append(sets[i], (sets[i][0]+1)%m)
		}
	}
	return x, sets
}

func kernelOf[T vec.Float](t testing.TB, x design.Matrix[T], k kernel.Kernel) *kernel.Matrix[T] {
	t.Helper()
	m, err := kernel.New(x, k, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// singles are the sets of one class each.
func singles(y []int) [][]int {
	sets := make([][]int, len(y))
	for i := range y {
		sets[i] = y[i : i+1]
	}
	return sets
}

func matrixOf(rows [][]float64) vec.Matrix[float64] { return m3ltruth.Matrix[float64](rows) }

func identity(m int) vec.Matrix[float64] {
	r := vec.NewMatrix[float64](m, m)
	for l := range m {
		r.Row(l)[l] = 1
	}
	return r
}

// factor draws rank rows of m numbers.
func factor(rng *rand.Rand, m, rank int) vec.Matrix[float64] {
	p := vec.NewMatrix[float64](rank, m)
	for k := range p.Data {
		p.Data[k] = rng.NormFloat64()
	}
	return p
}

// lowRank draws PᵀP, where P has rank rows of m numbers.
func lowRank(rng *rand.Rand, m, rank int) vec.Matrix[float64] { return formed(factor(rng, m, rank), 0) }

// formed returns PᵀP + ridge I.
func formed(p vec.Matrix[float64], ridge float64) vec.Matrix[float64] {
	r := vec.NewMatrix[float64](p.Cols, p.Cols)
	vec.Gemm(vec.Transposed, vec.NoTrans, 1, p, p, 0, r)
	for l := range p.Cols { // the products of both halves may be rounded in another order
		for k := range l {
			r.Row(l)[k] = r.Row(k)[l]
		}
		r.Row(l)[l] += ridge
	}
	return r
}

// prior is R, or what it is made of.
type prior struct {
	r, p  vec.Matrix[float64]
	ridge float64
}

// priors are priors of m labels: of full rank, of low rank, and with a label of its own R of 0; formed and by factors.
func priors(rng *rand.Rand, m int) map[string]prior {
	dense, hole := lowRank(rng, m, 2*m), lowRank(rng, m, m)
	for l := range m {
		hole.Row(m / 2)[l], hole.Row(l)[m/2] = 0, 0
	}
	zero := factor(rng, m, 3)
	for k := range zero.Rows {
		zero.Row(k)[m/2] = 0
	}
	return map[string]prior{
		"no": {}, "dense": {r: dense}, "rank 1": {r: lowRank(rng, m, 1)}, "rank 5": {r: lowRank(rng, m, 5)},
		"a zero row in": {r: hole},
		"a factor of":   {p: factor(rng, m, 1)}, "a factor and a ridge of": {p: factor(rng, m, 3), ridge: .25},
		"a tall factor of": {p: factor(rng, m, 2*m)}, "a zero column in the factor of": {p: zero},
	}
}
