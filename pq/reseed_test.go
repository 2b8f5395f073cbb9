package pq

import (
	"math"
	"slices"
	"testing"
)

// TestReseedPlace: a centroid without points goes to the point that is farthest from its own, in the cluster of largest
// error; that point is taken then, and half of the error with it. Where there is no error it stays.
func TestReseedPlace(t *testing.T) {
	s := &subspace{dsub: 2, points: []float32{0, 0, 1, 1, 9, 9, 5, 6, 7, 7}, centroids: make([]float32, 8),
		codes: []byte{0, 0, 1, 1, 1}, dist: []float32{1, 1, 4, 8, 2}}
	errors := []float64{2, 14, 0, 0}
	if !s.reseed(3, 5, nil, errors) || !slices.Equal(s.centroids, []float32{0, 0, 0, 0, 0, 0, 5, 6}) ||
		!slices.Equal(s.dist, []float32{1, 1, 4, 0, 2}) || !slices.Equal(errors, []float64{2, 7, 0, 0}) {
		t.Errorf("centroids %v, distances %v, errors %v", s.centroids, s.dist, errors)
	}
	if !s.reseed(2, 5, nil, errors) || !slices.Equal(s.centroids, []float32{0, 0, 0, 0, 9, 9, 5, 6}) ||
		!slices.Equal(errors, []float64{2, 3.5, 0, 0}) {
		t.Errorf("centroids %v, errors %v", s.centroids, errors)
	}
	copy(s.dist, []float32{0, 0, 3, 3, 1}) // of points that are as far the first one
	if !s.reseed(1, 5, nil, errors) || !slices.Equal(s.centroids[2:4], []float32{9, 9}) {
		t.Errorf("centroids %v", s.centroids)
	}
	clear(s.centroids)
	if s.reseed(1, 5, nil, make([]float64, 4)) || !slices.Equal(s.centroids[:4], make([]float32, 4)) {
		t.Errorf("centroids %v without an error", s.centroids)
	}
}

// TestFirstPoints: points that are the same but for the sign of a zero are taken once, and twice where others lack.
func TestFirstPoints(t *testing.T) {
	minus := float32(math.Copysign(0, -1))
	for _, c := range []struct{ points, want []float32 }{
		{[]float32{0, 1, minus, 1, 2, 2, 3, 3}, []float32{0, 1, 2, 2}},
		{[]float32{0, 1, minus, 1}, []float32{0, 1, minus, 1}},
		{[]float32{5, 5, 5, 5, 5, 5}, []float32{5, 5, 5, 5}},
	} {
		s := &subspace{dsub: 2, points: c.points, centroids: make([]float32, 4)}
		if s.firstPoints(len(c.points)/2, 2); !slices.Equal(s.centroids, c.want) {
			t.Errorf("%v of %v, want %v", s.centroids, c.points, c.want)
		}
	}
}
