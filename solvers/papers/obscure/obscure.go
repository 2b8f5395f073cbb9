// Package obscure is the method of the paper on p-norm multi-kernel learning, OBSCURE, its Algorithms 1 and 2:
// subgradient steps on the primal objective with norms |w|_{2,p}. With lambda = 1/(C n), it minimises
//
//	lambda/2 |w|²_{2,p} + 1/n sum_i max(0, 1 - s_{y_i}(x_i) + max over y != y_i of s_y(x_i)).
//
// theta^j = sum_i phi^j(x_i) b_iᵀ has the same coefficients b_i for all kernels j, and w^j = c_j theta^j / q with c_j =
// (|theta^j| / |theta|_{2,q})^{q-2}. A step costs O(n F), and O(1) for each coefficient that is not 0. Package mkl is
// many times faster, and knows when to end.
//
// The paper is "Online-batch strongly convex multi kernel learning" by Orabona, Luo and Caputo, CVPR 2010. Its
// Algorithm 2 has argmax over all classes in line 5, where that over the wrong ones is meant.
package obscure

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// method is the two stages under way, from theta = 0.
type method[T vec.Float] struct {
	p        Problem[T]
	lambda   float64
	n        int
	q        float64
	rng      *rand.Rand
	diagonal [][]T // of each kernel

	scale float64   // theta is scale times what the coefficients say
	held  [][]entry // of each example: its coefficients that are not 0
	norms []float64 // |theta^j|²
	c     []float64

	order []int // of the examples, and
	at    int   // how far it has come
	rows  []vec.Matrix[T]
	first int // the place in order of the first of rows
	count int // of these

	sum, u []T       // values of an example with all others; coefficients of two classes, their difference
	scores []float64 // of an example

	s     float64 // s_t of stage 2
	steps float64 // of stage 2
}

// entry is a coefficient of an example.
type entry struct {
	class int
	value float64
}

// begin returns the method at its start.
func begin[T vec.Float](p Problem[T], seed uint64) *method[T] {
	n, kernels := p.Bundle.Len(), p.Bundle.Kernels()
	s := &method[T]{
		p: p, lambda: 1 / (p.C * float64(n)), n: n, q: p.P / (p.P - 1), rng: rand.New(rand.NewPCG(seed, 0)), scale: 1,
		held:  make([][]entry, n),
		norms: make([]float64, kernels), c: make([]float64, kernels), order: make([]int, n), at: n,
		rows: make([]vec.Matrix[T], kernels),
		sum:  make([]T, n), u: make([]T, n), scores: make([]float64, p.Classes),
	}
	const most = 1 << 24 // numbers of rows that are computed together
	together := min(64, n, max(1, most/(n*kernels)))
	for j := range kernels {
		s.diagonal = append(s.diagonal, make([]T, n))
		p.Bundle.Diagonal(s.diagonal[j], j)
		s.rows[j] = vec.NewMatrix[T](together, n)
	}
	for i := range s.order {
		s.order[i] = i
	}
	return s
}

// next returns the next example, of a random order of all, and its place among the rows that are computed.
func (s *method[T]) next() (i, row int) {
	if s.at == s.n {
		s.rng.Shuffle(s.n, func(p, q int) { s.order[p], s.order[q] = s.order[q], s.order[p] })
		s.at, s.first, s.count = 0, 0, 0
	}
	if s.at == s.first+s.count {
		s.first, s.count = s.at, min(s.rows[0].Rows, s.n-s.at)
		some := make([]vec.Matrix[T], len(s.rows))
		for j := range some {
			some[j] = s.rows[j].Slice(0, s.count, 0, s.n)
		}
		s.p.Bundle.Rows(some, s.order[s.at:s.at+s.count])
	}
	i, row = s.order[s.at], s.at-s.first
	s.at++
	return i, row
}

// look computes the scores of an example, and returns the wrong class of the largest one, and the loss.
func (s *method[T]) look(i, row int) (worst int, loss float64) {
	clear(s.sum)
	for j, c := range s.c {
		if c > 0 {
			vec.Axpy(T(c*s.scale/s.q), s.rows[j].Row(row), s.sum)
		}
	}
	clear(s.scores)
	for l, held := range s.held {
		for _, e := range held {
			s.scores[e.class] += float64(s.sum[l]) * e.value
		}
	}
	worst = -1
	for y, v := range s.scores {
		if y != s.p.Y[i] && (worst < 0 || v > s.scores[worst]) {
			worst = y
		}
	}
	return worst, max(0, 1+s.scores[worst]-s.scores[s.p.Y[i]])
}

// add makes theta greater by eta z, z = phi(x_i, y_i) - phi(x_i, worst), of which the squared norm is 2 K_ii.
func (s *method[T]) add(i, row, worst int, eta float64) {
	y := s.p.Y[i]
	for l, held := range s.held {
		s.u[l] = 0
		for _, e := range held {
			switch e.class {
			case y:
				s.u[l] += T(e.value)
			case worst:
				s.u[l] -= T(e.value)
			}
		}
	}
	for j := range s.norms {
		inner := s.scale * float64(vec.Dot(s.rows[j].Row(row), s.u))
		s.norms[j] = max(0, s.norms[j]+2*eta*inner+2*eta*eta*float64(s.diagonal[j][i]))
	}
	s.change(i, y, eta/s.scale)
	s.change(i, worst, -eta/s.scale)
	s.weigh()
}

