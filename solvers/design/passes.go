package design

import (
	"sync"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// ScoresAll sets dst = X W for all n examples of x by several goroutines: workers of them, 0 for all cores. dst is
// n-by-m, W d-by-m. Examples that are neighbours in memory are not copied. The bits are the same for the same number of
// workers. It panics where sizes do not fit or workers is negative.
func ScoresAll[T vec.Float](dst, w vec.Matrix[T], x Matrix[T], workers int) {
	n, d := x.Dims()
	mustBe("ScoresAll", "W", &w, d, w.Cols)
	mustBe("ScoresAll", "dst", &dst, n, w.Cols)
	size := passRows(x, n, mustCores("ScoresAll", workers, n))
	workers = parallel.Worth(mustCores("ScoresAll", workers, n), passTime(held(x), w.Cols))
	parallel.Chunks(workers, n, size, func(_, from, to int) {
		Window(x, from, to).Scores(dst.Slice(from, to, 0, w.Cols), w, nil)
	})
}

// AccumulateAll adds Xᵀ A, of all n examples of x, to W by several goroutines: workers of them at most, 0 for all
// cores. A is n-by-m, W d-by-m. Examples that are neighbours in memory are not copied.
//
// Each part of the examples but the first is summed into a W of its own, and these are added in a fixed order: the bits
// are the same for the same number of workers. Memory: (workers-1) d m numbers, or four times as many where these are
// few. Where examples are so few or so sparse that goroutines, or their sums, would cost more than they save there are
// fewer. For a few outputs or more a [ByFeatures] needs no sums: there the goroutines share the features, and the bits
// are the same for any number of them. It panics where sizes do not fit or workers is negative.
func AccumulateAll[T vec.Float](w, a vec.Matrix[T], x Matrix[T], workers int) {
	n, d := x.Dims()
	mustBe("AccumulateAll", "W", &w, d, w.Cols)
	mustBe("AccumulateAll", "A", &a, n, w.Cols)
	numbers := held(x)
	workers = parallel.Worth(mustCores("AccumulateAll", workers, max(n, d)), passTime(numbers, w.Cols))
	if x := byFeatures(x); x != nil && w.Cols >= manyOutputs {
		pieces := min(d, 16*workers) // the numbers of features differ much
		parallel.Do(workers, pieces, func(_, p int) {
			x.AccumulateFeatures(w, a, parallel.Share(d, pieces, p), parallel.Share(d, pieces, p+1))
		})
		return
	}
	most := summers(numbers, d)
	workers = min(workers, most)
	if workers <= 1 {
		x.Accumulate(w, a, nil)
		return
	}
	// Several parts for each goroutine where that costs little: one that wakes late then takes fewer.
	parts, adders, size := workers, workers, d*w.Cols
	if size <= 1<<16 {
		parts, adders = min(4*workers, most), 1
	}
	own := borrow[T]((parts - 1) * size)
	sum := func(p int) vec.Matrix[T] { return vec.MatrixOf(d, w.Cols, (*own)[(p-1)*size:p*size]) }
	parallel.Do(workers, parts, func(_, p int) {
		to := w
		if p > 0 {
			to = sum(p)
			clear(to.Data)
		}
		from, end := part(x, n, parts, p), part(x, n, parts, p+1)
		Window(x, from, end).Accumulate(to, a.Slice(from, end, 0, w.Cols), nil)
	})
	parallel.Ranges(adders, d, func(_, from, end int) {
		for p := 1; p < parts; p++ {
			add(w.Slice(from, end, 0, w.Cols), sum(p).Slice(from, end, 0, w.Cols))
		}
	})
	lent.Put(own)
}

// lent has memory for the sums of passes: what is fresh from the system costs as much as the sums.
var lent sync.Pool

// borrow returns memory for numbers, left by earlier passes.
func borrow[T vec.Float](numbers int) *[]T {
	own, _ := lent.Get().(*[]T)
	if own == nil || len(*own) < numbers {
		own = new(make([]T, numbers))
	}
	return own
}

// add adds b to a.
func add[T vec.Float](a, b vec.Matrix[T]) {
	if a.Stride == a.Cols && b.Stride == b.Cols {
		vec.Axpy(1, b.Data, a.Data)
		return
	}
	for j := range a.Rows {
		vec.Axpy(1, b.Row(j), a.Row(j))
	}
}

// part is where the examples of worker p begin: at a multiple of 4096 where x keeps no rows, as compressed storages do,
// which hold 4096 together.
func part[T vec.Float](x Matrix[T], n, workers, p int) int {
	if keepsRows(x) {
		return parallel.Share(n, workers, p)
	}
	const together = 4096
	return min(n, together*parallel.Share(shape.Pieces(n, together), workers, p))
}

// passRows is the number of examples that a goroutine takes at a time: an equal share of a storage that prepares tables
// for each call, as compressed ones do; 1024 of one that keeps rows, so that none waits long for the others.
func passRows[T vec.Float](x Matrix[T], n, workers int) int {
	if keepsRows(x) {
		return 1024
	}
	workers = max(1, min(workers, n))
	return shape.Padded(shape.Pieces(n, workers), 256)
}

// keepsRows reports whether x, or what it wraps, has its examples in memory as they are or sparse.
func keepsRows[T vec.Float](x Matrix[T]) bool {
	switch x := x.(type) {
	case SparseRows[T], DenseRows[T]:
		return true
	case *biased[T]:
		return keepsRows(x.x)
	case interface{ keepsRows() bool }:
		return x.keepsRows()
	}
	return false
}

// Summers is the largest number of goroutines for which it pays that each sums a part of Xᵀ A in a matrix of its own.
// It depends on x alone.
func Summers[T vec.Float](x Matrix[T]) int {
	_, d := x.Dims()
	return summers(held(x), d)
}

// summers is Summers for a number of stored numbers and d features. To fill a matrix and to add it takes about 3 d m
// operations, the product with a row m times the numbers that the row holds: with 12 d numbers for each goroutine the
// sums are a quarter more.
func summers(numbers float64, d int) int {
	return max(1, int(min(numbers/(12*float64(max(1, d))), 1<<20)))
}

// passTime is how many nanoseconds a pass over stored numbers takes for m outputs, about.
func passTime(numbers float64, m int) float64 { return numbers * float64(m+8) / 64 }

// held is how many numbers x keeps.
func held[T vec.Float](x Matrix[T]) float64 {
	n, d := x.Dims()
	switch x := x.(type) {
	case SparseRows[T]:
		return stored(x)
	case interface{ stored() float64 }:
		return x.stored()
	case *biased[T]:
		return held(x.x) + float64(n)
	}
	return float64(n) * float64(d)
}

// stored is how many numbers the rows of x hold, about: by a sample of them.
func stored[T vec.Float](x rows[T]) float64 {
	n, _ := x.Dims()
	sample, count := min(n, 1024), 0
	for p := range sample {
		columns, _ := x.Row(p * (n / sample))
		count += len(columns)
	}
	return float64(count) * float64(n) / float64(max(1, sample))
}

func (f *sparse[T, U]) stored() float64 { return stored(f.x) }

// mustCores returns the number of goroutines that workers stands for. A negative number panics.
func mustCores(function string, workers, pieces int) int {
	workers, err := parallel.Cores(workers, pieces)
	if err != nil {
		panic(shape.Errorf("design: "+function, "%v", err))
	}
	return workers
}
