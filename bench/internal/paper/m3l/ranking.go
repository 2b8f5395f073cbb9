package m3l

import (
	"cmp"
	"context"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// fitRanking trains the multilabel hinge, which ranks labels and tells no size of a set. A label is predicted where its
// score is larger than the mean of the example's scores by more than a threshold, the one with the least Hamming loss
// on the examples p.
func fitRanking(ctx context.Context, t *task, p part, c float64) (predictor, error) {
	m, err := topk.Problem[float32]{X: p.x, Sets: p.sets}.Fit(ctx, topk.Config{
		Lambda: 1 / (c * float64(len(p.sets))), Bias: 1, Tol: t.tol, Workers: t.workers, Epochs: epochs,
		Classes: t.labels,
	})
	if err == nil {
		err = converged(m.Outcome)
	}
	if err != nil {
		return nil, err
	}
	s, err := centred(m, p.x, t)
	if err != nil {
		return nil, err
	}
	above := threshold(s, p.sets)
	return func(x design.Matrix[float32]) ([][]int, error) {
		s, err := centred(m, x, t)
		if err != nil {
			return nil, err
		}
		sets := make([][]int, s.Rows)
		for i := range sets {
			for l, v := range s.Row(i) {
				if v > above {
					sets[i] = append(sets[i], l)
				}
			}
		}
		return sets, nil
	}, nil
}

// centred returns the scores of x less each example's mean.
func centred(m solvers.Scorer[float32], x design.Matrix[float32], t *task) (vec.Matrix[float32], error) {
	n, _ := x.Dims()
	s := vec.NewMatrix[float32](n, t.labels)
	if err := m.Scores(s, x, nil); err != nil {
		return s, err
	}
	for i := range n {
		mean := vec.Sum(s.Row(i)) / float32(t.labels)
		for l := range s.Row(i) {
			s.Row(i)[l] -= mean
		}
	}
	return s, nil
}

// threshold returns the value above which scores say yes with the fewest faults.
func threshold(s vec.Matrix[float32], sets [][]int) float32 {
	type score struct {
		value float32
		yes   bool
	}
	var all []score
	for i, set := range sets {
		for l, v := range s.Row(i) {
			all = append(all, score{v, slices.Contains(set, l)})
		}
	}
	slices.SortFunc(all, func(a, b score) int { return cmp.Compare(b.value, a.value) })
	best, above := 0, all[0].value // nothing is above: as many faults as labels, counted from there
	for k, faults := 0, 0; k < len(all); k++ {
		if faults++; all[k].yes {
			faults -= 2
		}
		if k+1 < len(all) && all[k+1].value < all[k].value && faults < best {
			best, above = faults, (all[k].value+all[k+1].value)/2
		}
	}
	return above
}
