package family

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/solvers"
)

// MostInGroup is the largest number of classes of a group.
const MostInGroup = 64

// Labels are the true classes of the examples: one each, or a set each.
type Labels struct {
	One  []int
	Sets [][]int // ascending: see SortedSets

	// Of a group of classes: bit c of masks[i] is class c of example i. Visits are in random order: a mask is found in
	// the cache, where a set is far away, and then its labels are.
	masks []uint64
	mask  *[MostInGroup]int // the set that was asked for last
}

// Of returns the true classes of example i, ascending. The classes of a group are gone with the next call.
func (l *Labels) Of(i int) []int {
	switch {
	case l.masks != nil:
		return l.ofMask(l.masks[i])
	case l.Sets != nil:
		return l.Sets[i]
	}
	return l.One[i : i+1 : i+1]
}

func (l *Labels) ofMask(mask uint64) []int {
	n := 0
	for ; mask != 0; mask &= mask - 1 {
		l.mask[n] = bits.TrailingZeros64(mask)
		n++
	}
	return l.mask[:n]
}

// Within returns the labels of m that are in a group, by their places there.
func (l *Labels) Within(classes []int, m int) Labels {
	group := Labels{masks: make([]uint64, l.Count()), mask: new([MostInGroup]int)}
	bit := make([]uint64, m)
	for p, c := range classes {
		bit[c] = 1 << p
	}
	for i := range group.masks {
		for _, c := range l.Of(i) {
			group.masks[i] |= bit[c]
		}
	}
	return group
}

// Groups returns the m classes in groups of a size, each ascending. The rarer the classes are, the longer examples
// rest, as most are right about these by far: classes that are about as frequent share a group.
func (l *Labels) Groups(m, size int) (groups [][]int) {
	count, order := make([]int, m), make([]int, m)
	for i := range l.Count() {
		for _, c := range l.Of(i) {
			count[c]++
		}
	}
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return count[b] - count[a] })
	for group := range slices.Chunk(order, size) {
		slices.Sort(group)
		groups = append(groups, group)
	}
	return groups
}

// Masks returns a mask for each example of a group, bit c set where its class c is true; nil: they are not of a group.
func (l *Labels) Masks() []uint64 { return l.masks }

// Count returns the number of examples.
func (l *Labels) Count() int {
	switch {
	case l.masks != nil:
		return len(l.masks)
	case l.Sets != nil:
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

// Outputs returns the number of classes or labels of n examples, which is given if it is positive and the largest label
// + 1 otherwise; or an error that names the label that is out of range. what is the field of a Config that gives the
// number, in the plural.
func (l *Labels) Outputs(n, given int, what string) (m int, err error) {
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
				return 0, fmt.Errorf("label %d of row %d, want at least 0", v, i)
			case given > 0 && v >= given:
				return 0, fmt.Errorf("label %d of row %d, want one in 0..%d: there are %d %s", v, i, given-1, given,
					strings.ToLower(what))
			case v > most:
				most, at = v, i
			}
		}
	}
	if given > 0 {
		return given, nil
	}
	if most > max(n, 1<<16) { // a typo or an identifier would cost all memory
		return 0, fmt.Errorf("label %d of row %d, with %d examples: set %s if there are more", most, at, n, what)
	}
	return most + 1, nil
}

// Named is Outputs for losses that compare classes, which may have names: where no number is given there are as many as
// names, if any. It is an error, too, where there is nothing to tell apart.
func (l *Labels) Named(n, given int, names []string) (m int, err error) {
	if m, err = l.Outputs(n, cmp.Or(given, len(names)), "Classes"); err != nil {
		return 0, err
	}
	m = max(m, 1)
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
		return 0, fmt.Errorf("all %d labels are %d, want two classes at least", n, seen)
	case total == 0 || total == n*m:
		return 0, fmt.Errorf("%d labels for %d examples of %d classes: nothing to tell apart", total, n, m)
	case m < 2:
		return 0, fmt.Errorf("%d class, want two at least", m)
	}
	return m, solvers.CheckNames(names, m)
}

// Either returns the labels y or the sets of them, one of which is given.
func Either(y []int, sets [][]int) (l Labels, err error) {
	switch {
	case y == nil && sets == nil:
		return l, fmt.Errorf("no labels: want Y or Sets")
	case y != nil && sets != nil:
		return l, fmt.Errorf("Y and Sets, want one of them")
	case sets == nil:
		return Labels{One: y}, nil
	}
	l.Sets, err = SortedSets(sets)
	return l, err
}
