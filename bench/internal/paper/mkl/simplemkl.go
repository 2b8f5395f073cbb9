package mkl

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// simple is SimpleMKL (Rakotomamonjy, Bach, Canu and Grandvalet, 2008): the problem of many kernels at p = 1, for the
// hinge of many classes. Over the weights d >= 0 of the kernels, with sum 1, it minimises
//
//	J(d) = max over A of  the dual terms of the losses - 1/2 sum_j d_j <A, K^j A>
//
// the optimum of a support vector machine on sum_j d_j K^j, along the reduced gradient: dJ/dd_j = -1/2 <A, K^j A>. The
// dual value of the whole problem at A is that with the largest <A, K^j A> for each of them.
type simple struct {
	problem mkl.Problem[float32]
	config  mkl.Config
	mix     *bundle.Mixture[float32]
	inner   float64 // relative gap of the machines
	dual    float64 // the largest dual value of the whole problem so far
	steps   int     // moves of d
}

// simpleMKL trains by SimpleMKL with the cost of the table, and returns the row of the table.
func (c *command) simpleMKL(ctx context.Context, q *cues) (found score, row []report.Cell, err error) {
	problem, err := q.problem()
	if err != nil {
		return found, nil, err
	}
	c.Bar.Show(0, fmt.Sprintf("%s, %d images, %d kernels, SimpleMKL, C = %v", q.set, len(q.y), len(q.kernels), c.cost))
	config := c.config(q, 0, c.cost)
	config.Epochs = machineEpochs
	start := time.Now()
	s, err := newSimple(problem, config)
	if err != nil {
		return found, nil, err
	}
	at, err := s.solve(ctx)
	if err != nil {
		return found, nil, err
	}
	m, shares, err := s.model(at)
	if err != nil {
		return found, nil, err
	}
	found = score{seconds: time.Since(start).Seconds(), gap: at.gap(s.dual)}
	if err := found.measure(m, q.test(), q.testY, q.classes, c.workers); err != nil {
		return found, nil, err
	}
	row = append(found.cells(), report.Number(float64(s.steps)), report.Number(found.gap))
	for _, v := range shares {
		row = append(row, report.Number(v))
	}
	return found, row, nil
}

// machineEpochs is a limit out of reach.
const machineEpochs = 1 << 20

// point is weights of the kernels and the machine trained with them.
type point struct {
	d       []float64
	machine *topk.Result[float32]
	forms   []float64 // <A, K^j A>
	primal  float64   // of the whole problem
}

// The gap of the machines is a part of the gap of the whole problem: innerPart, divided by finer each time that J did
// not fall, and at most innerMost.
const innerPart, finer, innerMost = .2, 2, .01

// mostSteps ends what does not come to the gap asked for.
const mostSteps = 100

// newSimple returns SimpleMKL for a problem; of the configuration P counts as 1.
func newSimple(p mkl.Problem[float32], c mkl.Config) (*simple, error) {
	mix, err := p.Bundle.Mix(0)
	return &simple{problem: p, config: c, mix: mix, dual: math.Inf(-1)}, err
}

// solve starts from equal weights and ends where the gap of the whole problem is at most the one asked for, or
// after mostSteps. It returns the point of least gap.
func (s *simple) solve(ctx context.Context) (best *point, err error) {
	kernels := s.problem.Bundle.Kernels()
	d := make([]float64, kernels)
	for j := range d {
		d[j] = 1 / float64(kernels)
	}
	s.inner = innerMost
	at, err := s.train(ctx, d, nil)
	part := innerPart
	for err == nil {
		if best != nil && at.primal >= best.primal {
			part /= finer
		}
		if best == nil || at.gap(s.dual) < best.gap(s.dual) {
			best = at
		}
		gap := best.gap(s.dual)
		if gap <= s.config.Tol || s.steps == mostSteps {
			return best, nil
		}
		s.inner = min(part*gap, innerMost)
		s.steps++
		at, err = s.descend(ctx, at)
	}
	return nil, err
}

// gap is the relative gap to a dual value.
func (p *point) gap(dual float64) float64 {
	return solvers.Certificate{Primal: p.primal, Dual: dual}.RelativeGap()
}

