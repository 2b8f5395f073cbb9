// Package risk evaluates the multinomial logistic loss of all examples and its gradient: what a batch method calls many
// times.
package risk

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Risk is, as a function of W, the mean over n examples of
//
//	L_i = w_i (log sum_l exp(s_il) - s_iy),   s_i = Wᵀ x_i,   y the class of example i
//
// with softmax p_i = exp(s_i)/sum: its gradient is 1/n sum_i x_i (w_i (p_i - e_y))ᵀ. The x_i are the storage's less a
// mean, with a constant feature behind the others if there is a bias; neither is ever formed.
type Risk[T vec.Float] struct {
	Data[T]
	n, d, k int // d without the constant feature
	workers int
	window  int // examples that are taken through all of an evaluation at once; 0: one pass after the other

	diff    vec.Matrix[T]   // w_i (p_i - e_y) of the last evaluation
	offset  []T             // what the mean and the constant feature add to the scores
	total   []float64       // 1ᵀ diff
	sums    []vec.Matrix[T] // of the gradient, of each worker but the first
	decoded []vec.Matrix[T] // of each worker, if Decode
	losses  []float64       // of parts of the examples
	logs    []T             // of the probabilities of the true classes
	replace func(i int, row []T)
}

// Data are the examples and their classes, each in 0..Classes-1.
type Data[T vec.Float] struct {
	X       design.Matrix[T]
	Y       []int
	Classes int
	Weights []float64 // w_i; nil: 1 each
	Mean    []T       // of d numbers; nil: 0
	Bias    T         // the constant feature; 0: none
	Decode  bool      // X keeps no rows as they are: some of them are decoded at a time, and multiplied then
}

// Center sets Mean to the mean of the examples, summed in float64.
func (data *Data[T]) Center(workers int) {
	n, d := data.X.Dims()
	ones, sum := vec.NewMatrix[float64](n, 1), vec.NewMatrix[float64](d, 1)
	for i := range ones.Data {
		ones.Data[i] = 1 / float64(n)
	}
	design.AccumulateAll(sum, ones, design.Float64(data.X), workers)
	data.Mean = make([]T, d)
	vec.Convert(data.Mean, sum.Data)
}

// Float64 returns the same data for an evaluation in float64.
func (data *Data[T]) Float64() Data[float64] {
	exact := Data[float64]{X: design.Float64(data.X), Y: data.Y, Classes: data.Classes, Weights: data.Weights,
		Bias: float64(data.Bias)}
	if data.Mean != nil {
		exact.Mean = make([]float64, len(data.Mean))
		vec.Convert(exact.Mean, data.Mean)
	}
	_, rows := exact.X.(design.DenseRows[float64])
	exact.Decode = !rows && data.KeepsRows() && !design.IsSparse(data.X)
	return exact
}

// KeepsRows reports whether X has its examples as they are or sparse: some of them cost a part of what all cost.
func (data *Data[T]) KeepsRows() bool {
	_, rows := data.X.(design.DenseRows[T])
	return rows || design.IsSparse(data.X)
}

// Some returns the examples rows of data.
func (data *Data[T]) Some(rows []int) Data[T] {
	some := *data
	some.X, some.Y, some.Weights = design.Subset(data.X, rows), make([]int, len(rows)), nil
	for p, i := range rows {
		some.Y[p] = data.Y[i]
		if data.Weights != nil {
			some.Weights = append(some.Weights, data.Weights[i])
		}
	}
	some.Decode = !design.IsSparse(data.X)
	if x, err := design.WithColumns(some.X); err == nil { // no error where all examples gave none
		some.X = x
	}
	return some
}

// New returns the risk. The results have the same bits for the same number of workers.
func New[T vec.Float](data Data[T], workers int) *Risk[T] {
	n, d := data.X.Dims()
	k := data.Classes
	r := &Risk[T]{Data: data, n: n, d: d, k: k, workers: workers, diff: Padded[T](n, k), offset: make([]T, k),
		total: make([]float64, k), logs: make([]T, n)}
	_, dense := data.X.(design.DenseRows[T])
	if !dense && !data.Decode {
		return r
	}
	// The rows of a window stay in a core's cache from the scores to the gradient; with less than 64 rows packing W for
	// each window would cost more than that saves.
	const cache = 400 << 10
	r.window = min(n, max(64, cache/(max(1, d)*sizeOf[T]())/16*16))
	r.workers = max(1, min(workers, design.Summers(data.X), shape.Pieces(n, r.window)))
	for p := range r.workers {
		if p > 0 {
			r.sums = append(r.sums, Padded[T](d, k))
		}
		if r.Decode {
			r.decoded = append(r.decoded, vec.NewMatrix[T](r.window, d))
		}
	}
	return r
}

