package oneclass

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// solver is a training under way: a train.Method whose epoch is a round.
type solver[T vec.Float] struct {
	train.Trust
	p    ascent.Problem[T]
	o    ascent.Options
	n, d int
	rows rows[T]
	zero solvers.Certificate
	weights

	a, w, g []float64 // g is of the active examples alone
	found
	begun   bool // whether there is a w
	stuck   bool // the last round moved nothing
	epoch   int
	touched int // rows read, for scores and moves
	random  rand.PCG

	picked
	duals []T // of the last certificate
	box   ascent.Box
}

// weights are the r_i.
type weights struct {
	r      []float64
	weight float64 // their sum
	even   bool    // that they are all the same
	losses *ascent.Losses
}

// found is what the scores tell.
type found struct {
	active []int   // the examples that matter, in order
	within float64 // the sum of their a_i
	rho    float64 // the best threshold for w
	square float64 // |w|²
	origin bool    // the last certificate's w is worse than 0, and 0 but for rounding of the a_i
	gap    float64 // P - D, of the active examples
}

// picked is room for what a round sorts, and for losses that a certificate looks at.
type picked struct {
	shaken  ascent.Shaken
	up, low side
	keys    []float64
}

// Method returns pair steps as trainings of package ascent take them.
func Method[T vec.Float]() *ascent.Method[T] {
	return &ascent.Method[T]{New: New[T], Memory: memory[T]}
}

// New returns a training of p that has taken no step yet, or an error where its numbers make no problem to solve.
func New[T vec.Float](p ascent.Problem[T], o ascent.Options) (ascent.Solver[T], error) {
	if _, ok := p.Loss.(loss.OneClass[T]); !ok || p.X == nil || !p.Offset || p.Lambda != 1 {
		return nil, fmt.Errorf("no features, or a loss that package oneclass does not know")
	}
	p.X = design.Sparse(p.X)
	n, d := p.X.Dims()
	s := &solver[T]{p: p, o: o, n: n, d: d, weights: weights{r: p.Radius, even: true}, a: make([]float64, n),
		g: make([]float64, n), duals: make([]T, n), random: *rand.NewPCG(o.Seed, 0)}
	s.active, s.keys = make([]int, 0, n), make([]float64, n)
	if err := family.CheckSizes(n, d, 1, 0); err != nil {
		return nil, err
	}
	for _, r := range s.r {
		s.even = s.even && r == s.r[0]
		s.weight += r
	}
	var err error
	if s.rows, err = newRows(p.X, o.Workers); err != nil {
		return nil, err
	}
	s.w = make([]float64, d)
	s.losses = p.Losses(func(i int) float64 { return s.rows.norms[i] })
	s.box = ascent.Box{R: s.r, Low: make([]float64, n), High: s.r}
	s.zero.Dual = s.bound()
	if s.zero.Dual-s.zero.Dual != 0 {
		return nil, fmt.Errorf("dual variables of the sum %v give a dual value beyond float64: scale the weights or "+
			"the features down", p.Sum)
	}
	return s, nil
}

// bound returns what the dual value of dual variables that are the same part of all r_i is at least: by Cauchy and
// Schwarz |sum_i r_i x_i|² is at most sum_i r_i times sum_i r_i |x_i|².
func (s *solver[T]) bound() float64 {
	if s.weight == 0 {
		return 0
	}
	part := s.p.Sum / s.weight
	square := part * part * s.weight * vec.Dot(s.r, s.rows.norms)
	return -square / 2 * (1 + 0x1p-50*float64(s.n)) // what sums are rounded by at most
}

// Epoch begins, or is a round. A round that takes long keeps a state to go on from.
func (s *solver[T]) Epoch(ctx context.Context) (epoch int, whole bool) {
	if ctx.Err() != nil {
		return s.epoch, false
	}
	release := func() {}
	if !s.begun || 8*len(s.active) > s.n {
		release = train.Hold(ctx)
	}
	if s.begun {
		s.round()
	} else {
		s.begin()
	}
	release()
	s.epoch++
	return s.epoch, true
}

// Visits: see train.Method, as of the next ones. A visit is two rows: one for a score and one for a move.
func (s *solver[T]) Visits() (visits, n int) { return s.touched / 2, s.n }

func (s *solver[T]) Estimate() solvers.Certificate {
	if s.stuck {
		return solvers.Certificate{Primal: math.NaN()}
	}
	return solvers.Certificate{Primal: s.gap - s.square/2, Dual: -s.square / 2}
}

func (s *solver[T]) Partial() bool { return len(s.active) < s.n }

// Reconsider makes all examples matter again, whose scores the certificate has. Where the optimum is w = 0, as far as
// numbers of T can tell, nothing is left to do: no gap is small beside values of 0.
func (s *solver[T]) Reconsider() bool {
	more := !s.origin && (!s.stuck || len(s.active) < s.n)
	s.stuck = false
	s.all()
	s.shrink()
	s.measure()
	return more
}

// all makes all examples active.
func (s *solver[T]) all() {
	s.active = s.active[:0]
	for i := range s.n {
		s.active = append(s.active, i)
	}
	s.within = s.p.Sum
}