// change adds to a coefficient.
func (s *method[T]) change(i, class int, by float64) {
	p := slices.IndexFunc(s.held[i], func(e entry) bool { return e.class == class })
	if p < 0 {
		s.held[i] = append(s.held[i], entry{class, by})
		return
	}
	s.held[i][p].value += by
}

// shrink multiplies theta, which leaves the weights of the kernels as they are.
func (s *method[T]) shrink(by float64) {
	s.scale *= by
	for j := range s.norms {
		s.norms[j] *= by * by
	}
	if s.scale < 1e-10 { // into the coefficients, before these are beyond float32
		for _, held := range s.held {
			for p := range held {
				held[p].value *= s.scale
			}
		}
		s.scale = 1
	}
}

// weigh sets c, in logarithms: near p = 1 the powers underflow where norms are still of a size.
func (s *method[T]) weigh() {
	norm := dual(s.norms, s.q)
	for j, v := range s.norms {
		s.c[j] = 0
		if v > 0 {
			s.c[j] = math.Exp((s.q - 2) / 2 * math.Log(v/norm))
		}
	}
}

// dual returns |theta|²_{2,q} of squared norms.
func dual(squares []float64, q float64) float64 {
	most := slices.Max(squares)
	if most == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range squares {
		sum += math.Pow(v/most, q/2)
	}
	return most * math.Pow(sum, 2/q)
}

// online takes steps of Algorithm 1, and returns how many, and how many moved theta. It ends early with ctx.
//
//	4     sample (x_t, y_t)
//	5     y^_t = argmax over y != y_t of <w_t, phi(x_t, y)>
//	6-8   theta <- theta + eta z_t, z_t = phi(x_t, y_t) - phi(x_t, y^_t), if the loss is above 0
//	9     w^j = 1/q (|theta^j| / |theta|_{2,q})^{q-2} theta^j: see weigh
func (s *method[T]) online(ctx context.Context, steps int, eta float64) (done, moves int) {
	for ; done < steps && (done%64 > 0 || ctx.Err() == nil); done++ {
		i, row := s.next()
		if worst, loss := s.look(i, row); loss > 0 {
			s.add(i, row, worst, eta)
			moves++
		}
	}
	return done, moves
}

// batch takes steps of Algorithm 2 with the bound R of |w|, and returns how many, and how many found a loss.
//
//	4-7   y^_t and z_t as in Algorithm 1; z_t = 0 without a loss
//	8-9   d_t = lambda t + s_{t-1},  s_t = s_{t-1} + (sqrt(d_t² + q (lambda/q |theta| + |z_t|)²/R²) - d_t)/2
//	10    eta_t = q/(lambda t + s_t)
//	11    theta <- (1 - lambda eta_t/q) theta + eta_t z_t
//	12    theta <- min(1, q R/|theta|) theta
//	13    w as in Algorithm 1
func (s *method[T]) batch(ctx context.Context, steps int, bound float64) (done, moves int) {
	lambda, z := s.lambda, make([]float64, len(s.norms))
	for ; done < steps && (done%64 > 0 || ctx.Err() == nil); done++ {
		s.steps++
		i, row := s.next()
		worst, loss := s.look(i, row)
		length := lambda / s.q * math.Sqrt(dual(s.norms, s.q))
		if loss > 0 {
			moves++
			for j := range z {
				z[j] = 2 * float64(s.diagonal[j][i])
			}
			length += math.Sqrt(dual(z, s.q))
		}
		d := lambda*s.steps + s.s
		s.s += 0.5 * (math.Sqrt(d*d+s.q*length*length/(bound*bound)) - d)
		eta := s.q / (lambda*s.steps + s.s)
		if keep := 1 - lambda*eta/s.q; keep > 0 {
			s.shrink(keep)
		} else { // the first step where R is large
			s.forget()
		}
		if loss > 0 {
			s.add(i, row, worst, eta)
		}
		if norm := math.Sqrt(dual(s.norms, s.q)); norm > s.q*bound {
			s.shrink(s.q * bound / norm)
		}
	}
	return done, moves
}

// forget makes theta 0.
func (s *method[T]) forget() {
	clear(s.norms)
	clear(s.c)
	for i := range s.held {
		s.held[i] = s.held[i][:0]
	}
	s.scale = 1
}

// weights returns the weight of each kernel in the scores, c_j / q.
func (s *method[T]) weights() []float64 {
	weights := slices.Clone(s.c)
	vec.Scale(1/s.q, weights)
	return weights
}

// coefficients sets dst, n-by-classes, to the coefficients of theta.
func (s *method[T]) coefficients(dst vec.Matrix[T]) {
	for i, held := range s.held {
		clear(dst.Row(i))
		for _, e := range held {
			dst.Row(i)[e.class] = T(s.scale * e.value)
		}
	}
}

// square returns |w|²_{2,p} = |theta|²_{2,q} / q².
func (s *method[T]) square() float64 { return dual(s.norms, s.q) / (s.q * s.q) }
