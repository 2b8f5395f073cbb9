package dataset

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

// RawWeights returns the weights and offsets that give examples the scores that w and bias give them scaled by s, so
// that a linear model takes raw data:
//
//	xᵀ W' + b' = ((x - shift) factor)ᵀ W + b,   W'_jc = factor_j W_jc,   b'_c = b_c - sum_j shift_j factor_j W_jc.
//
// w is d-by-m, bias has m numbers or is nil; the result has offsets where there are some or a shift. All is computed in
// float64 and rounded once. It is an error if the sizes differ, if s divides rows by their norms, which no weights do,
// or if a number is not finite.
func RawWeights[T vec.Float](s *Scaling, w vec.Matrix[T], bias []T) (vec.Matrix[T], []T, error) {
	none := vec.Matrix[T]{}
	if err := w.Validate(); err != nil {
		return none, nil, fmt.Errorf("dataset: weights: %w", err)
	}
	if err := s.check(w.Rows, false); err != nil {
		return none, nil, err
	}
	if s.UnitRows {
		return none, nil, fmt.Errorf("dataset: rows scaled to norm 1, which weights of raw rows cannot do")
	}
	if bias != nil && len(bias) != w.Cols {
		return none, nil, fmt.Errorf("dataset: %d offsets for %d outputs", len(bias), w.Cols)
	}
	raw, offsets := vec.NewMatrix[T](w.Rows, w.Cols), make([]float64, w.Cols)
	for c, v := range bias {
		offsets[c] = float64(v)
	}
	for j := range w.Rows {
		shift, factor := 0.0, 1.0
		if s.Shift != nil {
			shift = s.Shift[j]
		}
		if s.Factor != nil {
			factor = s.Factor[j]
		}
		to := raw.Row(j)
		for c, v := range w.Row(j) {
			scaled := factor * float64(v)
			to[c] = T(scaled)
			offsets[c] -= float64(shift * scaled)
		}
		if c := firstNotFinite(to); c >= 0 {
			return none, nil, fmt.Errorf("dataset: weight %v of feature %d for output %d is %v times its factor %v, "+
				"want a finite number", w.Row(j)[c], j, c, to[c], factor)
		}
	}
	if bias == nil && s.Shift == nil {
		return raw, nil, nil
	}
	own := make([]T, w.Cols)
	for c, v := range offsets {
		if own[c] = T(v); !isFinite(own[c]) {
			return none, nil, fmt.Errorf("dataset: offset %v of output %d, want a finite number", own[c], c)
		}
	}
	return raw, own, nil
}
