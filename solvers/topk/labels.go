package topk

import (
	"fmt"
	"slices"
)

// labels are the true classes of the examples: one each, or a set each.
type labels struct {
	one  []int
	sets [][]int
}

// of returns the true classes of example i, ascending.
func (l *labels) of(i int) []int {
	if l.sets != nil {
		return l.sets[i]
	}
	return l.one[i : i+1]
}

func (l *labels) count() int {
	if l.sets != nil {
		return len(l.sets)
	}
	return len(l.one)
}

// sortedSets returns the sets in ascending order, in memory of its own, or an error where a class stands twice in one.
func sortedSets(y [][]int) (labels, error) {
	sets := make([][]int, len(y))
	for i, set := range y {
		sets[i] = slices.Sorted(slices.Values(set))
		for p, c := range sets[i][min(1, len(set)):] {
			if c == sets[i][p] {
				return labels{}, fmt.Errorf("topk: label %d stands twice in row %d", c, i)
			}
		}
	}
	return labels{sets: sets}, nil
}

// classes returns the number of classes, or an error that names what is wrong with the labels or with K.
func (l *labels) classes(n int, c Config) (m int, err error) {
	if n == 0 {
		return 0, fmt.Errorf("topk: no examples")
	}
	if l.count() != n {
		return 0, fmt.Errorf("topk: %d labels for %d examples", l.count(), n)
	}
	most, at, total := 0, 0, 0
	seen := -1
	same := l.sets == nil
	for i := range n {
		for _, v := range l.of(i) {
			switch {
			case v < 0:
				return 0, fmt.Errorf("topk: label %d of row %d, need at least 0", v, i)
			case c.Classes > 0 && v >= c.Classes:
				return 0, fmt.Errorf("topk: label %d of row %d, need one in 0..%d: Classes = %d", v, i, c.Classes-1, c.Classes)
			case v > most:
				most, at = v, i
			}
			same = same && (seen < 0 || v == seen)
			seen = v
			total++
		}
	}
	m = c.Classes
	if m == 0 {
		if most > max(n, 1<<16) { // a typo or an identifier would cost all memory
			return 0, fmt.Errorf("topk: label %d of row %d, with %d examples: set Classes if there are so many", most, at, n)
		}
		m = most + 1
	}
	switch {
	case same:
		return 0, fmt.Errorf("topk: all %d labels are %d, need two classes at least", n, seen)
	case total == 0 || total == n*m:
		return 0, fmt.Errorf("topk: %d labels for %d examples of %d classes: nothing to tell apart", total, n, m)
	case m < 2:
		return 0, fmt.Errorf("topk: %d class, need two at least", m)
	case c.K >= m:
		return 0, fmt.Errorf("topk: K = %d with %d classes, need K < classes", c.K, m)
	}
	return m, nil
}