// Padded returns a matrix of zeros whose rows begin at whole registers: products with it are the faster for it.
func Padded[T vec.Float](rows, cols int) vec.Matrix[T] {
	stride := shape.Padded(cols, 16)
	return vec.Matrix[T]{Rows: rows, Cols: cols, Stride: stride, Data: make([]T, rows*stride)}
}

func sizeOf[T vec.Float]() int {
	if T(1)/3 == T(float32(1)/3) {
		return 4
	}
	return 8
}

// Dims returns the numbers of rows and columns of W: features, a constant one among them, and classes.
func (r *Risk[T]) Dims() (d, k int) {
	if r.Bias != 0 {
		return r.d + 1, r.k
	}
	return r.d, r.k
}

// Evaluate returns the risk at W and sets g to its gradient. O(n d k).
func (r *Risk[T]) Evaluate(g, w vec.Matrix[T]) (loss float64) { return r.EvaluateWith(g, w, nil) }

// EvaluateWith is Evaluate with other rows in place of the w_i (p_i - e_y): replace(i, row) has set row to row i. With
// several workers it is called by several goroutines.
func (r *Risk[T]) EvaluateWith(g, w vec.Matrix[T], replace func(i int, row []T)) (loss float64) {
	zero(g)
	r.replace = replace
	r.setOffset(w)
	inner, w := g.Slice(0, r.d, 0, r.k), w.Slice(0, r.d, 0, r.k)
	if r.window > 0 {
		loss = r.byWindows(inner, w)
	} else {
		design.ScoresAll(r.diff, w, r.X, r.workers)
		const part = 1024
		parts := shape.Pieces(r.n, part)
		r.lossesOf(parts)
		parallel.Do(r.workers, parts, func(_, p int) {
			r.losses[p] = r.softmax(p*part, min((p+1)*part, r.n))
		})
		design.AccumulateAll(inner, r.diff, r.X, r.workers)
		loss = sum(r.losses)
	}
	r.addOffset(g)
	for j := range g.Rows {
		vec.Scale(T(1/float64(r.n)), g.Row(j))
	}
	return loss / float64(r.n)
}

// OfScores returns the risk at scores that are known: fill(i, row) sets row to the k scores of example i, to which
// neither the mean nor the constant feature adds more. Duals and Gradient are then the ones there. O(n k). With several
// workers fill is called by several goroutines.
func (r *Risk[T]) OfScores(fill func(i int, row []T)) (loss float64) {
	clear(r.offset)
	r.replace = nil
	const part = 256
	parts := shape.Pieces(r.n, part)
	r.lossesOf(parts)
	parallel.Do(parallel.Worth(r.workers, float64(r.n*r.k)), parts, func(_, p int) {
		from, to := p*part, min((p+1)*part, r.n)
		for i := from; i < to; i++ {
			fill(i, r.diff.Row(i))
		}
		r.losses[p] = r.softmax(from, to)
	})
	return sum(r.losses) / float64(r.n)
}

// Gradient sets g to the gradient at the last evaluation, Xᵀ diff/n. Half of what Evaluate costs.
func (r *Risk[T]) Gradient(g vec.Matrix[T]) {
	zero(g)
	design.AccumulateAll(g.Slice(0, r.d, 0, r.k), r.diff, r.X, r.workers)
	r.addOffset(g)
	for j := range g.Rows {
		vec.Scale(T(1/float64(r.n)), g.Row(j))
	}
}

// setOffset computes what is added to all scores: bias times the last row of W, less meanᵀ W.
func (r *Risk[T]) setOffset(w vec.Matrix[T]) {
	clear(r.offset)
	if r.Mean != nil {
		vec.GemvT(-1, w.Slice(0, r.d, 0, r.k), r.Mean, 0, r.offset)
	}
	if r.Bias != 0 {
		vec.Axpy(r.Bias, w.Row(r.d), r.offset)
	}
}

// addOffset adds to the gradient what comes of the mean, (X - 1 meanᵀ)ᵀ A = Xᵀ A - mean (1ᵀ A), and of the bias.
func (r *Risk[T]) addOffset(g vec.Matrix[T]) {
	if r.Mean == nil && r.Bias == 0 {
		return
	}
	const part = 256 // rows whose sum is rounded to T
	var ones [part]T
	for i := range ones {
		ones[i] = 1
	}
	clear(r.total)
	for i := 0; i < r.n; i += part {
		rows := min(part, r.n-i)
		vec.GemvT(1, r.diff.Slice(i, i+rows, 0, r.k), ones[:rows], 0, r.offset)
		for l, v := range r.offset {
			r.total[l] += float64(v)
		}
	}
	vec.Convert(r.offset, r.total)
	if r.Mean != nil {
		vec.Ger(-1, r.Mean, r.offset, g.Slice(0, r.d, 0, r.k))
	}
	if r.Bias != 0 {
		vec.Axpy(r.Bias, r.offset, g.Row(r.d))
	}
}

