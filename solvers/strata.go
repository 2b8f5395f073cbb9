package solvers

import (
	"cmp"
	"container/heap"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

// Strata is what folds and splits of n examples go by. All fields may be empty but one, which tells n; dataset.Labeled
// has Y, Sets and Groups under these names.
type Strata struct {
	N      int     // number of examples, where nothing else tells it
	Y      []int   // class of each example: classes are spread in proportion; or
	Sets   [][]int // label set of each example: labels are spread, the rarest most evenly
	Groups []int   // group of each example: a group stays together
}

// Folds returns the fold of each example, 0 to count-1, drawn by seed.
//
// Without groups the folds are as equal in size as can be, and with Y as equal as can be in each class. With Sets
// examples are put in order by the rarest of their labels, then by the next, and dealt in turn: a label that is the
// rarest of all its examples is as even as can be, the others nearly so. Groups are put in order by the labels that
// occur in them, and each goes to the fold that is smallest then; sizes differ by the size of a group.
//
// It is an error unless there are 2 folds at least and at most as many as examples, or groups.
func (s Strata) Folds(count int, seed uint64) ([]int, error) {
	n, err := s.check()
	if err != nil {
		return nil, err
	}
	if count < 2 || count > n {
		return nil, fmt.Errorf("solvers: %d folds of %d examples, want at least 2 and at most as many as examples",
			count, n)
	}
	units := s.units(n, seed)
	if count > len(units) {
		return nil, fmt.Errorf("solvers: %d folds of %d groups, want at most as many as groups", count, len(units))
	}
	sizes := make(folds, count)
	for f := range sizes {
		sizes[f].number = f
	}
	fold := make([]int, n)
	for _, u := range units {
		for _, i := range u {
			fold[i] = sizes[0].number
		}
		sizes[0].size += len(u)
		heap.Fix(&sizes, 0)
	}
	return fold, nil
}

// Parts are two parts of the examples, each with its rows in ascending order.
type Parts struct{ Train, Test []int }

// Split returns a part to train on, and one to test on with the given share of the examples, drawn by seed. Classes and
// labels are in proportion and groups together as in [Strata.Folds]; the test part has share n examples, rounded, and
// with groups as near to it as dealing them in turn comes. It is an error if a part has no example then.
func (s Strata) Split(share float64, seed uint64) (parts Parts, err error) {
	n, err := s.check()
	if err != nil {
		return parts, err
	}
	want := math.Round(share * float64(n))
	if !(want >= 1 && want <= float64(n-1)) {
		return parts, fmt.Errorf("solvers: a share of %v of %d examples to test on leaves a part empty", share, n)
	}
	units := s.units(n, seed)
	if len(units) < 2 {
		return parts, fmt.Errorf("solvers: %d group of examples, want 2 at least to split them", len(units))
	}
	chosen := make([]bool, len(units))
	dealt, have, count := 0, 0, 0
	for p, u := range units {
		dealt += len(u)
		// To the test part if that is nearer with this unit than without to its share of what has been dealt.
		if chosen[p] = float64(2*have+len(u)) <= 2*want*float64(dealt)/float64(n); chosen[p] {
			have, count = have+len(u), count+1
		}
	}
	if count == 0 || count == len(units) { // groups of very different size
		least := 0
		for p, u := range units {
			if len(u) < len(units[least]) {
				least = p
			}
		}
		chosen[least] = count == 0
	}
	for p, u := range units {
		if chosen[p] {
			parts.Test = append(parts.Test, u...)
		} else {
			parts.Train = append(parts.Train, u...)
		}
	}
	slices.Sort(parts.Train)
	slices.Sort(parts.Test)
	return parts, nil
}

// Order returns the examples in a random order, drawn by seed, of which every part from the start on has about as many
// of each class of Y as is its share. Sets and Groups do not matter.
func (s Strata) Order(seed uint64) ([]int, error) {
	n, err := s.check()
	if err != nil {
		return nil, err
	}
	classes := map[int][]int{}
	for i := range n {
		class := 0
		if s.Y != nil {
			class = s.Y[i]
		}
		classes[class] = append(classes[class], i)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	order, share := make([]int, 0, n), make([]float64, n) // share of its class that comes before
	for _, class := range slices.Backward(slices.Sorted(maps.Keys(classes))) {
		rows := classes[class]
		random.Shuffle(len(rows), func(p, q int) { rows[p], rows[q] = rows[q], rows[p] })
		for p, i := range rows {
			share[i] = float64(p) / float64(len(rows))
		}
		order = append(order, rows...)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(share[i], share[j]) })
	return order, nil
}

// check returns the number of examples.
func (s Strata) check() (n int, err error) {
	n, what := s.N, "N"
	if s.Y != nil && s.Sets != nil {
		return 0, fmt.Errorf("solvers: %d classes and %d label sets for folds, want one of both", len(s.Y), len(s.Sets))
	}
	for _, f := range []struct {
		is   bool
		size int
		name string
	}{
		{s.Y != nil, len(s.Y), "labels"},
		{s.Sets != nil, len(s.Sets), "label sets"},
		{s.Groups != nil, len(s.Groups), "groups"},
	} {
		switch {
		case !f.is:
		case n == 0:
			n, what = f.size, f.name
		case n != f.size && what == "N":
			return 0, fmt.Errorf("solvers: %d %s for the folds of %d examples", f.size, f.name, n)
		case n != f.size:
			return 0, fmt.Errorf("solvers: %d %s and %d %s for folds, want one of each for an example",
				n, what, f.size, f.name)
		}
	}
	if n < 0 {
		return 0, fmt.Errorf("solvers: folds of %d examples", n)
	}
	return n, nil
}

// units returns what is dealt, in order: examples or groups of them, those with the same labels next to each other and
// drawn by seed among themselves.
func (s Strata) units(n int, seed uint64) [][]int {
	order := rand.New(rand.NewPCG(seed, 1)).Perm(n)
	units := make([][]int, 0, n)
	if s.Groups == nil {
		for p := range order {
			units = append(units, order[p:p+1:p+1])
		}
	} else {
		place := map[int]int{}
		for _, i := range order {
			g, known := place[s.Groups[i]]
			if !known {
				g = len(units)
				place[s.Groups[i]] = g
				units = append(units, nil)
			}
			units[g] = append(units[g], i)
		}
	}
	keys := s.keys(units)
	if keys == nil {
		return units
	}
	places := make([]int, len(units))
	for p := range places {
		places[p] = p
	}
	slices.SortStableFunc(places, func(p, q int) int { return slices.Compare(keys[p], keys[q]) })
	sorted := make([][]int, len(units))
	for p, q := range places {
		sorted[p] = units[q]
	}
	return sorted
}

// keys returns what units are sorted by, nil where that is nothing: the class, where they are single examples of one;
// else the labels that occur in a unit, as numbers that say how rare they are, the rarest first.
func (s Strata) keys(units [][]int) [][]int {
	if s.Y == nil && s.Sets == nil {
		return nil
	}
	keys := make([][]int, len(units))
	for p, u := range units {
		for _, i := range u {
			if s.Y != nil {
				keys[p] = append(keys[p], s.Y[i])
			} else {
				keys[p] = append(keys[p], s.Sets[i]...)
			}
		}
		slices.Sort(keys[p])
		keys[p] = slices.Compact(keys[p])
	}
	if s.Groups == nil && s.Y != nil {
		return keys
	}
	occur := map[int]int{} // of each label
	for _, key := range keys {
		for _, label := range key {
			occur[label]++
		}
	}
	labels := make([]int, 0, len(occur))
	for label := range occur {
		labels = append(labels, label)
	}
	slices.SortFunc(labels, func(a, b int) int { return cmp.Or(cmp.Compare(occur[a], occur[b]), cmp.Compare(a, b)) })
	rank := make(map[int]int, len(labels))
	for r, label := range labels {
		rank[label] = r
	}
	for _, key := range keys {
		for k, label := range key {
			key[k] = rank[label]
		}
		slices.Sort(key)
	}
	return keys
}

// folds is a heap of folds by size, then by number.
type folds []struct{ size, number int }

func (f folds) Len() int { return len(f) }
func (f folds) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(f[i].size, f[j].size), cmp.Compare(f[i].number, f[j].number)) < 0
}
func (f folds) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f folds) Push(any)      {}
func (f folds) Pop() any      { return nil }
