package m3l

import (
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// mirrors reports whether the two labels of a problem are each other's opposite: each example has exactly one of them,
// and nothing else tells the labels apart. Then z_0 = -z_1 at the optimum, as the objective is strictly convex and
// stays the same where (z_0, z_1) becomes (-z_1, -z_0).
func (p Problem[T]) mirrors(labels *family.Labels, c *Config, prior vec.Matrix[float64]) bool {
	if c.Labels != 2 || p.R.Rows > 0 || p.P.Rows > 0 || p.Margins != nil || c.Costs != nil && c.Costs[0] != c.Costs[1] {
		return false
	}
	for i := range labels.Count() {
		if len(labels.Of(i)) != 1 {
			return false
		}
	}
	for j := range prior.Rows {
		if row := prior.Row(j); row[0] != -row[1] {
			return false
		}
	}
	return true
}

// mirror makes the training one of label 1 alone, whose objective counts twice.
func (t *prepared[T]) mirror() {
	q := &t.Problem
	sets, one := make([][]int, q.Labels.Count()), []int{0}
	for i := range sets {
		if q.Labels.Of(i)[0] == 1 {
			sets[i] = one
		}
	}
	q.Labels, q.Outputs, q.Lambda = family.Labels{Sets: sets}, 1, 2
	q.Loss, q.Exact = second(q.Loss), second(q.Exact)
	if prior := q.Prior; prior.Rows > 0 {
		q.Prior = vec.NewMatrix[float64](prior.Rows, 1)
		for j := range prior.Rows {
			q.Prior.Row(j)[0] = prior.Row(j)[1]
		}
	}
	t.Mirrored = true
}

// second returns the loss of the second label.
func second[T vec.Float](l loss.Loss[T]) loss.Loss[T] { return l.(loss.Parted[T]).Part([]int{1}, 2) }
