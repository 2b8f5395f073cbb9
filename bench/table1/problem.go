package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/topk"
)

// problem is the three parts.
type problem struct {
	x              solvers.Features[float32] // dense, as more than half of the pixels are 1
	val, test      *dataset.CSR[float32]
	y, valY, testY []int
	m              int
	config         topk.Config
}

func open(dir string) (*problem, error) {
	o := dataset.LIBSVMOptions{Cols: 784}
	read := func(part string) (*dataset.Labeled[*dataset.CSR[float32]], error) {
		return dataset.OpenLIBSVM[float32](filepath.Join(dir, "caltech101-silhouettes28-"+part+".svm.gz"), o)
	}
	train, err := read("train")
	if err != nil {
		return nil, err
	}
	o.Classes = train.Classes
	val, err := read("val")
	if err != nil {
		return nil, err
	}
	test, err := read("test")
	if err != nil {
		return nil, err
	}
	x, err := train.X.Dense()
	if err != nil {
		return nil, err
	}
	return &problem{x: x, val: val.X, test: test.X, y: train.Y, valY: val.Y, testY: test.Y, m: len(train.Classes)}, nil
}

// row trains with each C and returns the best on the validation part, with its accuracies on the test part.
func (p *problem) row(ctx context.Context, loss topk.Loss, k int, cs []float64) (best float64, cells []float64, err error) {
	c := p.config
	c.Loss, c.K = loss, k
	var last *topk.Result[float32]
	most := -1.0
	for _, weight := range cs {
		c.Lambda = 1 / (weight * float64(len(p.y)))
		if last == nil {
			last, err = topk.Fit(ctx, p.x, p.y, c)
		} else {
			last, err = topk.FitFrom(ctx, p.x, p.y, c, last.Duals)
		}
		if err != nil {
			return 0, nil, err
		}
		if last.Status != solvers.Converged {
			return 0, nil, fmt.Errorf("%v k=%d, C = %v: %v at %v", loss, k, weight, last.Status, last.Certificate)
		}
		on, err := accuracies(last, p.val, p.valY)
		if err != nil {
			return 0, nil, err
		}
		if on[0] <= most {
			continue
		}
		most, best = on[0], weight
		if on, err = accuracies(last, p.test, p.testY); err != nil {
			return 0, nil, err
		}
		cells = pick(on)
	}
	return best, cells, nil
}
