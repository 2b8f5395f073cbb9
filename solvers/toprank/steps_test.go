package toprank

import (
	"fmt"
	"hash"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/internal/active"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestSteps: small trainings take the committed steps by methods that else are for many examples, so that no small
// training of the solvers' TestSteps goes there: visits of queries, and levels of features.
func TestSteps(t *testing.T) {
	prove.Steps(t, "testdata/steps.txt", func(add func(name string, h hash.Hash)) {
		visited[float32](t, add)
		visited[float64](t, add)
		policy := featureLevels
		defer func() { featureLevels = policy }()
		featureLevels = active.Policy{From: 400, First: 60, Loose: 2e-2, Look: 0.7}
		byLevels[float32](t, add)
		byLevels[float64](t, add)
	})
}

// visited trains by visits of queries, to the end, from states and from other dual variables.
func visited[T vec.Float](t *testing.T, add func(name string, h hash.Hash)) {
	all := grouped(12)[:3]
	for k, p := range append(all, linearOf(all[1]), linearOf(all[2])) {
		forms := problemsOf[T](t, in[T](p))
		for _, form := range []string{"kernel, visits", "kernel of sparse, visits", "dense, visits", "sparse, visits"} {
			q, ok := forms[form]
			if !ok {
				continue
			}
			for j, c := range []Config{{}, {K: 2, C: 10}, {Loss: Hinge, K: 3}, {C: .01, Theta1: 2},
				{Loss: Hinge, C: 30}} {
				c.Workers, c.Epochs, c.Tol, c.Seed = 1, 40, []float64{1e-3, 1e-6}[k%2], 5
				name := fmt.Sprintf("problem %d, %s, %T, config %d", k, form, T(0), j)
				all := familytest.Trace(t, q, c, 0, 0)
				for part := range int64(3) {
					all.Write(familytest.Trace(t, q, c, 1+2*part, 7).Sum(nil))
				}
				from := q
				from.Start, _ = q.Fit(t.Context(), Config{C: .1, Tol: .1, Workers: 1})
				all.Write(familytest.Trace(t, from, c, 0, 0).Sum(nil))
				add(name, all)
			}
		}
	}
}

// byLevels trains on features by levels, as if examples were many.
func byLevels[T vec.Float](t *testing.T, add func(name string, h hash.Hash)) {
	x, positive := manyExamples(700, 5)
	p := ranktruth.Problem{Positive: positive, Kernel: kernel.Linear{}}
	for i := range x.Rows {
		p.X = append(p.X, x.Row(i))
	}
	forms := problemsOf[T](t, in[T](p))
	for _, form := range []string{"dense", "sparse"} {
		for j, c := range leveled {
			c.Workers, c.Seed, c.Tol = 1, 5, []float64{1e-3, 1e-5}[j%2]
			name := fmt.Sprintf("levels, %s, %T, config %d", form, T(0), j)
			all := familytest.Trace(t, forms[form], c, 0, 0)
			for part := range int64(4) {
				all.Write(familytest.Trace(t, forms[form], c, 1+2*part, 9).Sum(nil))
			}
			add(name, all)
		}
	}
}
