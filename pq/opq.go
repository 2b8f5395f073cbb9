package pq

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
	"gonum.org/v1/gonum/mat"
)

// fitRotation finds the rotation of optimized product quantization (Ge, He, Ke and Sun, CVPR 2013): min |X Rᵀ - Ŷ|²
// over orthogonal R and over quantized Ŷ, in turns.
//
//	start      R from the principal axes, dealt to the subspaces so that the products of their variances are equal (3.2)
//	centroids  a few iterations of k-means on Y = X Rᵀ; Ŷ is then what the codes stand for
//	rotation   with the singular values XᵀŶ = U S Vᵀ it is R = V Uᵀ, the solution of Procrustes' problem (3.1)
//
// It leaves the rotated sample as the training vectors, and the centroids as a start for the last training.
func (t *trainer) fitRotation(ctx context.Context) error {
	q, n := t.q, len(t.rows)
	x := vec.NewMatrix[float32](n, q.d)
	for i, row := range t.rows {
		copy(x.Row(i), t.x.Row(row))
		t.rows[i] = i
	}
	y, target, cross := vec.NewMatrix[float32](n, q.d), vec.NewMatrix[float32](n, q.d), vec.NewMatrix[float32](q.d, q.d)
	q.rotation = make([]float32, q.d*q.d)
	if err := t.principalAxes(x, target, cross); err != nil {
		return err
	}
	t.x = y
	for t.rotation = 0; t.rotation < t.Rotations; {
		vec.GemmWorkers(vec.NoTrans, vec.Transposed, 1, x, q.Rotation(), 0, y, t.Workers)
		mse, err := t.quantized(ctx, target)
		if err != nil {
			return err
		}
		vec.GemmWorkers(vec.Transposed, vec.NoTrans, 1, x, target, 0, cross, t.Workers)
		if err := summable(cross); err != nil {
			return err
		}
		var svd mat.SVD
		if !svd.Factorize(mat.NewDense(q.d, q.d, float64s(cross.Data)), mat.SVDThin) {
			return errors.New("pq: the singular values of the rotation's problem were not found")
		}
		var u, v, r mat.Dense
		svd.UTo(&u)
		svd.VTo(&v)
		r.Mul(&v, u.T())
		setFloats(q.rotation, r.RawMatrix().Data)
		t.rotation++
		t.report(0, mse)
	}
	vec.GemmWorkers(vec.NoTrans, vec.Transposed, 1, x, q.Rotation(), 0, y, t.Workers)
	return nil
}

// quantized runs k-means on the rotated sample, writes what it becomes to target, and returns the mean squared error.
func (t *trainer) quantized(ctx context.Context, target vec.Matrix[float32]) (mse float64, err error) {
	q, iterations := t.q, 2
	if t.rotation == 0 {
		iterations = 6
	}
	for first, last := 0, 0; first < q.m; first = last {
		last = t.waveEnd(first)
		w := t.newWave(first, last)
		w.start()
		for range iterations {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			w.iterate()
		}
		mse += w.mse()
		w.store()
		parallel.Do(t.Workers, w.chunks, func(_, c int) {
			from, to := w.bounds(c)
			for p := from; p < to; p++ {
				row := target.Row(p)
				for i, s := range w.subs {
					copy(row[q.offset[first+i]:], s.centroids[int(s.codes[p])*s.dsub:][:s.dsub])
				}
			}
		})
	}
	if !finite(float32(mse)) {
		return 0, errTooLarge
	}
	t.warm = true
	return mse, nil
}

var errTooLarge = errors.New("pq: the training vectors are too large: squared distances to centroids overflow float32")

// summable returns an error if sums of products have overflowed: singular values of such would never be found.
func summable(sums vec.Matrix[float32]) error {
	for _, v := range sums.Data {
		if !finite(v) {
			return errTooLarge
		}
	}
	return nil
}

// principalAxes sets the first rotation. centred and covariance are scratch.
func (t *trainer) principalAxes(x, centred, covariance vec.Matrix[float32]) error {
	q := t.q
	mean := make([]float64, q.d)
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			mean[j] += float64(v) / float64(x.Rows)
		}
	}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			centred.Row(i)[j] = float32(float64(v) - mean[j])
		}
	}
	vec.GemmWorkers(vec.Transposed, vec.NoTrans, 1, centred, centred, 0, covariance, t.Workers)
	if err := summable(covariance); err != nil {
		return err
	}
	var axes mat.EigenSym
	if !axes.Factorize(mat.NewSymDense(q.d, float64s(covariance.Data)), true) {
		return fmt.Errorf("pq: the principal axes of the training vectors were not found")
	}
	var v mat.Dense
	axes.VectorsTo(&v) // columns, by rising variance
	variances := axes.Values(nil)
	floor := variances[q.d-1] * 1e-12
	logs, filled := make([]float64, q.m), make([]int, q.m)
	for a := q.d - 1; a >= 0; a-- {
		to := -1
		for j := range q.m {
			if filled[j] < q.width(j) && (to < 0 || logs[j] < logs[to]) {
				to = j
			}
		}
		row := q.rotation[(q.offset[to]+filled[to])*q.d:][:q.d]
		for i := range row {
			row[i] = float32(v.At(i, a))
		}
		logs[to] += math.Log(math.Max(variances[a], floor) + math.SmallestNonzeroFloat64)
		filled[to]++
	}
	return nil
}

func float64s(x []float32) []float64 {
	y := make([]float64, len(x))
	setFloats(y, x)
	return y
}

func setFloats[A, B float32 | float64](dst []A, src []B) {
	for i, v := range src {
		dst[i] = A(v)
	}
}
