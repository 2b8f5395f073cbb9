package pq

import (
	"errors"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Cosines are distances of vectors of length 1: cos(q, x) = 1 - |q/|q| - x/|x||²/2. An index for them keeps the codes
// of x/|x| in float32 and compares with q/|q| in float32; originals stay what they are. Each of the two is off by at
// most 2⁻²⁴ in length (and next to nothing where numbers underflow), so that with D, their squared distance,
//
//	|cos(q, x) - (1 - D/2)| <= 2⁻²¹ = cosineSlack.
const cosineSlack = 0x1p-21

// cosineOf returns the negative cosine for a squared distance of vectors of length 1.
func cosineOf(d float64) float64 { return d/2 - 1 }

// ofCodes is the metric by which codes are compared.
func ofCodes(m Metric) Metric {
	if m == CosineSimilarity {
		return L2
	}
	return m
}

// setUnit sets the query of length 1.
func (s *searcher) setUnit(query []float32, d int) error {
	if err := checkQuery(query, d); err != nil {
		return err
	}
	s.unit = append(s.unit[:0], query...)
	if !normalize(s.unit) {
		return errors.New("pq: the query is 0, which has no direction")
	}
	return nil
}

// compared returns what codes are compared with.
func (s *searcher) compared(metric Metric, query []float32) []float32 {
	if metric == CosineSimilarity {
		return s.unit
	}
	return query
}

// cosines turns n estimates and bounds, of distances, into estimates and bounds of negative cosines.
func (s *searcher) cosines(n int) {
	for k := range n {
		s.dist[k] = float32(cosineOf(float64(s.dist[k])))
		s.low[k] = below(cosineOf(float64(s.low[k])) - cosineSlack)
		s.high[k] = above(cosineOf(float64(s.high[k])) + cosineSlack)
	}
}

// normalize makes x, which is finite, a vector of length 1 unless it is 0. It rounds alike on every machine.
func normalize(x []float32) bool {
	length := math.Sqrt(square(x))
	if length == 0 {
		return false
	}
	for t, v := range x {
		x[t] = float32(float64(v) / length)
	}
	return true
}

// Normalized returns a copy of x whose rows have length 1, as an index for cosines makes them: train its codec and its
// lists on such. A row of zeros, a NaN and an infinity are errors. O(n d).
func Normalized(x vec.Matrix[float32]) (vec.Matrix[float32], error) {
	if err := checkFinite(x, 0); err != nil {
		return x, err
	}
	y := vec.NewMatrix[float32](x.Rows, x.Cols)
	for i := range x.Rows {
		copy(y.Row(i), x.Row(i))
		if !normalize(y.Row(i)) {
			return x, fmt.Errorf("pq: row %d is 0, which has no direction", i)
		}
	}
	return y, nil
}
