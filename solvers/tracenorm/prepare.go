package tracenorm

import (
	"cmp"
	"fmt"
	"sync"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/nuclear"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// prepared is a problem that has been checked, with how to train on it.
type prepared[T vec.Float] struct {
	Problem[T]
	c    Config // with all defaults, the lambdas' from Begin on
	o    solvers.Options
	n, d int // d with the constant feature
	w0   vec.Matrix[float64]
	t    *training[T] // from Begin on
}

// prepare returns the training of p that c and o ask for, or what is wrong with them: J(W), (4), by L-BFGS on the
// factors of W = U Vᵀ.
func (p Problem[T]) prepare(c Config, o solvers.Options) (*prepared[T], error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	o, n, d, err := family.Begin(o, p.X, nil, c.Bias)
	if err != nil {
		return nil, err
	}
	if p.Y == nil {
		return nil, fmt.Errorf("no labels: want Y")
	}
	labels := family.Labels{One: p.Y}
	open := c.Classes == 0 && p.Names == nil
	if c.Classes, err = labels.Named(n, c.Classes, p.Names); err != nil {
		return nil, err
	}
	if open {
		c.Classes = max(c.Classes, p.Prior.Cols)
	}
	if err = family.CheckSizes(n, d, c.Classes, 0); err != nil {
		return nil, err
	}
	if p.Weights != nil {
		if _, err = family.Radii[T](1, "the mean loss", &labels, p.Weights, nil, c.Classes); err != nil {
			return nil, err
		}
	}
	w0, err := p.prior(d, c)
	if err != nil {
		return nil, err
	}
	if c.Bias != 0 {
		d++
	}
	rank := min(d, c.Classes)
	if c.Rank > rank {
		return nil, fmt.Errorf("Rank = %d, but weights of %d features for %d classes have at most %d", c.Rank, d,
			c.Classes, rank)
	}
	c.Rank = cmp.Or(c.Rank, rank)
	return &prepared[T]{Problem: p, c: c, o: o, n: n, d: d, w0: w0}, nil
}

// prior returns the checked prior.
func (p Problem[T]) prior(d int, c Config) (vec.Matrix[float64], error) {
	w0, err := family.Prior[T](p.Prior, nil, d, c.Classes, c.Bias)
	if err == nil && w0.Rows > 0 && c.Lambda1 > 0 && c.Lambda2 == 0 {
		err = fmt.Errorf("Prior, %d-by-%d, with Lambda2 = 0, want Lambda2 above 0: it is what pulls to the prior",
			w0.Rows, w0.Cols)
	}
	return w0, err
}

// Identity: see family.Training, as of the next ones.
func (p *prepared[T]) Identity() train.Identity {
	settings := fmt.Sprintf("lambda1 %v, lambda2 %v, raw %t, bias %v, rank %d, tolerance %v, seed %d, workers %d",
		p.c.Lambda1, p.c.Lambda2, p.c.Raw, p.c.Bias, p.c.Rank, p.o.Tol, p.o.Seed, p.o.Workers)
	data := family.Data[T]{X: p.X, Constant: T(p.c.Bias), Labels: family.Labels{One: p.Y}, Outputs: p.c.Classes,
		Weights: p.Weights}
	return train.Identity{Family: name, Settings: settings,
		Data: sync.OnceValue(func() []byte { return data.Fingerprint(family.Rows(p.w0)...) })}
}

func (p *prepared[T]) Obeys() solvers.Options { return p.o }

// Begin makes the training at W = 0, or at Start: no certificate of that is computed.
func (p *prepared[T]) Begin() (m train.Method[T], start func() (train.Beginning[T], error), err error) {
	b, err := p.base()
	if err != nil {
		return nil, nil, err
	}
	if p.c.Lambda1 == 0 && p.c.Lambda2 == 0 {
		p.c.Lambda1 = max(b.AtZero()/2000, 1/largest)
		p.c.Lambda2 = p.c.Lambda1 / 10
		b.Penalty = p.c.penalty()
	}
	b.SetPrior(p.w0)
	p.t = newTraining(b, p.c.Rank)
	if p.Start != nil {
		err = p.t.start(p.Start)
	}
	return p.t, nil, err
}

// base returns what trainings have, whatever their steps are: the data, W = 0 and A = 0.
func (p *prepared[T]) base() (b nuclear.Base[T], err error) {
	data := risk.Data[T]{Y: p.Y, Classes: p.c.Classes, Weights: p.Weights, Bias: T(p.c.Bias)}
	if data.X, err = design.WithColumns(design.Sparse(p.X)); err != nil {
		return b, err
	}
	if !p.c.Raw {
		data.Center(p.o.Workers)
	}
	return nuclear.New(p.c.penalty(), data, p.o)
}

// Model returns the model of factors: the mean and the constant feature become offsets.
func (p *prepared[T]) Model(factors train.Variables[T], notes map[string]string) (*Model[T], error) {
	data, d, u, v := &p.t.Data, p.d, vec.NewMatrix[T](p.d, 1), vec.NewMatrix[T](p.c.Classes, 1)
	if !factors.None() {
		u, v = factors.Matrices[0], factors.Matrices[1]
	}
	var offset []T
	if data.Mean != nil || data.Bias != 0 {
		shift := make([]float64, u.Cols) // Uᵀ (-mean, bias)
		for j, v := range data.Mean {
			for c, u := range u.Row(j) {
				shift[c] -= float64(v) * float64(u)
			}
		}
		if data.Bias != 0 {
			d--
			for c, u := range u.Row(d) {
				shift[c] += float64(data.Bias) * float64(u)
			}
		}
		offset = make([]T, v.Rows)
		for l := range offset {
			sum := 0.0
			for c, v := range v.Row(l) {
				sum += shift[c] * float64(v)
			}
			offset[l] = T(sum)
		}
	}
	m, err := linear.NewLowRank(u.Slice(0, d, 0, u.Cols), v, offset, p.Names)
	if err != nil {
		return nil, err
	}
	return m.WithNotes(notes), nil
}

func (p *prepared[T]) Result(m *Model[T], end train.Ended[T]) *Result[T] {
	r := &Result[T]{Model: m, Outcome: end.Outcome, Spectrum: end.Primal.Numbers,
		Duals: p.t.Certifying(end.Certificate.Dual)}
	if p.c.Bias != 0 && !end.ZeroModel {
		r.constant = end.Primal.Matrices[0].Row(p.d - 1)
	}
	return r
}
