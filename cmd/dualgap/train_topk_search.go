package main

import (
	"context"
	"math"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// searchTopK measures points of a grid, or the parameters as given: a path of costs for each k and gamma.
func searchTopK[T vec.Float](ctx context.Context, s shared, t *TrainTopK, e *data.Examples[T], p topk.Problem[T],
	c topk.Config,
	found *search[T], grid bool) error {
	found.parameters = []string{"k", "gamma", "c"}
	path := topk.PathConfig{Tops: t.K}
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
			k.Gamma = gamma
			if k.check() != nil {
				return k.check()
			}
			if p.X, p.Kernel, c.Bias, err = matrix(&k, t.Intercept, e.Features()); err != nil {
				return err
			}
		}
		for _, k := range ks {
			c := c
			c.K = k
			if err := walk(found, s, func(s shared) ([]topk.Point[T], error) {
				path.CrossValidation = s.cv
				return p.Path(ctx, s.topk(c), path)
			}, func(at topk.Point[T]) ([]float64, solvers.Validation, fitting[T]) {
				c := c
				c.Lambda = at.Lambda
				cost := round(1 / (at.Lambda * float64(e.Len())))
				return []float64{float64(k), gamma, cost}, at.Validation, runsTopK(p).fit(c)
			}); err != nil {
				return err
			}
		}
	}
	return nil
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
