package toprank

import (
	"fmt"
	"slices"
	"sync"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/toploss"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// objective is a problem without its features, with how to train it.
type objective struct {
	*toploss.Objective
	solvers.Options
	config Config // with its own defaults
	groups int    // of the problem, with the groups that have no part in it
}

// prepared is a problem that has been checked, with how to train on it.
type prepared[T vec.Float] struct {
	Problem[T]
	o *objective
}

// prepare returns the training of p that c and o ask for, or what is wrong with them: (4) with the threshold (5) or
// (10), by its dual (7) or (12). Package toploss has the formulas; byFeatures, byQueries and training are the methods.
func (p Problem[T]) prepare(c Config, o solvers.Options) (*prepared[T], error) {
	c, err := c.check()
	if err != nil {
		return nil, err
	}
	o, n, _, err := family.Begin(o, p.X, p.Kernel, 0)
	if err != nil {
		return nil, err
	}
	if len(p.Positive) != n {
		return nil, fmt.Errorf("Positive of %d examples, but there are %d", len(p.Positive), n)
	}
	positives := count(p.Positive)
	switch {
	case positives == 0 || positives == n:
		return nil, fmt.Errorf("%d positive examples of %d, want at least one positive and one negative", positives, n)
	case p.Groups != nil && c.Method == PatMat:
		return nil, fmt.Errorf("PatMat with Groups: TopPush alone ranks within queries")
	case p.Groups == nil && c.K > n-positives:
		return nil, fmt.Errorf("K = %d, but there are %d negative examples", c.K, n-positives)
	case p.Start != nil && (len(p.Start.Alpha) != n || len(p.Start.Beta) != n):
		return nil, fmt.Errorf("Start of %d alphas and %d betas, but there are %d examples", len(p.Start.Alpha),
			len(p.Start.Beta), n)
	}
	queries, groups, err := p.queries(n)
	if err != nil {
		return nil, err
	}
	return &prepared[T]{p, &objective{toploss.New(toploss.Objective{
		PatMat: c.Method == PatMat, Hinge: c.Loss == Hinge, All: c.All, K: c.K,
		C: c.C, Tau: c.Tau, Theta1: c.Theta1, Theta2: c.Theta2, Positive: p.Positive,
		Queries: queries,
	}), o, c, groups}}, nil
}

// classes returns 1 of each positive example and 0 of the others.
func classes(positive []bool) []int {
	y := make([]int, len(positive))
	for i, v := range positive {
		if v {
			y[i] = 1
		}
	}
	return y
}

// count returns how many are true.
func count(positive []bool) (n int) {
	for _, v := range positive {
		if v {
			n++
		}
	}
	return n
}

// method is a training, and what comes of it.
type method[T vec.Float] interface {
	train.Method[T]
	start(alpha, beta []float64) (solvers.Certificate, error)
}

// rowBytes is how many bytes rows of K may take where the problem has features, and no kernel.
const rowBytes = 1 << 30

// method returns the training for the problem.
func (p *prepared[T]) method() (method[T], error) {
	if p.Kernel == nil && !p.visits {
		if n, d := p.X.Dims(); d <= min(n, mostFeatures) {
			return newByFeatures(p.o, p.X)
		}
	}
	if p.Groups != nil && (p.visits || len(p.o.Members()) > mostFactored) {
		return newByQueries(p.o, p.X, p.Kernel)
	}
	k := p.Kernel
	if k == nil {
		var err error
		if k, err = kernel.New(p.X, kernel.Linear{}, rowBytes); err != nil {
			return nil, err
		}
	}
	if p.Groups != nil {
		return newByFactor(p.o, p.X, k)
	}
	return newTraining(p.o, p.X, k)
}

// Identity: see family.Training, as of the next ones.
func (p *prepared[T]) Identity() train.Identity {
	c, o := p.o.config, p.o
	settings := fmt.Sprintf("%v, C %v, loss %v, K %d, tau %v, all %t, theta %v and %v, tolerance %v, seed %d",
		c.Method, c.C, c.Loss, c.K, c.Tau, c.All, c.Theta1, c.Theta2, o.Tol, o.Seed)
	if p.Kernel == nil {
		settings += fmt.Sprintf(", workers %d", o.Workers)
	}
	if p.Groups != nil {
		settings += ", within queries"
	}
	data := family.Data[T]{X: p.X, Kernel: p.Kernel, Outputs: 1, Labels: family.Labels{One: p.labels()}}
	return train.Identity{Family: name, Settings: settings,
		Data: sync.OnceValue(func() []byte { return data.Fingerprint() })}
}

func (p *prepared[T]) Obeys() solvers.Options { return p.o.Options }

func (p *prepared[T]) Begin() (train.Method[T], func() (train.Beginning[T], error), error) {
	m, err := p.method()
	if err != nil || p.Start == nil {
		return m, nil, err
	}
	return m, func() (from train.Beginning[T], err error) {
		alpha, beta := slices.Clone(p.Start.Alpha), slices.Clone(p.Start.Beta)
		if err := p.o.Check(alpha, beta); err != nil {
			return from, err
		}
		from.Certificate, err = m.start(alpha, beta)
		return from, err
	}, nil
}

// Model returns the model with its threshold, for weights of 0 the one of scores that are all 0.
func (p *prepared[T]) Model(v train.Variables[T], notes map[string]string) (*Model[T], error) {
	n := len(p.Positive)
	if p.Kernel == nil {
		_, n = p.X.Dims()
	}
	m, err := family.ModelOf(p.Kernel, v.Matrix(n, 1), 0, nil, notes)
	if err != nil {
		return nil, err
	}
	t := 0.0
	switch {
	case p.Groups != nil:
	case v.None():
		_, t = p.o.Primal(make([]float64, len(p.Positive)), 0)
	default:
		t = v.Numbers[0]
	}
	return noted(m, t, p.Groups != nil), nil
}

func (p *prepared[T]) Result(m *Model[T], end train.Ended[T]) *Result[T] {
	n, duals := len(p.Positive), end.Dual.Numbers
	if duals == nil {
		duals = make([]float64, 2*n)
	}
	r := &Result[T]{Model: m, Outcome: end.Outcome, Alpha: duals[:n:n], Beta: duals[n:]}
	if p.Groups != nil {
		r.Queries, r.Idle = len(p.o.Queries), p.o.groups-len(p.o.Queries)
	}
	return r
}
