package ascent

import (
	"fmt"
	"slices"
)

// Labels are the true classes of the examples: one each, or a set each.
type Labels struct {
	One  []int
	Sets [][]int // ascending: see SortedSets
}

// Of returns the true classes of example i, ascending.
func (l *Labels) Of(i int) []int {
	if l.Sets != nil {
		return l.Sets[i]
	}
	return l.One[i : i+1 : i+1]
}

// Count returns the number of examples.
func (l *Labels) Count() int {
	if l.Sets != nil {
		return len(l.Sets)
	}
	return len(l.One)
}

// SortedSets returns the sets in ascending order, in memory of its own, or an error where a class stands twice in one.
func SortedSets(y [][]int) ([][]int, error) {
	sets := make([][]int, len(y))
	for i, set := range y {
		sets[i] = slices.Sorted(slices.Values(set))
		for p, c := range sets[i][min(1, len(set)):] {
			if c == sets[i][p] {
				return nil, fmt.Errorf("label %d stands twice in row %d", c, i)
			}
		}
	}
	return sets, nil
}

// Outputs returns the number of classes or labels of n examples, which is given if it is positive and the largest label + 1
// otherwise; or an error that names the label that is out of range.
func (l *Labels) Outputs(n, given int) (m int, err error) {
	if n == 0 {
		return 0, fmt.Errorf("no examples")
	}
	if l.Count() != n {
		return 0, fmt.Errorf("%d labels for %d examples", l.Count(), n)
	}
	most, at := -1, 0
	for i := range n {
		for _, v := range l.Of(i) {
			switch {
			case v < 0:
				return 0, fmt.Errorf("label %d of row %d, need at least 0", v, i)
			case given > 0 && v >= given:
				return 0, fmt.Errorf("label %d of row %d, need one in 0..%d: there are %d classes", v, i, given-1, given)
			case v > most:
				most, at = v, i
			}
		}
	}
	if given > 0 {
		return given, nil
	}
	if most > max(n, 1<<16) { // a typo or an identifier would cost all memory
		return 0, fmt.Errorf("label %d of row %d, with %d examples: set Classes if there are so many", most, at, n)
	}
	return most + 1, nil
}

// Classes is Outputs for losses that compare classes: it is an error, too, where there is nothing to tell apart.
func (l *Labels) Classes(n, given int) (m int, err error) {
	if m, err = l.Outputs(n, given); err != nil {
		return 0, err
	}
	total, seen, same := 0, -1, l.Sets == nil
	for i := range n {
		for _, v := range l.Of(i) {
			same = same && (seen < 0 || v == seen)
			seen = v
			total++
		}
	}
	switch {
	case same:
		return 0, fmt.Errorf("all %d labels are %d, need two classes at least", n, seen)
	case total == 0 || total == n*m:
		return 0, fmt.Errorf("%d labels for %d examples of %d classes: nothing to tell apart", total, n, m)
	case m < 2:
		return 0, fmt.Errorf("%d class, need two at least", m)
	}
	return m, nil
}
