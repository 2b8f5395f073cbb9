package loss

import (
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// softmaxMemory is what a visit of the softmax loss shares with its kernels.
type softmaxMemory struct {
	u       []float64 // z, l and p
	sums    [2]float64
	problem unchecked.EntropyProblem
	room    int // the length of a row
}

// grow makes room for m classes.
func (s *softmaxMemory) grow(m int) *softmaxMemory {
	s.room = (m + 7) &^ 7
	if size := unchecked.EntropyRows * s.room; len(s.u) < size {
		s.u = make([]float64, size)
	}
	return s
}

// at returns l and p of a class.
func (s *softmaxMemory) at(j int) (l, p float64) { return s.u[s.room+j], s.u[2*s.room+j] }

// softmaxBegin sets p to the exponentials of s - shift, and the sums to theirs and <a,s>.
func softmaxBegin[T vec.Float](a, s []T, m *softmaxMemory, shift float64) {
	if unchecked.Is32[T]() {
		unchecked.EntropyBegin32(a, s, &m.u[0], &m.sums[0], shift)
	} else {
		unchecked.EntropyBegin64(a, s, &m.u[0], &m.sums[0], shift)
	}
}

// softmaxStep solves the problem, and moves a.
func softmaxStep[T vec.Float](a, delta []T, m *softmaxMemory, y int) (outcome int) {
	if unchecked.Is32[T]() {
		return unchecked.EntropyStep32(a, delta, &m.u[0], y, &m.problem)
	}
	return unchecked.EntropyStep64(a, delta, &m.u[0], y, &m.problem)
}
