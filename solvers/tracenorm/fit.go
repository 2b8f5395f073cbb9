package tracenorm

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// prepare returns the data as a risk takes them and c with all defaults but those of the lambdas, or what is wrong.
func (p Problem[T]) prepare(c Config) (Config, risk.Data[T], error) {
	none := risk.Data[T]{}
	n, d, err := ascent.Examples(p.X, nil, c.Bias)
	if err != nil {
		return c, none, err
	}
	if x, ok := p.X.(interface{ Validate() error }); ok {
		if err := x.Validate(); err != nil {
			return c, none, err
		}
	}
	if c, err = c.withDefaults(); err != nil {
		return c, none, err
	}
	if c.Workers, err = parallel.Cores(c.Workers); err != nil {
		return c, none, err
	}
	if c.Classes, err = p.classes(n, c.Classes); err != nil {
		return c, none, err
	}
	if p.Weights != nil && len(p.Weights) != n {
		return c, none, fmt.Errorf("%d weights, but there are %d examples", len(p.Weights), n)
	}
	for i, v := range p.Weights {
		if !(v >= 0 && v <= largest) {
			return c, none, fmt.Errorf("weight %v of row %d, need a number from 0 to %v", v, i, largest)
		}
	}
	rank := min(d, c.Classes)
	if c.Bias != 0 {
		rank = min(d+1, c.Classes)
	}
	if c.Rank > rank {
		return c, none, fmt.Errorf("Rank = %d, but weights of %d features for %d classes have at most %d", c.Rank, d, c.Classes, rank)
	}
	if c.Rank == 0 {
		c.Rank = rank
	}
	data := risk.Data[T]{Y: p.Y, Classes: c.Classes, Weights: p.Weights, Bias: T(c.Bias)}
	if data.X, err = solvers.WithColumns(solvers.Sparse(p.X)); err != nil {
		return c, none, err
	}
	if _, err = meanSquare(data.X); err == nil && !c.Raw {
		data.Mean = mean(data.X, c.Workers)
	}
	return c, data, err
}

// classes returns the number of classes, or what is wrong with the labels.
func (p Problem[T]) classes(n, given int) (int, error) {
	if len(p.Y) != n {
		return 0, fmt.Errorf("%d labels, but there are %d examples", len(p.Y), n)
	}
	if n == 0 {
		return 0, fmt.Errorf("no examples")
	}
	classes := max(given, len(p.Names))
	if given != 0 && p.Names != nil && given != len(p.Names) {
		return 0, fmt.Errorf("Classes = %d, but %d names", given, len(p.Names))
	}
	most, several := 0, false
	for i, y := range p.Y {
		if y < 0 || classes > 0 && y >= classes {
			return 0, fmt.Errorf("label %d of row %d, need one in 0..%d", y, i, max(classes, 1)-1)
		}
		most, several = max(most, y), several || y != p.Y[0]
	}
	if classes == 0 {
		classes = most + 1
	}
	if !several {
		return 0, fmt.Errorf("all %d examples have the label %d, need two classes at least", n, p.Y[0])
	}
	return classes, solvers.CheckNames(p.Names, classes)
}

// meanSquare returns the mean of the |x_i|², or an error where one is not finite.
func meanSquare[T vec.Float](x solvers.Features[T]) (float64, error) {
	n, _ := x.Dims()
	norms, sum := make([]T, n), 0.0
	x.SquaredNorms(norms)
	_, high, _ := ascent.Limits[T]()
	for i, v := range norms {
		if !(float64(v) < high) {
			return 0, fmt.Errorf("the squared norm of row %d is %v: need finite numbers, and not too large ones", i, v)
		}
		sum += float64(v)
	}
	return sum / float64(n), nil
}

// mean returns the mean of the examples, summed in float64.
func mean[T vec.Float](x solvers.Features[T], workers int) []T {
	n, d := x.Dims()
	ones, sum, mean := vec.NewMatrix[float64](n, 1), vec.NewMatrix[float64](d, 1), make([]T, d)
	for i := range ones.Data {
		ones.Data[i] = 1 / float64(n)
	}
	solvers.AccumulateAll(sum, ones, solvers.Float64(x), workers)
	vec.Convert(mean, sum.Data)
	return mean
}

// atZero returns the largest singular value of the gradient of the risk at W = 0.
func atZero[T vec.Float](data risk.Data[T], workers int) float64 {
	r := risk.New(data, workers)
	d, k := r.Dims()
	g := risk.Padded[T](d, k)
	r.Evaluate(g, risk.Padded[T](d, k))
	return singular(g)[0]
}

