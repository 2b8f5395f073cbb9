package topk

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/toprank"
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

// rankers are a ranker of each class.
type rankers struct {
	*toprank.ClassesResult[float32]
	inner *kernel.Matrix[float32] // products of the examples, which all classes share
}

// rowBudget is the bytes of products that are kept.
const rowBudget = 1 << 30

// fitRankers trains TopPush for each class, on the products of the examples.
func fitRankers(ctx context.Context, p *problem, name string, c, tol float64, from scorer) (scorer, error) {
	last, _ := from.(*rankers)
	if last == nil {
		inner, err := kernel.New(p.x, kernel.Linear{}, rowBudget)
		if err != nil {
			return nil, err
		}
		last = &rankers{inner: inner}
	}
	r, err := toprank.Classes[float32]{Kernel: last.inner, Y: p.y, Start: last.ClassesResult}.Fit(ctx,
		toprank.Config{C: c, Tol: tol, Workers: p.config.Workers, Epochs: p.config.Epochs,
			Progress: p.bar.Training(name, tol)})
	if err == nil && r.Status != solvers.Converged {
		err = fmt.Errorf("%s: %v", name, r.Outcome)
	}
	return &rankers{r, last.inner}, err
}
