package m3l

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// unseenClasses are tested on, out of ten: the paper's Animals with Attributes has ten of fifty.
const unseenClasses = 3

// unseenRidge is what is added to R, relative to its diagonal: the paper adds nothing, but R must be invertible there,
// and three classes have an R of rank 3.
const unseenRidge = .1

// unseenProtocol is how Table 3 is made of sets whose labels are attributes of classes, for the reader of the table.
const unseenProtocol = `Zero-shot learning, as the paper's Animals with Attributes: %d classes, drawn anew each time, are
tested on, and %d examples of the other classes are trained on. R is the sum of p(c) y_c y_cᵀ over the
classes tested on, y_c their attributes, p(c) their shares of the test part, and %v I. C is, for each
method, the one of %v with the least Hamming loss on a third of the
training examples after training on the others; then all of them are trained on.`

// unseen draws the classes to test on, and examples of the others to train on, and makes the prior of the first.
func (c *command) unseen(d *set, random *rand.Rand) (t *task, test part, err error) {
	held := random.Perm(d.attributes.Rows)[:unseenClasses]
	var rows, tested []int
	for i, y := range d.train.y {
		if !slices.Contains(held, y) {
			rows = append(rows, i)
		}
	}
	if len(rows) < c.size {
		return nil, test, fmt.Errorf("a subset of %d of %d training examples of the classes trained on", c.size,
			len(rows))
	}
	random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	rows = rows[:c.size]
	slices.Sort(rows)
	count := make([]float64, unseenClasses)
	for i, y := range d.test.y {
		if k := slices.Index(held, y); k >= 0 {
			tested = append(tested, i)
			count[k]++
		}
	}
	attributes := vec.NewMatrix[float64](unseenClasses, d.labels)
	for k, class := range held {
		copy(attributes.Row(k), d.attributes.Row(class))
	}
	t = &task{train: d.train.of(rows), labels: d.labels, tol: c.tol, workers: c.workers}
	t.r, err = m3l.Prior(attributes, count, unseenRidge)
	return t, d.test.of(tested), err
}