func (p Problem[T]) train(ctx context.Context, c Config, state io.Reader) (*Result[T], error) {
	r, err := p.run(ctx, c, state)
	if err != nil && r == nil {
		err = fmt.Errorf("tracenorm: %w", err)
	}
	return r, err
}

func (p Problem[T]) run(ctx context.Context, c Config, state io.Reader) (*Result[T], error) {
	t, err := p.training(ctx, c, state)
	if err != nil {
		return nil, err
	}
	return p.finish(ctx, t, state)
}

// training returns the training for the problem, at its start.
func (p Problem[T]) training(ctx context.Context, c Config, state io.Reader) (*training[T], error) {
	if ctx == nil {
		return nil, fmt.Errorf("no context")
	}
	if state != nil && p.Start != nil {
		return nil, fmt.Errorf("a state to resume from, and Start: need one of them")
	}
	c, data, err := p.prepare(c)
	if err != nil {
		return nil, err
	}
	if c.Lambda1 == 0 && c.Lambda2 == 0 {
		c.Lambda1 = max(atZero(data, c.Workers)/50, 1/largest)
		c.Lambda2 = c.Lambda1 / 10
	}
	t := newTraining(c, data)
	if p.Start != nil {
		err = t.start(p.Start)
	}
	return t, err
}

// finish runs a training to its end.
func (p Problem[T]) finish(ctx context.Context, t *training[T], state io.Reader) (*Result[T], error) {
	_, _, epsilon := ascent.Limits[T]()
	options := train.Options{
		Tol: t.Tol, Epochs: t.Epochs, Epsilon: epsilon, Rest: 1, Progress: t.Progress, Checkpoint: t.Checkpoint,
		Identity: train.Identity{Family: "tracenorm", Settings: t.settings(), Data: sync.OnceValue(t.fingerprint)},
	}
	var clock train.Clock
	if state != nil {
		if err := train.Resume(state, options.Identity, &clock, t); err != nil {
			return nil, err
		}
	}
	outcome, err := train.Run(ctx, t, options, &clock)
	if outcome.Status == solvers.Running {
		return nil, err
	}
	r, wrong := p.result(t, outcome)
	if wrong != nil {
		return nil, wrong
	}
	return r, err
}

// result returns the solution of a training. What its file says of it are the settings and the outcome.
func (p Problem[T]) result(t *training[T], outcome solvers.Outcome) (*Result[T], error) {
	m, err := t.model(p.Names)
	if err != nil {
		return nil, err
	}
	notes := map[string]string{"solver": "tracenorm", "settings": t.settings(), "outcome": outcome.String()}
	return &Result[T]{Model: m.WithNotes(notes), Outcome: outcome, Spectrum: t.spectrum, Duals: t.dual.a}, nil
}

// settings are what the configuration says about the steps, in words.
func (t *training[T]) settings() string {
	return fmt.Sprintf("lambda1 %v, lambda2 %v, raw %t, bias %v, rank %d, tolerance %v, seed %d, workers %d",
		t.Lambda1, t.Lambda2, t.Raw, t.Bias, t.Rank, t.Tol, t.Seed, t.Workers)
}

func (t *training[T]) fingerprint() []byte {
	p := ascent.Problem[T]{
		X: t.data.X, Outputs: t.k, Labels: ascent.Labels{One: t.data.Y}, Radius: t.data.Weights, Constant: t.data.Bias,
	}
	return p.Fingerprint()
}

// model returns the model of the last certificate: the mean and the constant feature become offsets.
func (t *training[T]) model(names []string) (*Model[T], error) {
	d := t.d
	var offset []T
	if t.data.Mean != nil || t.data.Bias != 0 {
		inner := make([]float64, t.u.Cols) // Uᵀ (-mean, bias)
		for j, v := range t.data.Mean {
			for c, u := range t.u.Row(j) {
				inner[c] -= float64(v) * float64(u)
			}
		}
		if t.data.Bias != 0 {
			d--
			for c, u := range t.u.Row(d) {
				inner[c] += float64(t.data.Bias) * float64(u)
			}
		}
		offset = make([]T, t.k)
		for l := range offset {
			sum := 0.0
			for c, v := range t.v.Row(l) {
				sum += inner[c] * float64(v)
			}
			offset[l] = T(sum)
		}
	}
	return linear.NewLowRank(t.u.Slice(0, d, 0, t.u.Cols), t.v, offset, names)
}
