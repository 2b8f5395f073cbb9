package main

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// searchTopK measures the accuracy of the first -k guesses, over a grid or with the parameters as given.
func searchTopK[T vec.Float](ctx context.Context, t *TrainTopK, e *data.Examples[T], p topk.Problem[T], c topk.Config,
	folds int, grid bool) (*search[T], error) {
	s := &search[T]{measure: "Accuracy", parameters: []string{"k", "gamma", "c"}}
	if t.K > 1 {
		s.measure = fmt.Sprintf("Top-%d Accuracy", t.K)
	}
	path := topk.PathConfig{Folds: folds, Tops: t.K}
	ks, gammas := []int{t.K}, []float64{t.Gamma}
	switch {
	case !grid:
		path.Lambdas = []float64{c.Lambda}
	case t.GridC != nil:
		for _, v := range t.GridC {
			path.Lambdas = append(path.Lambdas, 1/(v*float64(e.Len())))
		}
	}
	if t.GridK != nil {
		ks = t.GridK
	}
	if t.GridGamma != nil {
		gammas = t.GridGamma
	}
	for _, gamma := range gammas {
		if gamma != t.Gamma {
			k, err := t.Kernels, error(nil)
			if k.Gamma = gamma; k.check() != nil {
				return nil, k.check()
			}
			if p.X, p.Kernel, err = matrix(&k, e.X); err != nil {
				return nil, err
			}
		}
		for _, c.K = range ks {
			points, err := p.Path(ctx, c, path)
			if err != nil {
				return nil, err
			}
			for _, at := range points {
				cost := 1 / (at.Lambda * float64(e.Len()))
				s.add(point[T]{
					[]float64{float64(c.K), gamma, round(cost)}, at.Accuracy[t.K-1], at.Spread[t.K-1],
					func() (*trained[T], error) { return endTopK(at.Result, nil) },
				})
			}
		}
	}
	return s, nil
}

// round takes away what rounding has added to a number that was short.
func round(v float64) float64 {
	digits := math.Pow(10, 12-math.Ceil(math.Log10(v)))
	if r := math.Round(v*digits) / digits; r > 0 && !math.IsInf(r, 0) {
		return r
	}
	return v
}

func floats(values []int) (all []float64) {
	for _, v := range values {
		all = append(all, float64(v))
	}
	return all
}
