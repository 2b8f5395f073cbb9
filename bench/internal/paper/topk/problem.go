package topk

import (
	"context"
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/topk"
)

// problem is the three parts.
type problem struct {
	x              design.Matrix[float32] // dense, as more than half of the pixels are 1
	val, test      *dataset.CSR[float32]
	y, valY, testY []int
	m              int
	config         topk.Config
	bar            *progress.Bar
}

// open reads the three parts.
func open(dir report.Folder) (*problem, error) {
	var names []string
	for _, part := range []string{"train", "val", "test"} {
		names = append(names, "caltech101-silhouettes28-"+part+".svm.gz")
	}
	parts, err := report.LIBSVM[float32](dir, dataset.LIBSVMOptions{Cols: 784}, names...)
	if err != nil {
		return nil, err
	}
	train, val, test := parts[0], parts[1], parts[2]
	if k := slices.Max(tops); len(train.Classes) < k {
		return nil, fmt.Errorf("%s: %d classes, want %d", names[0], len(train.Classes), k)
	}
	x, err := train.X.Dense()
	if err != nil {
		return nil, err
	}
	return &problem{x: x, val: val.X, test: test.X, y: train.Y, valY: val.Y, testY: test.Y, m: len(train.Classes)}, nil
}

// chooseTol is the gap at which C is chosen.
const chooseTol = 1e-3

// row trains with each C, and with the best on the validation part to the gap asked for. It returns that C and the
// accuracies on the test part.
func (p *problem) row(ctx context.Context, loss topk.Loss, k int, cs []float64) (best float64, cells []float64,
	err error) {
	c := p.config
	c.Loss, c.K, c.Tol = loss, k, max(c.Tol, chooseTol)
	var last, chosen *topk.Result[float32]
	most := -1.0
	for _, weight := range cs {
		if last, err = p.fit(ctx, c, weight, last); err != nil {
			return 0, nil, err
		}
		on, err := accuracies(last, p.val, p.valY)
		if err != nil {
			return 0, nil, err
		}
		if on[0] > most {
			most, best, chosen = on[0], weight, last
		}
	}
	c.Tol = p.config.Tol
	if last, err = p.fit(ctx, c, best, chosen); err != nil {
		return 0, nil, err
	}
	on, err := accuracies(last, p.test, p.testY)
	if err != nil {
		return 0, nil, err
	}
	return best, pick(on), nil
}

// fit trains with that C, from the dual variables of a result where there is one.
func (p *problem) fit(ctx context.Context, c topk.Config, weight float64,
	from *topk.Result[float32]) (r *topk.Result[float32], err error) {
	c.Lambda = 1 / (weight * float64(len(p.y)))
	c.Progress = p.bar.Training(fmt.Sprintf("%v k=%d, C = %v", c.Loss, c.K, weight), c.Tol)
	r, err = topk.Problem[float32]{X: p.x, Y: p.y, Start: from}.Fit(ctx, c)
	if err == nil && r.Status != solvers.Converged {
		err = fmt.Errorf("%v k=%d, C = %v: %v at %v", c.Loss, c.K, weight, r.Status, r.Certificate)
	}
	return r, err
}
