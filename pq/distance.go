package pq

import "math"

// square is |v|² in float64.
func square(v []float32) (s float64) {
	for _, x := range v {
		s += float64(float64(x) * float64(x))
	}
	return s
}

// distance is the squared distance, or the negative inner product or cosine, in float64 and alike on every machine:
// four sums take turns.
func distance(metric Metric, q, v []float32) float64 {
	var s [4]float64
	q = q[:len(v)]
	if metric != L2 {
		for t, x := range v {
			s[t&3] -= float64(float64(q[t]) * float64(x))
		}
		product := (s[0] + s[2]) + (s[1] + s[3])
		if metric == CosineSimilarity && product != 0 {
			product = min(max(product/(math.Sqrt(square(q))*math.Sqrt(square(v))), -1), 1)
		}
		return product
	}
	for ; len(v) >= 4 && len(q) >= 4; q, v = q[4:], v[4:] {
		d0, d1 := float64(q[0])-float64(v[0]), float64(q[1])-float64(v[1])
		d2, d3 := float64(q[2])-float64(v[2]), float64(q[3])-float64(v[3])
		s[0] += float64(d0 * d0)
		s[1] += float64(d1 * d1)
		s[2] += float64(d2 * d2)
		s[3] += float64(d3 * d3)
	}
	for t, x := range v {
		d := float64(q[t]) - float64(x)
		s[t] += float64(d * d)
	}
	return (s[0] + s[2]) + (s[1] + s[3])
}
