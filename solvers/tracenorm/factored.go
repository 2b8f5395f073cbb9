package tracenorm

import (
	"math"

	"github.com/dualgap/dualgap/solvers/internal/optim"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/vec"
)

// factored is the objective as a function of z, the factors U, d-by-r, and V, k-by-r, of W = U Vᵀ:
//
//	lambda1/2 (|U|² + |V|²) + lambda2 |U Vᵀ|² + R_n(U Vᵀ)
//
// whose minimum over z is that over W with rank at most r, since |W|_* is the least (|U|² + |V|²)/2.
type factored[T vec.Float] struct {
	penalty
	d, k, r int

	w, g vec.Matrix[T] // W and the gradient of the risk at it
	loss float64
	h    vec.Matrix[T] // g + 2 lambda2 W
}

func newFactored[T vec.Float](p penalty, d, k, r int) *factored[T] {
	f := &factored[T]{penalty: p, d: d, k: k, r: r}
	f.w, f.g, f.h = risk.Padded[T](d, k), risk.Padded[T](d, k), risk.Padded[T](d, k)
	return f
}

// size returns the length of z.
func (f *factored[T]) size() int { return (f.d + f.k) * f.r }

// split returns the factors that z holds.
func (f *factored[T]) split(z []T) (u, v vec.Matrix[T]) {
	return vec.MatrixOf(f.d, f.r, z[:f.d*f.r]), vec.MatrixOf(f.k, f.r, z[f.d*f.r:])
}

// setW sets W to that of z.
func (f *factored[T]) setW(z []T) {
	u, v := f.split(z)
	vec.Gemm(vec.NoTrans, vec.Transposed, 1, u, v, 0, f.w)
}

// value returns the objective at z, with the given risk, and its gradient in z.
func (f *factored[T]) value(gradient, z []T, r *risk.Risk[T]) float64 {
	f.setW(z)
	f.loss = r.Evaluate(f.g, f.w)
	return f.add(gradient, z)
}

// add returns the objective at the z whose risk was evaluated last, and its gradient.
func (f *factored[T]) add(gradient, z []T) float64 {
	u, v := f.split(z)
	gu, gv := f.split(gradient)
	squares := 0.0
	for j := range f.d {
		h := f.h.Row(j)
		copy(h, f.g.Row(j))
		vec.Axpy(T(2*f.lambda2), f.w.Row(j), h)
		squares += float64(vec.SquaredNorm(f.w.Row(j)))
	}
	copy(gradient, z)
	vec.Gemm(vec.NoTrans, vec.NoTrans, 1, f.h, v, T(f.lambda1), gu)
	vec.Gemm(vec.Transposed, vec.NoTrans, 1, f.h, u, T(f.lambda1), gv)
	return f.loss + f.lambda1/2*optim.Dot(z, z) + f.lambda2*squares
}

// primal returns an upper bound of the objective at W, tight where the factors are balanced and their columns orthogonal,
// and <W, G>.
func (f *factored[T]) primal(z []T) (value, wg float64) {
	squares := 0.0
	for j := range f.d {
		squares += float64(vec.SquaredNorm(f.w.Row(j)))
		wg += float64(vec.Dot(f.w.Row(j), f.g.Row(j)))
	}
	u, v := f.split(z)
	return f.loss + f.of(lengths(u, v), squares), wg
}

// fromZero sets z to factors of a step from W = 0 along -S, S = SVT_lambda1(G) with G the gradient there, as long as the
// curvature of the objective calls for. It reports whether there is a step: 0 is the optimum where no singular value of G
// is above lambda1.
func (f *factored[T]) fromZero(z []T, r *risk.Risk[T]) bool {
	clear(z)
	f.setW(z)
	f.loss = r.Evaluate(f.g, f.w)
	u, v, sigma, ok := decompose(toFloat64(f.g))
	if !ok || len(sigma) == 0 || !(sigma[0] > f.lambda1) {
		return false
	}
	zu, zv := f.split(z)
	slope, squares := 0.0, 0.0
	for j := range min(f.r, len(sigma)) {
		// Directions below lambda1 get a little, since 0 is a saddle in z.
		share := max(sigma[j]-f.lambda1, 0.05*(sigma[0]-f.lambda1))
		if sigma[j] < 1e-6*sigma[0] {
			break
		}
		slope, squares = slope+share*(sigma[j]-f.lambda1), squares+share*share
		long := math.Sqrt(math.Sqrt(column(v, j) / column(u, j))) // makes both columns of the same length
		scale := math.Sqrt(share / sigma[j])
		for i := range f.d {
			zu.Row(i)[j] = T(-scale * long * u.Row(i)[j])
		}
		for i := range f.k {
			zv.Row(i)[j] = T(scale / long * v.Row(i)[j])
		}
	}
	f.setW(z)
	vec.Scale(T(math.Sqrt(max(0, slope)/(r.Curvature(f.w)+2*f.lambda2*squares))), z)
	return true
}

// column returns the squared length of a column.
func column[T vec.Float](a vec.Matrix[T], j int) (sum float64) {
	for i := range a.Rows {
		v := float64(a.Row(i)[j])
		sum += v * v
	}
	return sum
}
