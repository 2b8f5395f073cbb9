package topk

import "github.com/dualgap/dualgap/vec"

// scores sets dst = Wᵀ x_i. Rows that lie in memory are multiplied at once: the checks of a call for blocks of rows would
// take as long as the product of a short one.
func (s *solver[T]) scores(i int, dst []T) {
	if s.dense != nil {
		vec.GemvT(1, s.w, s.dense.Row(i), 0, dst)
		return
	}
	s.one[0] = i
	s.x.Scores(s.one[:], s.w, vec.MatrixOf(1, len(dst), dst))
}

// add adds x_i deltaᵀ to W.
func (s *solver[T]) add(i int, delta []T) {
	if s.dense != nil {
		vec.Ger(1, s.dense.Row(i), delta, s.w)
		return
	}
	s.one[0] = i
	s.x.Accumulate(s.one[:], vec.MatrixOf(1, len(delta), delta), s.w)
}