// byWindows takes the examples through scores, softmax and gradient a window at a time.
func (r *Risk[T]) byWindows(g, w vec.Matrix[T]) float64 {
	r.lossesOf(r.workers)
	if r.workers == 1 { // a function for goroutines would be an allocation
		r.part(0, g, w)
	} else {
		parallel.Do(r.workers, r.workers, func(_, p int) { r.part(p, g, w) })
	}
	for _, own := range r.sums {
		for j := range own.Rows {
			vec.Axpy(1, own.Row(j), g.Row(j))
		}
	}
	return sum(r.losses)
}

// part takes the share of worker p of the windows, and adds their gradients to g, or to the sum of that worker.
func (r *Risk[T]) part(p int, g, w vec.Matrix[T]) {
	if p > 0 {
		g = r.sums[p-1]
		zero(g)
	}
	windows := shape.Pieces(r.n, r.window)
	r.losses[p] = 0
	for v := windows * p / r.workers; v < windows*(p+1)/r.workers; v++ {
		from, to := v*r.window, min((v+1)*r.window, r.n)
		x, diff := design.Window(r.X, from, to), r.diff.Slice(from, to, 0, r.k)
		if r.Decode {
			rows := r.decoded[p].Slice(0, to-from, 0, r.d)
			x.Gather(rows, nil)
			vec.Gemm(vec.NoTrans, vec.NoTrans, 1, rows, w, 0, diff)
			r.losses[p] += r.softmax(from, to)
			vec.Gemm(vec.Transposed, vec.NoTrans, 1, rows, diff, 1, g)
			continue
		}
		x.Scores(diff, w, nil)
		r.losses[p] += r.softmax(from, to)
		x.Accumulate(g, diff, nil)
	}
}

// softmax replaces the scores of some examples by their rows of diff and returns the sum of their losses, w_i times
// -log of the probability of the true class.
func (r *Risk[T]) softmax(from, to int) (loss float64) {
	logs := r.logs[from:to]
	for p := range logs {
		i := from + p
		row, y := r.diff.Row(i), r.Y[i]
		if r.Mean != nil || r.Bias != 0 {
			vec.Axpy(1, r.offset, row)
		}
		const farthest = 60                      // exp(-60) is well inside the range of a float32
		far := !(vec.Max(row)-row[y] < farthest) // or not finite
		if far {
			loss += r.weight(i) * float64(vec.LogSumExp(row)-row[y])
		}
		vec.Softmax(row, row)
		logs[p] = row[y]
		if far {
			logs[p] = 1
		}
		row[y]--
		if r.Weights != nil {
			vec.Scale(T(r.Weights[i]), row)
		}
		if r.replace != nil {
			r.replace(i, row)
		}
	}
	vec.Log(logs, logs)
	for p, l := range logs {
		loss -= r.weight(from+p) * float64(l)
	}
	return loss
}

func (r *Risk[T]) weight(i int) float64 {
	if r.Weights == nil {
		return 1
	}
	return r.Weights[i]
}

func (r *Risk[T]) lossesOf(parts int) {
	if len(r.losses) != parts {
		r.losses = make([]float64, parts)
	}
}

func sum(v []float64) (total float64) {
	for _, v := range v {
		total += v
	}
	return total
}

func zero[T vec.Float](a vec.Matrix[T]) {
	for i := range a.Rows {
		clear(a.Row(i))
	}
}

// Duals returns the rows w_i (p_i - e_y) of the last evaluation, n-by-k, which must not be changed. They are dual
// variables.
func (r *Risk[T]) Duals() vec.Matrix[T] { return r.diff }

// Curvature returns the second derivative of the risk at 0 along W: 1/n sum_i w_i times the variance of the k scores of
// example i. It overwrites what Duals returns. Half an evaluation.
func (r *Risk[T]) Curvature(w vec.Matrix[T]) (c float64) {
	r.setOffset(w)
	design.ScoresAll(r.diff, w.Slice(0, r.d, 0, r.k), r.X, r.workers)
	for i := range r.n {
		mean, squares := 0.0, 0.0
		for l, v := range r.diff.Row(i) {
			s := float64(v + r.offset[l])
			mean += s
			squares += s * s
		}
		mean /= float64(r.k)
		c += r.weight(i) * (squares/float64(r.k) - mean*mean)
	}
	return c / float64(r.n)
}
