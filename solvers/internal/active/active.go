// Package active keeps the active set of a training on a kernel.
//
// In the solution of a problem with a hinge the dual variables of most examples are 0, and an example that stays at 0
// costs a kernel solver its column of every row of K and its part of every product. So a large training works on the
// active examples alone, as if there were no others, until their gap is small; then it computes the scores of the
// others, takes in the ones that the model has a loss on, and goes on. It begins with a few examples and comes to all
// of them in levels, each four times as large: the model of one level chooses what the next one begins with.
//
// Which examples to take in, and how the active ones are trained, is the family's.
package active

import (
	"slices"

	"github.com/dualgap/dualgap/internal/container"
)

// Set holds the examples that may become active, in random order. The first of them are the level's; some of the level
// are active. The dual variables of all others are 0.
type Set struct {
	all   []int   // examples
	size  int     // of the level: all[:size]
	at    []int   // the active examples
	place []int32 // of each of the n examples in at, or -1
}

// New returns the Set of the given examples of n, in random order, at its first level, from half of first to twice as
// many: all of these are active. It takes all over.
func New(n int, all []int, first int) *Set {
	s := &Set{all: all, size: len(all), place: make([]int32, n)}
	for s.size > 2*first {
		s.size /= 4
	}
	s.Activate(all[:s.size])
	return s
}

// At returns the active examples, which must not be changed.
func (s *Set) At() []int { return s.at }

// Place returns the place of example i in At, or -1.
func (s *Set) Place(i int) int { return int(s.place[i]) }

// Last reports whether the level is the last one, of all examples.
func (s *Set) Last() bool { return s.size == len(s.all) }

// Advance goes on to the next level and returns the examples that are new in it, none of them active.
func (s *Set) Advance() (fresh []int) {
	before := s.size
	s.size *= 4
	if s.size > len(s.all)/2 {
		s.size = len(s.all)
	}
	return s.all[before:s.size]
}

// Finish makes the level the last one.
func (s *Set) Finish() { s.size = len(s.all) }

// Level returns the examples of the level, active or not, which must not be changed.
func (s *Set) Level() []int { return s.all[:s.size] }

// All returns all examples of all levels, which must not be changed.
func (s *Set) All() []int { return s.all }

// Others returns the examples that are not active.
func (s *Set) Others() []int {
	others := make([]int, 0, len(s.all)-len(s.at))
	for _, i := range s.all {
		if s.place[i] < 0 {
			others = append(others, i)
		}
	}
	return others
}

// Activate makes the given examples the active ones, in this order, and no others. It keeps a copy.
func (s *Set) Activate(set []int) {
	s.at = slices.Clone(set)
	for i := range s.place {
		s.place[i] = -1
	}
	for p, i := range s.at {
		s.place[i] = int32(p)
	}
}

// Save writes the order, the level and which examples are active.
func (s *Set) Save(w *container.Writer) {
	w.Indices("all ", s.all)
	w.Indices("actv", s.at)
	w.Ints("levl", s.size)
}

// Load reads what Save wrote of a Set of the same examples.
func (s *Set) Load(r *container.Reader) {
	n := len(s.place)
	all, at, size := r.Indices("all ", len(s.all), n), r.Indices("actv", container.Any, n), r.Ints("levl", 1)
	if r.Err() != nil {
		return
	}
	known := make([]bool, n)
	for _, i := range s.all {
		known[i] = true
	}
	other := func(i int) bool { return !known[i] }
	if slices.ContainsFunc(all, other) || slices.ContainsFunc(at, other) || len(at) == 0 || size[0] < 1 ||
		size[0] > len(all) {
		r.Corrupt("%d active examples, a level of %d of %d, with one that is none of these", len(at), size[0], len(all))
		return
	}
	s.all, s.size = all, size[0]
	s.Activate(at)
}
