package project

import "github.com/dualgap/dualgap/vec"

// Rows projects every row of a into the same row of dst, which may be a itself. f is the projection of one row:
//
//	project.Rows(x, a, nil, func(dst, a []float32) project.Thresholds {
//		return project.TopKSimplex(dst, a, 5, 1, 1, &w)
//	})
//
// th[i] becomes the thresholds of row i; th may be nil. Rows panics unless the sizes agree.
func Rows[T vec.Float](dst, a vec.Matrix[T], th []Thresholds, f func(dst, a []T) Thresholds) {
	checkSizes("Rows", dst, a)
	if th != nil && len(th) != a.Rows {
		panic(unfit("Rows", "%d thresholds for %d rows", len(th), a.Rows))
	}
	for i := range a.Rows {
		t := f(dst.Row(i), a.Row(i))
		if th != nil {
			th[i] = t
		}
	}
}
