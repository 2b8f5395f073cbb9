package dcd

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/papers"
)

// Look computes both objectives, with the scores s_il = z_lᵀx_i and q = sum_il y_il alpha_il s_il:
//
//	primal  q + sum_il C (Δ+_il + max(0, Δ-_il - Δ+_il - 2 y_il s_il))
//	dual    sum_il (C Δ+_il + alpha_il (Δ-_il - Δ+_il)) - q
func (s *method) Look() (papers.Step, error) {
	s.spread()
	q, losses, gains := 0.0, 0.0, 0.0
	for l := range s.y.Rows {
		for i, y := range s.y.Row(l) {
			score, a, margin := s.x.dot(i, s.z.Row(l)), s.alpha.At(l, i), s.margin.At(l, i)
			q += y * a * score
			losses += max(0, margin-2*y*score)
			gains += a * margin
		}
	}
	now := papers.Step{Count: s.sets.active, Passes: float64(s.done) / float64(s.y.Cols*s.y.Rows),
		Certificate: solvers.Certificate{Primal: q + s.base + s.c*losses, Dual: s.base + gains - q}}
	if gap := now.Primal - now.Dual; gap-gap != 0 {
		return now, fmt.Errorf("primal and dual values of %v and %v: examples, R, C or margins are too large",
			now.Primal, now.Dual)
	}
	return now, nil
}
