package cases

import (
	"math/rand/v2"
	"runtime"

	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	lapack "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// decompositions are what gonum's mat does, in float64 alone, on top of whatever BLAS is in use: ours plays against
// gonum's own. on returns the call to be timed, which reuses its memory as far as mat does, and a number that follows
// from its result; plain finds that number without it.
func decompositions[T vec.Float]() (rows []Kernel[T]) {
	for _, d := range []struct {
		name  string
		n     int
		slack float64
		fill  func(p *Operands[T], random *rand.Rand)
		on    func(a *mat.Dense) (call func(), result func() float64)
		plain func(a mat.Matrix) float64
	}{
		{"MatMul", 512, 0, nil, mul, sumOfProduct},
		{"MatSVD", 256, 1e-10, nil, svd, sumOfSquares},
		{"MatEigenSym", 256, 1e-10, nil, eigenSym,
			func(a mat.Matrix) float64 { return sumOfSquares(upper(a.(*mat.Dense))) }},
		{"MatCholesky", 512, 1e-10, wellConditioned[T], cholesky, mat.Trace},
		{"MatSolve", 512, 1e-10, wellConditioned[T], solve, mat.Sum},
	} {
		rows = append(rows, Kernel[T]{
			Name: d.name, peers: [][]int{{d.n, d.n}}, shape: squareAlone, costs: costs{moved: square}, slack: d.slack,
			fill:  d.fill,
			Ours:  pick[T](nil, onGonum(gonumblas.Use, d.on)),
			Plain: pick[T](nil, each(func(p *Operands[float64]) { p.Out = d.plain(dense(p)) })),
			Gonum: pick[T](nil, onGonum(gonumAlone, d.on)),
		})
	}
	return rows
}

// wellConditioned makes A positive definite, too.
func wellConditioned[T vec.Float](p *Operands[T], _ *rand.Rand) {
	for i := range p.A.Rows {
		p.A.Row(i)[i] = T(p.A.Cols)
	}
}

func mul(a *mat.Dense) (func(), func() float64) {
	var c mat.Dense
	return func() { c.Mul(a, a) }, func() float64 { return mat.Sum(&c) }
}

func svd(a *mat.Dense) (func(), func() float64) {
	var d mat.SVD
	return func() { d.Factorize(a, mat.SVDThin) }, func() float64 { return squares(d.Values(nil)) }
}

func eigenSym(a *mat.Dense) (func(), func() float64) {
	var d mat.EigenSym
	return func() { d.Factorize(upper(a), true) }, func() float64 { return squares(d.Values(nil)) }
}

func cholesky(a *mat.Dense) (func(), func() float64) {
	var d mat.Cholesky
	return func() { d.Factorize(upper(a)) }, func() float64 { return sumOfSquares(d.RawU()) }
}

func solve(a *mat.Dense) (func(), func() float64) {
	var d mat.LU
	var x, b mat.Dense
	call := func() {
		d.Factorize(a)
		if d.SolveTo(&x, false, a.T()) != nil {
			x.Zero()
		}
	}
	return call, func() float64 { b.Mul(a, &x); return mat.Sum(&b) }
}

// onGonum holds gonum, which would use all of them, to one processor.
func onGonum(use func(), on func(a *mat.Dense) (call func(), result func() float64)) Loop[float64] {
	return func(p *Operands[float64], iters int) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		use()
		defer gonumAlone()
		call, result := on(dense(p))
		for range iters {
			call()
		}
		p.settle = func() { p.Out = result() }
	}
}

// gonumAlone undoes gonumblas.Use.
func gonumAlone() {
	blas32.Use(gonum.Implementation{})
	blas64.Use(gonum.Implementation{})
	lapack64.Use(lapack.Implementation{})
}

func dense(p *Operands[float64]) *mat.Dense { return mat.NewDense(p.A.Rows, p.A.Cols, p.A.Data) }

// upper is the symmetric matrix with a's upper triangle.
func upper(a *mat.Dense) *mat.SymDense {
	n, _ := a.Dims()
	return mat.NewSymDense(n, a.RawMatrix().Data)
}

// sumOfProduct is the sum of all elements of A A.
func sumOfProduct(a mat.Matrix) (sum float64) {
	n, _ := a.Dims()
	for i := range n {
		sum += mat.Sum(a.(*mat.Dense).ColView(i)) * mat.Sum(a.(*mat.Dense).RowView(i))
	}
	return sum
}

// sumOfSquares is the sum of the squares of all elements, and of the squares of all singular values.
func sumOfSquares(a mat.Matrix) float64 { return squares(mat.DenseCopyOf(a).RawMatrix().Data) }

func squares(x []float64) (sum float64) {
	for _, v := range x {
		sum += v * v
	}
	return sum
}
