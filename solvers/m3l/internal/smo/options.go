package smo

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// WithDefaults returns o with defaults for what is 0 in it, Tau 1e-3 and Every n, or what is wrong with it, for n
// examples and the prior r.
func (o Options) WithDefaults(n int, r vec.Matrix[float64]) (Options, error) {
	if o.Tau == 0 {
		o.Tau = 1e-3
	}
	if o.Every == 0 {
		o.Every = n
	}
	switch {
	case !(o.Tau > 0) || math.IsInf(o.Tau, 1):
		return o, fmt.Errorf("Tau = %v, need a positive number", o.Tau)
	case o.Iterations < 0:
		return o, fmt.Errorf("Iterations = %d, need at least 1, or 0 for no limit", o.Iterations)
	case o.Every < 0:
		return o, fmt.Errorf("Every = %d, need at least 1", o.Every)
	case !o.ByLabel:
		return o, nil
	}
	for l := range r.Rows {
		for k, v := range r.Row(l) {
			if k != l && v != 0 {
				return o, fmt.Errorf("ByLabel with R of labels %d and %d, %v, need 0: they depend on each other", l, k,
					v)
			}
		}
	}
	return o, nil
}
