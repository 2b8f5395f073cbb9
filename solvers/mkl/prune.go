package mkl

import "fmt"

// Prune returns r with a model that has only those kernels whose share is at least the given one, so that the others
// cost nothing in predictions. Its certificate, with the primal value of that model, says what was lost by it: the dual
// value stays, and so does the Status. r is of this problem, with the configuration c. Norms and Shares are the new
// model's. It is an error where share is not in [0, 1) or no kernel would be left.
func (p Problem[T]) Prune(r *Result[T], c Config, share float64) (*Result[T], error) {
	pruned, err := p.prune(r, c, share)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return pruned, nil
}

func (p Problem[T]) prune(r *Result[T], c Config, share float64) (*Result[T], error) {
	t, err := p.prepare(c, c.options())
	switch {
	case err != nil:
		return nil, err
	case r == nil || len(r.Eta) != p.Bundle.Kernels() || r.coefficients().Rows != p.Bundle.Len():
		return nil, fmt.Errorf("no result of this problem to prune")
	case !(share >= 0 && share < 1):
		return nil, fmt.Errorf("a share of %v to keep kernels from, want at least 0 and less than 1", share)
	}
	if err := t.begin(); err != nil {
		return nil, err
	}
	pruned, eta, left := *r, make([]float64, len(r.Eta)), 0
	for j, v := range r.Shares {
		if v >= share && r.Eta[j] > 0 {
			eta[j] = r.Eta[j]
			left++
		}
	}
	if left == 0 {
		return nil, fmt.Errorf("no kernel has a share of %v", share)
	}
	coefficients := r.coefficients()
	if pruned.Certificate, err = t.solver.Evaluate(eta, coefficients, r.Duals); err != nil {
		return nil, err
	}
	notes := r.Notes()
	notes["outcome"] = pruned.Outcome.String()
	notes["pruned"] = fmt.Sprintf("kernels with a share below %v: %d of %d are left", share, left, len(eta))
	v := t.solver.Variables(eta, coefficients)
	if pruned.Model, err = t.Model(v, notes); err != nil {
		return nil, err
	}
	pruned.weigh(t.solver.Weights(v))
	return &pruned, nil
}
