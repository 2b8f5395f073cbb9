package tracenorm

import (
	"context"
	"math"

	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers/internal/optim"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// The objective as a function of z, the factors U, d-by-r, and V, m-by-r, of W = U Vᵀ, is
//
//	lambda1/2 (|U|² + |V|²) + lambda2 |U Vᵀ|² + R_n(U Vᵀ)
//
// with a prior's part in R_n: see package nuclear. Its minimum over z is the one over W with rank at most r, since
// |W|_* is the least (|U|² + |V|²)/2.

// split returns the factors that z holds.
func (t *training[T]) split(z []T) (u, v vec.Matrix[T]) {
	return vec.MatrixOf(t.D, t.rank, z[:t.D*t.rank]), vec.MatrixOf(t.M, t.rank,
		z[t.D*t.rank:])
}

// setW sets W to U Vᵀ, whose factors z holds.
func (t *training[T]) setW(z []T) {
	u, v := t.split(z)
	vec.Gemm(vec.NoTrans, vec.Transposed, 1, u, v, 0, t.W)
}

// evaluate returns the objective at z on the present sample, and sets gradient to its gradient in z.
func (t *training[T]) evaluate(ctx context.Context, gradient, z []T) float64 {
	t.spent += t.stages[t.stage]
	release := train.Still(ctx)
	t.setW(z)
	t.Loss = t.Sample.Evaluate(t.G, t.W)
	t.Pull()
	release()
	return t.add(gradient, z)
}

// add returns the objective at the z whose risk was evaluated last, and its gradient.
func (t *training[T]) add(gradient, z []T) float64 {
	u, v := t.split(z)
	gu, gv := t.split(gradient)
	squares := 0.0
	for j := range t.D {
		h := t.h.Row(j)
		copy(h, t.G.Row(j))
		vec.Axpy(T(2*t.Penalty.Lambda2), t.W.Row(j), h)
		squares += float64(vec.SquaredNorm(t.W.Row(j)))
	}
	copy(gradient, z)
	vec.Gemm(vec.NoTrans, vec.NoTrans, 1, t.h, v, T(t.Penalty.Lambda1), gu)
	vec.Gemm(vec.Transposed, vec.NoTrans, 1, t.h, u, T(t.Penalty.Lambda1), gv)
	return t.Loss + t.Penalty.Lambda1/2*optim.Dot(z, z) + t.Penalty.Lambda2*squares
}

// fromZero goes from z = 0 to factors of a step along -S, S = SVT_lambda1(G) with G the gradient there, as long as the
// curvature of the objective allows. It reports whether there is a step: 0 is the optimum where no singular value of G
// is above lambda1.
func (t *training[T]) fromZero(ctx context.Context, evaluate optim.Function[T]) bool {
	evaluate(t.descent.Gradient, t.descent.Z)
	release := train.Still(ctx)
	z := make([]T, len(t.descent.Z))
	filled, ok := t.firstStep(z)
	release()
	copy(t.descent.Z, z)
	if ok && filled < min(t.rank, t.M-1) {
		t.perturb() // W may need directions that G lacks, as for classes without examples; its columns sum to 0
	}
	return ok
}

// firstStep sets z, which is 0, to the end of the step of fromZero, if there is one, and returns how many columns of
// the factors it has filled.
func (t *training[T]) firstStep(z []T) (filled int, ok bool) {
	u, v, sigma, ok := spectral.Decompose(spectral.Float64(t.G))
	if !ok || len(sigma) == 0 || !(sigma[0] > t.Penalty.Lambda1) {
		return 0, false
	}
	// Directions below lambda1 get a little, since 0 is a saddle in z: as much as takes half the slope at most.
	gain, loss := 0.0, 0.0
	for _, s := range sigma[:min(t.rank, len(sigma))] {
		over := s - t.Penalty.Lambda1
		gain, loss = gain+max(0, over)*max(0, over), loss+max(0, -over)
	}
	little := 0.05 * (sigma[0] - t.Penalty.Lambda1)
	if little*loss > gain/2 {
		little = gain / 2 / loss
	}
	zu, zv := t.split(z)
	slope, squares := 0.0, 0.0
	for j := range min(t.rank, len(sigma)) {
		// Over sigma_1², which is in the units of |x|²: scores are then of numbers about 1, whatever the examples'
		// scale.
		share := max(sigma[j]-t.Penalty.Lambda1, little) / sigma[0] / sigma[0]
		if sigma[j] < 1e-6*sigma[0] {
			break
		}
		filled++
		slope, squares = slope+share*(sigma[j]-t.Penalty.Lambda1), squares+share*share
		long := math.Sqrt(math.Sqrt(column(v, j) / column(u, j))) // makes both columns of the same length
		scale := math.Sqrt(share / sigma[j])
		for i := range t.D {
			zu.Row(i)[j] = T(-scale * long * u.Row(i)[j])
		}
		for i := range t.M {
			zv.Row(i)[j] = T(scale / long * v.Row(i)[j])
		}
	}
	t.setW(z)
	t.spent += t.stages[t.stage] / 2
	vec.Scale(T(math.Sqrt(max(0, slope)/(t.Sample.Curvature(t.W)+2*t.Penalty.Lambda2*squares))), z)
	return filled, true
}

// column returns the squared length of a column.
func column[T vec.Float](a vec.Matrix[T], j int) (sum float64) {
	for i := range a.Rows {
		v := float64(a.Row(i)[j])
		sum += v * v
	}
	return sum
}
