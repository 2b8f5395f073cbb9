package topk

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/vec"
)

// scorer is a trained model.
type scorer = solvers.Scorer[float32]

// apart trains each class against all others, with the cost c. It starts from a model of its own where there is one.
type apart struct {
	name  string
	costs []float64 // what C is chosen from
	tol   float64   // relative gap to train to, unless the one asked for is larger
	fit   func(ctx context.Context, p *problem, name string, c, tol float64, from scorer) (scorer, error)
}

// The two methods of the table that learn each class by itself: in both C is the weight of the losses beside 1/2 |w|²
// of one class. TopPush has the quadratic loss, as its authors have it. Its row in the paper is one ranking of all
// classes with a common threshold, by the reduction of section 2.3.
var (
	separate = &apart{"SVM one-vs-all", []float64{.001, .01, .1, 1}, 1e-3, fitSeparate}
	toppush  = &apart{"TopPush one-vs-all", []float64{.001, .01, .1, 1}, 1e-2, fitRankers}
)

// ownNote says what the two rows have of their own.
func (p *problem) ownNote() string {
	return fmt.Sprintf("%s: C of %v, gap %v; %s: C of %v, gap %v, a class scores by what is above its threshold",
		separate.name, separate.costs, separate.tol, toppush.name, toppush.costs, toppush.tol)
}

// smallBaselines are these rows of a set that is not the paper's.
func smallBaselines() []method { return []method{{apart: separate}, {apart: toppush}} }

// fitSeparate trains a support vector machine with the hinge for each class.
func fitSeparate(ctx context.Context, p *problem, name string, c, tol float64, from scorer) (scorer, error) {
	start, _ := from.(*m3l.Result[float32])
	r, err := m3l.Problem[float32]{X: p.x, Y: p.y, Start: start}.Fit(ctx, m3l.Config{
		Loss: m3l.Hinge, C: c, Labels: p.m, Tol: tol, Workers: p.config.Workers, Epochs: p.config.Epochs,
		Progress: p.bar.Training(name, tol),
	})
	if err == nil && r.Status != solvers.Converged {
		err = fmt.Errorf("%s: %v", name, r.Outcome)
	}
	return r, err
}

// rankers is a model for each class that ranks its examples above all others. A class scores by how far an example is
// above its threshold.
type rankers struct {
	model *kernel.Expansion[float32] // scores before a threshold is taken off
	inner *kernel.Matrix[float32]    // products of the examples, which all classes share
	each  []*toprank.Result[float32]
}

func (r *rankers) Dims() (features, outputs int) { return r.model.Dims() }

// Scores is [solvers.Scorer]'s.
func (r *rankers) Scores(dst vec.Matrix[float32], x design.Matrix[float32], rows []int) error {
	if err := r.model.Scores(dst, x, rows); err != nil {
		return err
	}
	for i := range dst.Rows {
		for class, one := range r.each {
			dst.Row(i)[class] -= float32(one.Threshold)
		}
	}
	return nil
}

// rowBudget is the bytes of products that are kept.
const rowBudget = 1 << 30

// fitRankers trains TopPush for each class, several classes at the same time, on the products of the examples.
func fitRankers(ctx context.Context, p *problem, name string, c, tol float64, from scorer) (scorer, error) {
	r, start := &rankers{each: make([]*toprank.Result[float32], p.m)}, make([]*toprank.Result[float32], p.m)
	if last, ok := from.(*rankers); ok {
		r.inner, start = last.inner, last.each
	} else {
		var err error
		if r.inner, err = kernel.New(p.x, kernel.Linear{}, rowBudget); err != nil {
			return nil, err
		}
	}
	errs, a := make([]error, p.m), vec.NewMatrix[float32](len(p.y), p.m)
	parallel.Do(p.config.Workers, p.m, func(worker, class int) {
		if worker == 0 {
			p.bar.Show(float64(class)/float64(p.m), name)
		}
		positive := make([]bool, len(p.y))
		for i, y := range p.y {
			positive[i] = y == class
		}
		one, err := toprank.Problem[float32]{Kernel: r.inner, Positive: positive, Start: start[class]}.Fit(ctx,
			toprank.Config{C: c, Tol: tol, Workers: 1, Epochs: p.config.Epochs})
		if err == nil && one.Status != solvers.Converged {
			err = fmt.Errorf("%v", one.Outcome)
		}
		if r.each[class], errs[class] = one, err; err != nil {
			return
		}
		for i := range p.y {
			a.Row(i)[class] = float32(one.Alpha[i] - one.Beta[i])
		}
	})
	for class, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("%s, class %d: %w", name, class, err)
		}
	}
	var err error
	r.model, err = kernel.NewExpansion(r.inner, a, nil)
	return r, err
}
