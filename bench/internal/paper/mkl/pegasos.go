package mkl

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/vec"
)

// pegasos is Pegasos (Shalev-Shwartz, Singer and Srebro, 2007) for the problem of many kernels: Algorithm 2 without
// what it has of R, that is s_t = 0, from theta = 0. With lambda = 1/(C n), a step at an example of loss above 0 is
//
//	theta <- (1 - 1/t) theta + q/(lambda t) z,   z = phi(x, y) - phi(x, the worst class),
//
// after which w is scaled into the ball |w|_{2,p} <= 1/sqrt(lambda) that holds the optimum: there lambda |w|² is the
// dual terms less the losses, at most 1. theta^j = scale sum_i phi^j(x_i) b_iᵀ has the same coefficients for all
// kernels, and w^j = (1/q) (|theta^j|/|theta|_{2,q})^{q-2} theta^j.
type pegasos struct {
	bundle    *bundle.Bundle[float32]
	y         []int
	q, lambda float64
	rng       *rand.Rand

	t, scale float64
	held     [][]coefficient // of each example
	norms    []float64       // |theta^j|²
	weights  []float64       // (|theta^j|/|theta|_{2,q})^{q-2} / q
	diagonal [][]float32

	rows    []vec.Matrix[float32] // of the kernels, of some examples
	sum, u  []float32
	scores  []float64
	elapsed time.Duration
}

type coefficient struct {
	class int
	value float64
}

func newPegasos(p mkl.Problem[float32], c mkl.Config) *pegasos {
	n, kernels := p.Bundle.Len(), p.Bundle.Kernels()
	g := &pegasos{
		bundle: p.Bundle, y: p.Y, q: c.P / (c.P - 1), lambda: 1 / (c.C * float64(n)),
		rng:   rand.New(rand.NewPCG(c.Seed, 0)),
		scale: 1, held: make([][]coefficient, n), norms: make([]float64, kernels), weights: make([]float64, kernels),
		sum: make([]float32, n), u: make([]float32, n), scores: make([]float64, c.Classes),
	}
	for j := range kernels {
		g.diagonal = append(g.diagonal, make([]float32, n))
		p.Bundle.Diagonal(g.diagonal[j], j)
		g.rows = append(g.rows, vec.NewMatrix[float32](min(64, n), n))
	}
	return g
}

// pass takes a step at each example, in random order.
func (g *pegasos) pass(ctx context.Context) error {
	start, order := time.Now(), g.rng.Perm(len(g.y))
	for len(order) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		some := order[:min(g.rows[0].Rows, len(order))]
		order = order[len(some):]
		rows := make([]vec.Matrix[float32], len(g.rows))
		for j := range rows {
			rows[j] = g.rows[j].Slice(0, len(some), 0, len(g.y))
		}
		g.bundle.Rows(rows, some)
		for row, i := range some {
			g.step(i, row)
		}
	}
	g.elapsed += time.Since(start)
	return nil
}

// step takes a step at example i, whose kernel values are the given row of rows.
func (g *pegasos) step(i, row int) {
	g.t++
	worst, loss := g.look(i, row)
	g.shrink(1 - 1/g.t)
	if loss > 0 {
		g.add(i, row, worst, g.q/(g.lambda*g.t))
	}
	norm := groupNorm(g.norms, g.q)
	if most := g.q / math.Sqrt(g.lambda); norm > most { // |theta|_{2,q} = q |w|_{2,p}
		g.shrink(most / norm)
		norm = most
	}
	for j, v := range g.norms {
		g.weights[j] = 0
		if v > 0 {
			g.weights[j] = math.Exp((g.q-2)*(math.Log(v)/2-math.Log(norm))) / g.q
		}
	}
}

// look returns the wrong class with the largest score, and the loss.
func (g *pegasos) look(i, row int) (worst int, loss float64) {
	clear(g.sum)
	for j, w := range g.weights {
		if w > 0 {
			vec.Axpy(float32(w*g.scale), g.rows[j].Row(row), g.sum)
		}
	}
	clear(g.scores)
	for l, held := range g.held {
		for _, b := range held {
			g.scores[b.class] += b.value * float64(g.sum[l])
		}
	}
	worst = -1
	for k, v := range g.scores {
		if k != g.y[i] && (worst < 0 || v > g.scores[worst]) {
			worst = k
		}
	}
	return worst, max(0, 1-g.scores[g.y[i]]+g.scores[worst])
}

// add adds eta z to theta: |theta^j|² gains 2 eta <theta^j, z^j> + 2 eta² K^j_ii.
func (g *pegasos) add(i, row, worst int, eta float64) {
	for l, held := range g.held {
		g.u[l] = 0
		for _, b := range held {
			switch b.class {
			case g.y[i]:
				g.u[l] += float32(b.value)
			case worst:
				g.u[l] -= float32(b.value)
			}
		}
	}
	for j := range g.norms {
		inner := g.scale * float64(vec.Dot32(g.rows[j].Row(row), g.u))
		g.norms[j] = max(0, g.norms[j]+2*eta*inner+2*eta*eta*float64(g.diagonal[j][i]))
	}
	g.change(i, g.y[i], eta/g.scale)
	g.change(i, worst, -eta/g.scale)
}

// change adds to a coefficient.
func (g *pegasos) change(i, class int, by float64) {
	at := slices.IndexFunc(g.held[i], func(b coefficient) bool { return b.class == class })
	if at < 0 {
		g.held[i] = append(g.held[i], coefficient{class, by})
		return
	}
	g.held[i][at].value += by
}

// leastScale is the scale from which on it goes into the coefficients: they are summed in float32.
const leastScale = 1e-10

// shrink multiplies theta. At the first step that is by 0.
func (g *pegasos) shrink(by float64) {
	for j := range g.norms {
		g.norms[j] *= by * by
	}
	if g.scale *= by; g.scale >= leastScale {
		return
	}
	for i, held := range g.held {
		for p := range held {
			held[p].value *= g.scale
		}
		if g.scale == 0 {
			g.held[i] = held[:0]
		}
	}
	g.scale = 1
}

// groupNorm returns |theta|_{2,q} of the squared norms of its parts.
func groupNorm(squares []float64, q float64) float64 {
	most := slices.Max(squares)
	if most == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range squares {
		sum += math.Pow(v/most, q/2)
	}
	return math.Sqrt(most) * math.Pow(sum, 1/q)
}

// model returns the model so far.
func (g *pegasos) model() (*bundle.Combination[float32], error) {
	b := vec.NewMatrix[float32](len(g.y), len(g.scores))
	for i, held := range g.held {
		for _, v := range held {
			b.Row(i)[v.class] = float32(g.scale * v.value)
		}
	}
	return bundle.NewCombination(g.bundle, g.weights, b, nil)
}

// primal returns the objective of the model, |w|²/2 + C sum of the losses.
func (g *pegasos) primal(m *bundle.Combination[float32], workers int) float64 {
	scores, sum := vec.NewMatrix[float32](len(g.y), len(g.scores)), 0.0
	m.ScoresOf(scores, g.bundle, nil, nil, workers)
	for i, y := range g.y {
		row, worst := scores.Row(i), math.Inf(-1)
		for k, v := range row {
			if k != y {
				worst = max(worst, float64(v))
			}
		}
		sum += max(0, 1-float64(row[y])+worst)
	}
	norm := groupNorm(g.norms, g.q) / g.q
	return norm*norm/2 + sum/(g.lambda*float64(len(g.y)))
}
