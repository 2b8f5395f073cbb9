package rankone

import (
	"github.com/dualgap/dualgap/solvers/internal/optim"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/vec"
)

// weigh solves (8), the best weights of the atoms, by a quasi-Newton method with bounds, until no slope of I along an
// atom with a weight is above epsilon and none of the others below -epsilon, and drops the atoms without a weight. It
// reports whether I has fallen.
func (d *descent[T]) weigh() bool {
	const most = 50 // evaluations
	d.added = 0
	before := d.Loss + d.penalty()
	k := d.inner()
	z := risk.Padded[T](len(d.theta), d.M)
	after := optim.Nonnegative(d.theta, func(g, theta []float64) float64 {
		loss := d.at(theta)
		// g_i = lambda1 + (X u_i)ᵀ A v_i/n + 2 lambda2 sum_j <u_i v_iᵀ, u_j v_jᵀ> theta_j, with the rows A of the risk
		vec.GemmWorkers(vec.NoTrans, vec.NoTrans, 1/T(d.N), d.x, d.Sample.Duals(), 0, z, d.Workers)
		for i, t := range theta {
			g[i] = d.Lambda1 + float64(vec.Dot(z.Row(i), d.v.Row(i)))
			loss += d.Lambda1 * t
			if d.Lambda2 > 0 {
				kt := vec.Dot(k.Row(i), theta)
				g[i] += 2 * d.Lambda2 * kt
				loss += d.Lambda2 * t * kt
			}
		}
		return loss
	}, d.epsilon, most)
	d.drop()
	d.Loss = d.at(d.theta)
	for j := range d.D {
		clear(d.W.Row(j))
	}
	vec.GemmWorkers(vec.Transposed, vec.NoTrans, 1, d.u, d.scaled(d.theta), 0, d.W, d.Workers)
	return after < before
}

// at sets the scores to X W = sum_i theta_i (X u_i) v_iᵀ, for weights theta, and returns the risk there.
func (d *descent[T]) at(theta []float64) float64 {
	vec.GemmWorkers(vec.Transposed, vec.NoTrans, 1, d.x, d.scaled(theta), 0, d.scores, d.Workers)
	return d.risk()
}

// scaled returns the rows theta_i v_iᵀ.
func (d *descent[T]) scaled(theta []float64) vec.Matrix[T] {
	rows := risk.Padded[T](len(theta), d.M)
	for i, t := range theta {
		vec.Axpy(T(t), d.v.Row(i), rows.Row(i))
	}
	return rows
}

// inner returns the inner products of the atoms, <u_i, u_j> <v_i, v_j>, or nothing where lambda2 is 0.
func (d *descent[T]) inner() (k vec.Matrix[float64]) {
	if d.Lambda2 == 0 {
		return k
	}
	s := len(d.theta)
	uu, vv := vec.NewMatrix[T](s, s), vec.NewMatrix[T](s, s)
	vec.GramWorkers(uu, d.u, d.Workers)
	vec.Gram(vv, d.v)
	k = vec.NewMatrix[float64](s, s)
	for i := range k.Data {
		k.Data[i] = float64(uu.Data[i]) * float64(vv.Data[i])
	}
	return k
}
