package solvers

import (
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// Truth says what n examples are: one of its fields is set. dataset.Labeled has Y and Sets under these names.
type Truth struct {
	Y        []int   // the class of each example, an output of the model; 0 or 1 where it has one, large for class 1
	Sets     [][]int // the labels of each example, outputs of the model, each at most once
	Positive []bool  // whether each example is positive, for a model of one output
}

// check returns t, with Positive in place of Y for one output, or what does not fit n-by-m scores, or a score that is
// not finite.
func check[T vec.Float](scores vec.Matrix[T], t Truth) (Truth, error) {
	if err := scores.Validate(); err != nil {
		return t, fmt.Errorf("scores: %w", err)
	}
	n, m, set := scores.Rows, scores.Cols, 0
	for _, is := range []bool{t.Y != nil, t.Sets != nil, t.Positive != nil} {
		if is {
			set++
		}
	}
	labels := len(t.Y) + len(t.Sets) + len(t.Positive)
	switch {
	case set != 1:
		return t, fmt.Errorf("a Truth of Y, Sets and Positive with %d of them set, want one", set)
	case labels != n || n == 0 || m == 0:
		return t, fmt.Errorf("%d-by-%d scores for the truth of %d examples, want as many, one at least, and an output",
			n,
			m, labels)
	case t.Positive != nil && m != 1:
		return t, fmt.Errorf("positive examples with scores of %d outputs, want one", m)
	}
	for i, y := range t.Y {
		if most := max(m, 2) - 1; y < 0 || y > most {
			return t, fmt.Errorf("class %d of row %d, want one in 0..%d", y, i, most)
		}
	}
	seen := make([]int, m) // by the last row, from 1
	for i, set := range t.Sets {
		for _, l := range set {
			if l < 0 || l >= m || seen[l] == i+1 {
				return t, fmt.Errorf("label %d of row %d, want each in 0..%d, once at most", l, i, m-1)
			}
			seen[l] = i + 1
		}
	}
	for i := range n {
		for c, v := range scores.Row(i) {
			if v-v != 0 {
				return t, fmt.Errorf("the score of row %d for output %d is %v, want a finite number", i, c, v)
			}
		}
	}
	if t.Y != nil && m == 1 {
		positive := make([]bool, n)
		t.having(1, positive)
		t = Truth{Positive: positive}
	}
	return t, nil
}

// has sets is, one for each label, to whether example i has it. t has no classes.
func (t Truth) has(i int, is []bool) {
	if t.Positive != nil {
		is[0] = t.Positive[i]
		return
	}
	clear(is)
	for _, l := range t.Sets[i] {
		is[l] = true
	}
}

// having sets has to which examples have label l.
func (t Truth) having(l int, has []bool) {
	copy(has, t.Positive)
	for i := range t.Y {
		has[i] = t.Y[i] == l
	}
	for i := range t.Sets {
		has[i] = slices.Contains(t.Sets[i], l)
	}
}
