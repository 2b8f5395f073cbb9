package topk

import (
	"fmt"
	"sync"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// Model is a linear classifier of d features into m classes. It is immutable and safe for concurrent use. Its methods panic
// when a vector has a wrong length; those that take Features return an error when the number of features is wrong.
//
// Where scores are equal the class with the smaller number comes first; NaN comes last.
type Model[T vec.Float] struct {
	w    vec.Matrix[T] // d-by-m, and one more row if bias is not 0
	d    int
	bias T         // value of the constant feature
	pool sync.Pool // of *[]T: scores
}

// Dims returns the number of features, the constant one of Config.Bias not counted, and of classes.
func (m *Model[T]) Dims() (features, classes int) { return m.d, m.w.Cols }

// Weights returns W, d-by-m, which must not be changed. With Config.Bias it has one more row, the last: the weights of the
// constant feature.
func (m *Model[T]) Weights() vec.Matrix[T] { return m.w }

// Bias returns the value of the constant feature, 0 if there is none.
func (m *Model[T]) Bias() T { return m.bias }

// Scores sets dst to the scores of the m classes for the example x of d features. O(d m).
func (m *Model[T]) Scores(dst, x []T) {
	if len(x) != m.d || len(dst) != m.w.Cols {
		panic(fmt.Sprintf("topk: %d features and %d scores for a model of %d features and %d classes", len(x), len(dst), m.d, m.w.Cols))
	}
	vec.GemvT(1, m.w.Slice(0, m.d, 0, m.w.Cols), x, 0, dst)
	if m.bias != 0 {
		vec.Axpy(m.bias, m.w.Row(m.d), dst)
	}
}

// Predict returns the class of x with the largest score. O(d m).
func (m *Model[T]) Predict(x []T) int {
	var best [1]int
	m.TopK(best[:], x)
	return best[0]
}

// TopK sets dst to the len(dst) classes of x with the largest scores, best first. It panics when that exceeds m.
// O(d m + m len(dst)).
func (m *Model[T]) TopK(dst []int, x []T) {
	s, _ := m.pool.Get().(*[]T)
	if s == nil {
		s = new([]T)
		*s = make([]T, m.w.Cols)
	}
	m.Scores(*s, x)
	m.rank(dst, *s)
	m.pool.Put(s)
}

// rank keeps the best in dst, sorted by insertion.
func (m *Model[T]) rank(dst []int, s []T) {
	if len(dst) > len(s) {
		panic(fmt.Sprintf("topk: %d best of %d classes", len(dst), len(s)))
	}
	n := 0
	for c, v := range s {
		at := n
		for at > 0 && before(v, s[dst[at-1]]) {
			at--
		}
		if at == len(dst) {
			continue
		}
		n = min(n+1, len(dst))
		copy(dst[at+1:n], dst[at:])
		dst[at] = c
	}
}

// before reports whether a score v goes before an earlier class's u.
func before[T vec.Float](v, u T) bool { return v > u || u != u && v == v }

// batch is the number of examples whose scores are held at a time.
const batch = 256

// ScoresAll sets dst, n-by-m, to the scores of all n examples of x.
func (m *Model[T]) ScoresAll(x solvers.Features[T], dst vec.Matrix[T]) error {
	x, n, err := m.fit(x)
	if err != nil {
		return err
	}
	if dst.Rows != n || dst.Cols != m.w.Cols {
		return fmt.Errorf("topk: a %d-by-%d matrix for the scores of %d examples in %d classes", dst.Rows, dst.Cols, n, m.w.Cols)
	}
	x.Scores(dst, m.w, nil)
	return nil
}

// PredictAll returns the class of each example of x.
func (m *Model[T]) PredictAll(x solvers.Features[T]) ([]int, error) {
	ranked, err := m.TopKAll(x, 1)
	if err != nil {
		return nil, err
	}
	y := make([]int, len(ranked))
	for i, r := range ranked {
		y[i] = r[0]
	}
	return y, nil
}

// TopKAll returns the k best classes of each example of x, best first.
func (m *Model[T]) TopKAll(x solvers.Features[T], k int) ([][]int, error) {
	x, n, err := m.fit(x)
	if err != nil {
		return nil, err
	}
	if k < 1 || k > m.w.Cols {
		return nil, fmt.Errorf("topk: %d best of %d classes", k, m.w.Cols)
	}
	ranked, flat := make([][]int, n), make([]int, n*k)
	rows, s := make([]int, batch), vec.NewMatrix[T](batch, m.w.Cols)
	for i := 0; i < n; i += batch {
		size := min(batch, n-i)
		for p := range size {
			rows[p] = i + p
		}
		x.Scores(s.Slice(0, size, 0, s.Cols), m.w, rows[:size])
		for p := range size {
			ranked[i+p] = flat[(i+p)*k : (i+p+1)*k : (i+p+1)*k]
			m.rank(ranked[i+p], s.Row(p))
		}
	}
	return ranked, nil
}

// fit returns x with the constant feature of the model and its number of examples.
func (m *Model[T]) fit(x solvers.Features[T]) (solvers.Features[T], int, error) {
	n, d := x.Dims()
	if d != m.d {
		return nil, 0, fmt.Errorf("topk: examples of %d features for a model of %d", d, m.d)
	}
	if m.bias != 0 {
		x = solvers.WithBias(x, m.bias)
	}
	return x, n, nil
}
