package interior

import (
	"slices"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// blocks is a problem of many groups with K = X Xᵀ. Without K the equations of a Newton step are blocks of their own,
// of a group each,
//
//	A (dv, dp) = (b, e),   A = (D, B; Bᵀ, E),
//
// which are solved in O(n) by their Schur complements S = E - BᵀD⁻¹B, 3-by-3. K then is of rank d: by the formula of
// Sherman, Morrison and Woodbury, with (u, p) = A⁻¹ (b, e) and the rows of X signed as the variables are,
//
//	(dv, dp) = (u, p) - A⁻¹ (X m, 0),   m = G⁻¹ Xᵀu,   G = I + XᵀD⁻¹X + Σ Z S⁻¹ Zᵀ,   Z = XᵀD⁻¹B of a group, d-by-3.
//
// An iteration costs O(n d² + g d²), where by the Schur complement of all groups it would be O(n g d + g³).
type blocks struct {
	*Features
	at      [][]int             // the examples of each group
	b       vec.Matrix[float64] // of each example, signed: its row of D⁻¹B
	d, c, f []float64           // of each example
	z, sz   vec.Matrix[float64] // of each group three rows: Zᵀ and S⁻¹ Zᵀ
}

func newBlocks(p *Problem) *blocks {
	x := p.K.(*Features)
	s := &blocks{
		Features: x, at: make([][]int, p.Groups),
		b: vec.NewMatrix[float64](x.n, 3), d: make([]float64, x.n), c: make([]float64, x.n), f: make([]float64, x.n),
		z: vec.NewMatrix[float64](3*groupsAtOnce, x.d), sz: vec.NewMatrix[float64](3*groupsAtOnce, x.d),
	}
	for _, side := range []Side{p.Plus, p.Minus} {
		for u, i := range side.Examples {
			s.at[side.GroupOf[u]] = append(s.at[side.GroupOf[u]], i)
		}
	}
	return s
}

// groupsAtOnce is of how many groups the last sum in G is one product.
const groupsAtOnce = 64

// BlockRows is how many rows of d numbers a problem of groups takes for these.
const BlockRows = 2 * 3 * groupsAtOnce

// schurOfGroups sets S, free of differences of large numbers: where variables are at their bounds t/w is nearly all
// of D. With r the ratio of the group, a row of B of Minus is (-r t/w, 0, 1), of Plus (0, 1, 0); where sums are not
// tied rows are (0, -1, 0) and (0, 1, 0).
func (s *Solver) schurOfGroups() {
	for g := range s.schur {
		s.schur[g] = [3][3]float64{{1, 0, 0}, {0, 0, 0}, {0, 0, 1}}
		if s.p.Tied {
			s.schur[g] = [3][3]float64{{s.zs[g] / s.s[g], -1, -1}, {-1, 0, 0}, {-1, 0, 0}}
		}
	}
	for i, h := range s.sides {
		y := 1
		if s.p.Tied {
			y += i
		}
		for u, g := range h.group {
			e := &s.schur[g]
			e[y][y] -= 1 / h.d[u]
			if r := h.ratios[g]; r > 0 {
				bound := h.t[u] / h.w[u]
				rest := max(h.Quadratic+h.z[u]/h.v[u], h.d[u]-bound) / h.d[u] // of D, but for the bound
				e[0][0] += r * r * bound * rest
				e[0][y] += r - r*rest
			}
		}
	}
	for g := range s.schur {
		s.schur[g][2][0] = s.schur[g][0][2]
	}
}

// factorGroups sums and decomposes G.
func (s *Solver) factorGroups() error {
	k := s.blocks
	for _, h := range s.sides {
		for u, at := range h.Examples {
			k.d[at] = h.d[u]
			for j, v := range h.inv.Row(u) {
				k.b.Row(at)[j] = h.sign * v
			}
		}
	}
	return k.factor(k.d, func(g vec.Matrix[float64]) {
		for from := 0; from < len(k.at); from += groupsAtOnce {
			to := min(from+groupsAtOnce, len(k.at))
			z, sz := k.z.Slice(0, 3*(to-from), 0, k.Features.d), k.sz.Slice(0, 3*(to-from), 0, k.Features.d)
			for q, rows := range k.at[from:to] {
				k.group(z.Slice(3*q, 3*q+3, 0, z.Cols), sz.Slice(3*q, 3*q+3, 0, z.Cols), rows, s.schur[from+q])
			}
			vec.GemmWorkers(vec.Transposed, vec.NoTrans, 1, z, sz, 1, g, k.workers)
		}
	})
}

// group sets z = Zᵀ and sz = S⁻¹ Zᵀ of the group of the examples rows.
func (s *blocks) group(z, sz vec.Matrix[float64], rows []int, schur [3][3]float64) {
	sums, b := vec.NewMatrix[float64](s.Features.d, 3), vec.NewMatrix[float64](len(rows), 3)
	for q, i := range rows {
		copy(b.Row(q), s.b.Row(i))
	}
	s.x.Accumulate(sums, b, rows)
	for j := range sums.Rows {
		v := [3]float64(sums.Row(j))
		w := eliminate(schur, v)
		for k := range v {
			z.Row(k)[j], sz.Row(k)[j] = v[k], w[k]
		}
	}
}

// addLowRank turns the solution without K into the one with K.
func (s *Solver) addLowRank() {
	k, alone := s.blocks, s.step()
	s.setC()
	clear(k.w.Data)
	design.AccumulateAll(k.w, vec.MatrixOf(k.n, 1, k.c), k.x, k.workers)
	k.solve(k.w)
	design.ScoresAll(vec.MatrixOf(k.n, 1, k.c), k.w, k.x, k.workers)
	for _, h := range s.sides {
		for u, at := range h.Examples {
			h.dv[u] = h.sign * k.c[at]
		}
	}
	s.eliminate(make([][3]float64, len(s.dp)))
	s.addStep(alone, -1)
}

// setC sets c to the coefficients of the step.
func (s *Solver) setC() {
	for _, h := range s.sides {
		for u, at := range h.Examples {
			s.blocks.c[at] = h.sign * h.dv[u]
		}
	}
}

// refined solves the equations with the right sides dv and e, and once more for what rounding left of them: without K
// the solutions are large where D is small, and cancel.
func (s *Solver) refined(e [][3]float64) {
	b := s.step().dv
	s.eliminate(slices.Clone(e))
	s.addLowRank()
	first := s.step()
	s.subtractProduct(b, e)
	for i, h := range s.sides {
		copy(h.dv, b[i])
	}
	s.eliminate(e)
	s.addLowRank()
	s.addStep(first, 1)
}

// subtractProduct subtracts the left sides of the equations at the step from the right sides b and e. At a bound, t/w
// times a difference of near numbers is not the difference of products.
func (s *Solver) subtractProduct(b [2][]float64, e [][3]float64) {
	k := s.blocks
	s.setC()
	k.Multiply(k.f, k.c)
	for g, p := range s.dp {
		if s.p.Tied {
			e[g][0] -= s.zs[g]/s.s[g]*p[0] - p[1] - p[2]
			e[g][1] += p[0]
			e[g][2] += p[0]
		} else {
			e[g][0] -= p[0]
			e[g][2] -= p[2]
		}
	}
	for i, h := range s.sides {
		for u, v := range h.dv {
			g, bound := h.group[u], 0.0
			if h.bounded {
				bound = h.t[u] / h.w[u]
			}
			p, r := s.dp[g], h.ratios[g]
			over := bound * (v - r*p[0])
			b[i][u] -= h.sign*k.f[h.Examples[u]] + (h.d[u]-bound)*v + over + h.sums[0]*p[1] + h.sums[1]*p[2]
			e[g][0] += r * over
			e[g][1] -= h.sums[0] * v
			e[g][2] -= h.sums[1] * v
		}
	}
}
