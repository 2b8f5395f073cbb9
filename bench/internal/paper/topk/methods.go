package topk

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/topk"
)

// method is a row of the table.
type method struct {
	apart    *apart // how each class is learned by itself; nil: the top-k SVM with this loss
	loss     topk.Loss
	k        int       // of the loss
	accuracy []float64 // the paper's, in percent, at the tops; nil: none
}

func (m method) String() string {
	if m.apart != nil {
		return m.apart.name
	}
	return fmt.Sprintf("%v k=%d", m.loss, m.k)
}

// small are the rows of a set that is not the paper's: both losses with k up to 5, and no numbers of the paper.
func small() (methods []method) {
	for _, loss := range []topk.Loss{topk.TopKHinge, topk.TopKUsunier} {
		for k := 1; k <= 5; k++ {
			methods = append(methods, method{loss: loss, k: k})
		}
	}
	return methods
}

// chooseTol is the gap at which C is chosen.
const chooseTol = 1e-3

// row trains with each C, and with the best on the validation part to the gap asked for; one-vs-all has C and gaps of
// its own. It returns that C and the
// accuracies on the test part, in percent.
func (p *problem) row(ctx context.Context, m method, cs []float64) (best float64, percent []float64, err error) {
	coarse := max(p.config.Tol, chooseTol)
	if m.apart != nil {
		cs, coarse = m.apart.costs, max(p.config.Tol, m.apart.tol)
	}
	var last, chosen scorer
	most := -1.0
	for _, weight := range cs {
		if last, err = p.fit(ctx, m, weight, coarse, last); err != nil {
			return 0, nil, err
		}
		on, err := p.accuracies(last, p.val, p.valY)
		if err != nil {
			return 0, nil, err
		}
		if on[0] > most {
			most, best, chosen = on[0], weight, last
		}
	}
	if m.apart == nil {
		if chosen, err = p.fit(ctx, m, best, p.config.Tol, chosen); err != nil {
			return 0, nil, err
		}
	}
	percent, err = p.accuracies(chosen, p.test, p.testY)
	return best, percent, err
}

// fit trains with that C, from the dual variables of a model where there is one.
func (p *problem) fit(ctx context.Context, m method, weight, tol float64, from scorer) (scorer, error) {
	name := fmt.Sprintf("%s, %v, C = %v", p.name, m, weight)
	if m.apart != nil {
		return m.apart.fit(ctx, p, name, weight, tol, from)
	}
	c := p.config
	c.Loss, c.K, c.Tol, c.Lambda = m.loss, m.k, tol, 1/(weight*float64(len(p.y)))
	c.Progress = p.bar.Training(name, tol)
	start, _ := from.(*topk.Result[float32])
	r, err := topk.Problem[float32]{X: p.x, Y: p.y, Start: start}.Fit(ctx, c)
	if err == nil && r.Status != solvers.Converged {
		err = fmt.Errorf("%s: %v at %v", name, r.Status, r.Certificate)
	}
	return r, err
}

// worst returns the largest difference of accuracies from the paper's, 0 where it has none.
func (m method) worst(percent []float64) (worst float64) {
	for j, theirs := range m.accuracy {
		worst = max(worst, math.Abs(percent[j]-theirs))
	}
	return worst
}