// train trains the machine of the weights d, from the dual variables of a machine where there is one. One that stalls
// short of its gap will do: the gap of the whole problem tells.
func (s *simple) train(ctx context.Context, d []float64, from *topk.Result[float32]) (*point, error) {
	s.mix.Weigh(d, s.config.Workers)
	scale := s.config.C * float64(len(s.problem.Y)) // package topk has the mean of the losses
	r, err := topk.Problem[float32]{Kernel: s.mix.Matrix, Y: s.problem.Y, Start: from}.Fit(ctx, topk.Config{
		Lambda: 1 / scale, Classes: s.config.Classes, Tol: s.inner, Seed: s.config.Seed, Workers: s.config.Workers,
		Epochs: s.config.Epochs,
	})
	if err != nil {
		return nil, err
	}
	forms := s.problem.Bundle.Forms([]vec.Matrix[float32]{r.Duals}, s.config.Workers)[0]
	s.dual = max(s.dual, scale*r.Certificate.Dual+(weighted(d, forms)-slices.Max(forms))/2)
	return &point{d: slices.Clone(d), machine: r, forms: forms, primal: scale * r.Certificate.Primal}, nil
}

// weighted returns sum_j d_j forms_j.
func weighted(d, forms []float64) (sum float64) {
	for j, v := range forms {
		sum += d[j] * v
	}
	return sum
}

// direction is the reduced gradient: J falls along it, and its sum is 0. The largest weight, the pivot, balances the
// others.
func direction(d, forms []float64) (move []float64, pivot int) {
	move = make([]float64, len(d))
	for j, v := range d {
		if v > d[pivot] {
			pivot = j
		}
	}
	for j, v := range d {
		if rise := (forms[j] - forms[pivot]) / 2; v > 0 || rise > 0 {
			move[j] += rise
			move[pivot] -= rise // of the pivot itself it is 0
		}
	}
	return move, pivot
}

// longest returns how far d can go along move until a weight is 0, and that weight, -1 where nothing moves.
func longest(d, move []float64) (step float64, gone int) {
	step, gone = math.Inf(1), -1
	for j, v := range move {
		if v < 0 && d[j]/-v < step {
			step, gone = d[j]/-v, j
		}
	}
	return step, gone
}

// descend returns a point along the reduced gradient. As long as J, which is convex, still falls at the end of the way,
// where a weight is 0, it goes there and on without that weight; then it looks for the place where J falls no more.
func (s *simple) descend(ctx context.Context, at *point) (*point, error) {
	move, pivot := direction(at.d, at.forms)
	for {
		most, gone := longest(at.d, move)
		if gone < 0 || !(at.slope(move) < 0) {
			return at, nil
		}
		next, err := s.train(ctx, along(at.d, move, most, gone), at.machine)
		if err != nil {
			return nil, err
		}
		if next.slope(move) > 0 {
			return s.search(ctx, at, next, move, most)
		}
		if at = next; gone == pivot {
			return at, nil
		}
		move[pivot] += move[gone]
		move[gone] = 0
	}
}

// slope is the derivative of J along move.
func (p *point) slope(move []float64) float64 { return -weighted(move, p.forms) / 2 }

// along returns d moved by a step, with 0 for the weight that is gone, none where that is -1.
func along(d, move []float64, step float64, gone int) []float64 {
	moved := make([]float64, len(d))
	for j := range d {
		moved[j] = max(0, d[j]+step*move[j])
	}
	if gone >= 0 {
		moved[gone] = 0
	}
	return moved
}

// flat is the slope of J, against the one at the start, at which a search ends, and trials are its most points.
const flat, trials = .3, 12

// search returns a point between from, where J falls along move, and to, most further, where it rises, at which the
// slope is small: by the secant, kept a tenth away from both ends.
func (s *simple) search(ctx context.Context, from, to *point, move []float64, most float64) (at *point, err error) {
	low, high, falls, rises := 0., most, from.slope(move), to.slope(move)
	at = to
	for range trials {
		if math.Abs(at.slope(move)) <= -flat*from.slope(move) || at.gap(s.dual) <= s.config.Tol {
			return at, nil
		}
		margin := (high - low) / 10
		step := min(max(low+(high-low)*falls/(falls-rises), low+margin), high-margin)
		if at, err = s.train(ctx, along(from.d, move, step, -1), at.machine); err != nil {
			return nil, err
		}
		if slope := at.slope(move); slope < 0 {
			low, falls = step, slope
		} else {
			high, rises = step, slope
		}
	}
	return at, nil
}

// model returns the model of a point, and the share of each kernel: |w^j| over the sum of all.
func (s *simple) model(at *point) (*bundle.Combination[float32], []float64, error) {
	shares, sum := make([]float64, len(at.d)), 0.0
	for j, v := range at.d {
		shares[j] = v * math.Sqrt(at.forms[j])
		sum += shares[j]
	}
	for j := range shares {
		shares[j] /= sum
	}
	m, err := bundle.NewCombination(s.problem.Bundle, at.d, at.machine.Duals, nil)
	return m, shares, err
}
